/** Who looks at the page: a guest until the name is kept, nobody until the first table. */

import { ask, get, post, Refused } from '../api';
import { settings } from '../settings.svelte';
import type { Kind, Me, Rating } from './types';

interface Known {
  person: Me | null;
  /** Whether the server has said so. */
  sure: boolean;
  /** The sheet that lies over the page: a new name, or the way back to one. */
  sheet: 'new' | 'in' | null;
}

export const me: Known = $state({ person: null, sure: false, sheet: null });

let asked: Promise<void> | null = null;

/** Ask once who this is; again after something has changed. */
export function loadMe(again = false): Promise<void> {
  if (again) asked = null;
  asked ??= get<{ person: Me | null }>('/me').then(
    ({ person }) => know(person),
    () => know(null),
  );
  return asked;
}

export function know(person: Me | null): void {
  me.person = person;
  me.sure = true;
}

/** Be somebody, at least a guest: asked for right before the first table. Where the server keeps
 *  nobody, the game goes on with its keys alone. */
export async function beSomebody(): Promise<Me | null> {
  await loadMe();
  if (me.person) return me.person;
  const name = settings.name.trim();
  try {
    know(await post<Me>('/me', name ? { name } : {}));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return me.person;
}

/** What one is called at a table: a kept name always, else what was written in the settings. */
export function ownName(): string {
  const wished = settings.name.trim();
  if (me.person?.kept) return me.person.name;
  return wished || me.person?.name || '';
}

/** Change what is asked for. Throws Refused. */
export async function changeMe(change: { name?: string; hidden?: boolean }): Promise<void> {
  const answer = await ask('/me', { method: 'PATCH', body: JSON.stringify(change) });
  know((await answer.json()) as Me);
}

/** The rating that stands beside the name: of the kind that was played most. */
export function chief(person: Me): number | null {
  const all = Object.entries(person.ratings ?? {}) as [Kind, Rating][];
  const best = all.filter(([kind]) => kind !== 'puzzles').sort(([, a], [, b]) => b.games - a.games)[0];
  return best ? Math.round(best[1].value) : null;
}
