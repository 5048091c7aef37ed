/** Where somebody stands whom the server knows: it keeps the rating, for all their devices. */

import { Refused } from '../api';
import { loadMe, me } from '../people/me.svelte';
import { bringMyPuzzles, getMyPuzzles, type MyPuzzles } from './api';
import { toBring, type Progress } from './progress';

/** Null for somebody whom the server does not know, or while it cannot be reached. `onbrought` is
 *  called when what was here has been handed on. */
export async function standing(progress: Progress, onbrought: (person: string) => void): Promise<MyPuzzles | null> {
  await loadMe();
  const person = me.person?.id;
  if (!person) return null;
  try {
    const brought = toBring(progress);
    if (!brought) return await getMyPuzzles();
    const found = await bringMyPuzzles(brought);
    onbrought(person);
    return found;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}
