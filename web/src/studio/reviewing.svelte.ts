/** A review that is asked for, followed while it grows, and kept when it is done. */

import { Refused } from '../api';
import type { Words } from '../protocol';
import { askReview, followReview, getReview, type Reviewed } from './api';
import type { Depth, Knowledge, Review, ReviewMessage, ReviewState } from './types';

export type Progress = 'idle' | ReviewState['state'];

export class Reviewing {
  state: Progress = $state('idle');
  review: Review | null = $state.raw(null);
  depth: Depth = $state('quick');
  ahead = $state(0);
  done = $state(0);
  of = $state(0);
  /** Seconds until it is done, by the pace so far; null while nothing is known. */
  secondsLeft: number | null = $state(null);
  trouble: Words | null = $state.raw(null);
  #stop: AbortController | null = null;
  #began = { ms: 0, done: 0 };

  /** Ask and follow to the end. What was shown stays until something newer comes. */
  async ask(game: Reviewed, depth: Depth, knowledge: Knowledge, keys: string[] = []): Promise<void> {
    this.stop();
    const stop = (this.#stop = new AbortController());
    this.depth = depth;
    this.trouble = null;
    this.state = 'waiting';
    try {
      const told = await askReview(game, depth, knowledge, keys);
      if (stop.signal.aborted) return;
      this.#begin(told);
      await this.#follow(told.id, stop.signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (stop.signal.aborted) return;
      this.trouble = error.words;
      this.state = 'failed';
    }
  }

  /** Follow no longer. What has come stays. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
    if (this.state === 'waiting' || this.state === 'working') this.state = this.review?.summary ? 'done' : 'idle';
  }

  #begin(told: ReviewState): void {
    this.#began = { ms: Date.now(), done: told.done };
    this.#note(told);
    if (told.review) this.review = told.review;
  }

  async #follow(id: string, signal: AbortSignal): Promise<void> {
    while (this.#busy() && !signal.aborted) {
      for await (const message of followReview(id, this.review?.turns.length ?? 0, signal)) this.#hear(message);
      if (signal.aborted || !this.#busy()) return;
      // The stream broke off: the review goes on, so look where it is.
      await new Promise((later) => setTimeout(later, 1000));
      this.#begin(await getReview(id));
    }
  }

  #busy(): boolean {
    return this.state === 'waiting' || this.state === 'working';
  }

  #hear(message: ReviewMessage): void {
    if (message.type === 'reviewHead') {
      this.review = { ...message.head, turns: [] };
    } else if (message.type === 'reviewTurn' && this.review) {
      const turns = [...this.review.turns, message.turn];
      this.review = { ...this.review, turns };
      this.#note({ state: 'working', ahead: 0, done: turns.length, of: Math.max(this.of, turns.length) });
    } else if (message.type === 'reviewState') this.#note(message);
    else if (message.type === 'reviewDone') {
      this.review = message.review;
      this.#note({ state: 'done', ahead: 0, done: message.review.turns.length, of: message.review.turns.length });
    }
  }

  #note({ state, ahead, done, of }: Pick<ReviewState, 'state' | 'ahead' | 'done' | 'of'>): void {
    this.state = state;
    this.ahead = ahead;
    this.done = done;
    this.of = of;
    const since = done - this.#began.done;
    const seconds = (Date.now() - this.#began.ms) / 1000;
    this.secondsLeft = since > 2 && seconds > 0.5 ? Math.ceil((seconds / since) * (of - done)) : null;
  }
}
