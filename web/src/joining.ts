/** Sitting down under a name that nobody else at the table has. */

import { joinTable, Refused } from './api';
import type { Join, Joined } from './http';
import { tr } from './i18n';
import { beSomebody, ownName } from './people/me.svelte';
import { pledge } from './shares';

/** What the server proposes instead of a name that somebody at the table has. */
export function freeName(error: unknown): string | null {
  if (!(error instanceof Refused) || error.code !== 'name-taken') return null;
  return String(error.params.free);
}

/** Take a seat as `name`, or as whoever the settings say. Somebody without a name is a guest, and
 * does not mind being "Guest 2". */
export async function sitDown(table: string, name: string | null, by: Partial<Join> = {}): Promise<Joined> {
  await beSomebody();
  const own = name ?? ownName();
  const asked = { ...by, share_hash: pledge(table) };
  try {
    return await joinTable(table, { ...asked, name: own || tr().nameHint });
  } catch (error) {
    const free = freeName(error);
    if (own || !free) throw error;
    return joinTable(table, { ...asked, name: free });
  }
}
