/** What this browser adds to the deal: a random share, its hash first. With everybody's share in the
 *  seed not even the host can choose the cards. */

import type { TableInfo } from './protocol';
import { sha256 } from './sha256';

const STORED = 'cabochon.shares';
const MOST_TABLES = 60;
const MOST_MADE = 8;

interface Share {
  share: string;
  hash: string;
}

/** What was known when a share of ours was revealed: everything else was fixed by then. */
interface Sealed {
  own: string;
  commitment: string;
  hashes: (string | null)[];
}

interface Kept {
  made: Share[];
  sealed: Sealed | null;
  at: number;
}

export interface Answer {
  action: 'pledge' | 'reveal';
  value: string;
  seat: number;
}

let memory: Record<string, Kept> = {};

function read(): Record<string, Kept> {
  try {
    return { ...memory, ...(JSON.parse(localStorage.getItem(STORED) ?? '{}') as Record<string, Kept>) };
  } catch {
    return memory;
  }
}

function write(table: string, change: (kept: Kept) => Kept): void {
  const all = read();
  const before = all[table] ?? { made: [], sealed: null, at: 0 };
  const newest = Object.entries({ ...all, [table]: { ...change(before), at: Date.now() } })
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST_TABLES);
  memory = Object.fromEntries(newest);
  try {
    localStorage.setItem(STORED, JSON.stringify(memory));
  } catch {
    // Without storage a share lives as long as the page.
  }
}

export const hashOf = (share: string): string => sha256(`cabochon share 1\n${share}`);

export function newShare(): Share {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const share = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { share, hash: hashOf(share) };
}

/** Keep a share for the table it was made for. */
export function keepShare(table: string, share: Share): void {
  write(table, (kept) => ({ ...kept, made: [...kept.made.slice(1 - MOST_MADE), share] }));
}

/** A new share for a table, kept; its hash may be told. */
export function pledge(table: string): string {
  const share = newShare();
  keepShare(table, share);
  return share.hash;
}

/** The share with that hash, also one that was made at the table before (a rematch). */
function find(hash: string | null | undefined): Share | undefined {
  return Object.values(read())
    .flatMap(({ made }) => made)
    .find((share) => share.hash === hash);
}

/** What to say to what the table asks the seats held here. */
export function answers(table: TableInfo, held: number[]): Answer[] {
  const asked = table.shares;
  if (!asked) return [];
  const out: Answer[] = [];
  for (const seat of held) {
    const own = find(asked.hashes[seat]);
    if (asked.pledge.includes(seat)) out.push({ action: 'pledge', value: pledge(table.id), seat });
    else if (asked.reveal.includes(seat) && own) {
      seal(table, own.hash);
      out.push({ action: 'reveal', value: own.share, seat });
    }
  }
  return out;
}

/** Note what is fixed, before our own share is told. */
function seal(table: TableInfo, own: string): void {
  const sealed = { own, commitment: table.commitment, hashes: [...(table.shares?.hashes ?? [])] };
  // The first sight counts: once our share is told, another list of hashes would prove nothing.
  write(table.id, (kept) => (kept.sealed?.own === own ? kept : { ...kept, sealed }));
}

/** Whether a finished game was dealt with this browser's share and nothing was changed after it was
 *  told; null where it gave none. */
export function isInDeal(table: TableInfo): boolean | null {
  const sealed = read()[table.id]?.sealed;
  if (!sealed) return null;
  const hashes = table.shares?.hashes ?? [];
  const shares = table.shares?.shares;
  const same = hashes.length === sealed.hashes.length && hashes.every((hash, i) => hash === sealed.hashes[i]);
  const told = hashes.every((hash, i) => hash === null || hashOf(shares?.[i] ?? '') === hash);
  return same && told && hashes.includes(sealed.own) && table.commitment === sealed.commitment;
}
