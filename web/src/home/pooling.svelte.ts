/** Waiting in a pool for somebody to play: who waits where, and the table once it is set. */

import { ask, post, Refused } from '../api';
import type { Pool } from '../people/types';
import { keepShare, newShare } from '../shares';
import { paired } from './deserted';
import { jsonLines } from '../studio/ndjson';

type Said =
  | { type: 'pools'; pools: Pool[]; here?: number }
  | { type: 'offer'; bot: string }
  | { type: 'paired'; table: string; pool: string };

const AGAIN_MS = 2000;

export class Pooling {
  pools: Pool[] = $state.raw([]);
  here = $state(0);
  /** The pool that one waits in, and since when. */
  joined = $state<string | null>(null);
  since = $state(0);
  /** A bot that would be a fair match, offered after a while. */
  offer = $state<string | null>(null);
  paired = $state<string | null>(null);
  /** What one adds to the deal of the table to come. */
  #share = newShare();
  #stop = new AbortController();
  #closed = false;
  #listening = false;

  /** Leave the page: leave the pool too. */
  close(): void {
    this.#closed = true;
    this.#stop.abort();
    if (this.joined) void this.leave();
  }

  /** Rated where the name is kept. Throws Refused. */
  async join(id: string): Promise<void> {
    if (this.joined && this.joined !== id) await this.leave();
    const began = Date.now();
    const { since_ms: since } = await post<{ since_ms: number }>(`/pools/${id}/join`, { share_hash: this.#share.hash });
    if (!this.#listening) void this.#listen();
    this.joined = id;
    this.since = Math.min(began, since);
    this.offer = null;
  }

  async leave(): Promise<void> {
    const id = this.joined;
    this.joined = this.offer = null;
    if (!id || this.paired) return;
    try {
      await ask(`/pools/${id}/join`, { method: 'DELETE', keepalive: true });
    } catch (error) {
      // Whoever does not hear it finds out when nobody answers.
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** The stream is for whoever waits; without it one has left. */
  async #listen(): Promise<void> {
    this.#listening = true;
    while (!this.#closed) {
      try {
        const { body } = await ask('/pools/stream', { signal: this.#stop.signal });
        if (body) for await (const said of jsonLines<Said>(body)) this.#hear(said);
      } catch (error) {
        if (!(error instanceof Refused || error instanceof TypeError || this.#closed)) throw error;
      }
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  #hear(said: Said): void {
    if (said.type === 'pools') {
      this.pools = said.pools;
      this.here = said.here ?? this.here;
    } else if (said.type === 'offer') {
      this.offer = said.bot;
    } else if (said.type === 'paired') {
      keepShare(said.table, this.#share);
      paired(said.table, said.pool);
      this.paired = said.table;
    }
  }
}
