/** Asking somebody for a game, and answering. */

import { ask, post } from '../api';
import type { InvitationTold } from '../generated/api';
import { keepShare, newShare } from '../shares';

export type Pace = 'two-5-3' | 'two-10-5' | 'two-day';
export const PACES: readonly Pace[] = ['two-5-3', 'two-10-5', 'two-day'];

const STORED = 'cabochon.invited';
type Share = ReturnType<typeof newShare>;

/** What one adds to the deals of games that are not accepted yet, by invitation. */
function shares(): Record<string, Share> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}') as Record<string, Share>;
  } catch {
    return {};
  }
}

function keep(found: Record<string, Share>): boolean {
  try {
    localStorage.setItem(STORED, JSON.stringify(found));
    return true;
  } catch {
    return false;
  }
}

/** Throws Refused. */
export async function invite(person: string, pool: Pace, rated: boolean): Promise<InvitationTold> {
  const share = newShare();
  // Where nothing can be kept, the share would be lost with the page, and the seat with it.
  const kept = keep(shares());
  const made = await post<InvitationTold>('/invitations', { person, pool, rated, ...(kept ? { share_hash: share.hash } : {}) });
  if (kept) keep({ ...shares(), [made.id]: share });
  return made;
}

/** Give the table that begins. Throws Refused. */
export async function accept(id: string): Promise<string> {
  const share = newShare();
  const { table } = await post<InvitationTold>(`/invitations/${id}/accept`, { share_hash: share.hash });
  if (!table) throw new TypeError('an accepted invitation has a table');
  keepShare(table, share);
  return table;
}

/** One of one's own was accepted: bring the share to the table. */
export async function sitDown({ id, table }: InvitationTold): Promise<void> {
  const { [id]: share, ...others } = shares();
  if (share && table) keepShare(table, share);
  keep(others);
  await end(id);
}

/** Decline it, or take one's own back. */
export async function end(id: string): Promise<void> {
  await ask(`/invitations/${id}`, { method: 'DELETE' });
}
