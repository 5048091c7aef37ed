/** A staged turn survives a reload of the page: kept for this window and this very position. */

import type { Staged } from './staging';
import type { Play } from './state';

const STORED = 'cabochon.staged';

interface Kept {
  id: string;
  version: number;
  you: number | null;
  staged: Staged;
}

/** Call when the page goes away. */
export function keepStaged(store: Storage, id: string, play: Play): void {
  const { version, you, staged } = play;
  if (!staged.action && !staged.noble && !staged.give.some(Boolean)) {
    store.removeItem(STORED);
    return;
  }
  store.setItem(STORED, JSON.stringify({ id, version, you, staged } satisfies Kept));
}

/** Once, when the table is told for the first time; nothing where the table has moved on. */
export function recallStaged(store: Storage, id: string, play: Play): void {
  const text = store.getItem(STORED);
  store.removeItem(STORED);
  if (!text) return;
  try {
    const kept = JSON.parse(text) as Kept;
    const same = kept.id === id && kept.version === play.version && kept.you === play.you;
    if (same && play.legal.length) play.staged = kept.staged;
  } catch {
    // Somebody else wrote there: nothing is staged.
  }
}
