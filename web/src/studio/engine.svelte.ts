/** The engine beside the board: looks at one position at a time, as long as it is switched on. */

import { Refused } from '../api';
import type { Words } from '../protocol';
import { runEngine } from './api';
import type { Analysis, Knowledge } from './types';

export const MOST_LINES = 5;
const VISITS = 20_000;
/** Whoever steps quickly through a game does not wake it for every position. */
const PAUSE_MS = 180;
const AGAIN_MS = 600;
const KEPT = 60;

interface Found {
  analysis: Analysis;
  visits: number;
  of: number;
}

const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));

export class LiveEngine {
  on = $state(false);
  lines = $state(3);
  found: Found | null = $state.raw(null);
  thinking = $state(false);
  trouble: Words | null = $state.raw(null);
  #stop: AbortController | null = null;
  #kept = new Map<string, Found>();

  /** Look at that position; at nothing for null. What was found before is shown at once. */
  async look(position: string | null, knowledge: Knowledge, keys: string[] = []): Promise<void> {
    this.rest();
    this.trouble = null;
    const name = `${knowledge} ${position}`;
    const known = this.#kept.get(name) ?? null;
    this.found = position === null ? null : known;
    if (!this.on || position === null) return;
    if (known && known.visits >= known.of) return;
    const stop = (this.#stop = new AbortController());
    this.thinking = true;
    await pause(PAUSE_MS);
    try {
      await this.#run(name, { position, lines: MOST_LINES, visits: VISITS, knowledge }, stop.signal, keys);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!stop.signal.aborted) this.trouble = error.words;
    } finally {
      if (this.#stop === stop) this.thinking = false;
    }
  }

  /** What was found at that position, if it was looked at. */
  known(position: string, knowledge: Knowledge): Analysis | null {
    void this.found; // what is known grows with it
    return this.#kept.get(`${knowledge} ${position}`)?.analysis ?? null;
  }

  /** Stop, and keep what is shown. */
  rest(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.thinking = false;
  }

  async #run(name: string, asked: Parameters<typeof runEngine>[0], signal: AbortSignal, keys: string[], again = 3): Promise<void> {
    try {
      if (signal.aborted) return;
      for await (const { analysis, visits, of } of runEngine(asked, signal, keys)) {
        if (signal.aborted) return;
        this.found = { analysis, visits, of };
        this.#keep(name, this.found);
      }
    } catch (error) {
      // The position looked at before may not have been let go yet.
      const busy = error instanceof Refused && error.code === 'engine-busy' && again > 0;
      if (!busy || signal.aborted) throw error;
      await pause(AGAIN_MS);
      await this.#run(name, asked, signal, keys, again - 1);
    }
  }

  #keep(name: string, found: Found): void {
    this.#kept.delete(name);
    this.#kept.set(name, found);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > KEPT && !oldest.done) this.#kept.delete(oldest.value);
  }
}
