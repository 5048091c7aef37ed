/** The keys that play seats, kept in this browser: whoever has a key plays the seat. */

import { readNewest, writeNewest, type Dated } from './newest';

const STORED = 'cabochon.keys';
const MOST_TABLES = 60;
/** As many as the server reads at once. */
const MOST_KEYS = 8;

interface Held extends Dated {
  keys: string[];
  invites: { seat: number; url: string }[];
  watch: string | null;
}

type Ring = Record<string, Held>;

const read = (): Ring => readNewest<Held>(STORED);

/** Without storage a key lives as long as the page; its link still works. */
function write(ring: Ring): void {
  writeNewest(STORED, ring, MOST_TABLES);
  memory = ring;
}

let memory: Ring = {};

function held(table: string): Held {
  return read()[table] ?? memory[table] ?? { keys: [], invites: [], watch: null, at: Date.now() };
}

export function keysOf(table: string): string[] {
  return held(table).keys;
}

export function invitesOf(table: string): { seat: number; url: string }[] {
  return held(table).invites;
}

export function watchCodeOf(table: string): string | null {
  return held(table).watch;
}

export function keep(table: string, keys: string[], more: Partial<Held> = {}): void {
  const before = held(table);
  const all = [...new Set([...before.keys, ...keys])];
  write({ ...memory, ...read(), [table]: { ...before, ...more, keys: all, at: Date.now() } });
}

export function forget(table: string): void {
  const ring = { ...memory, ...read() };
  delete ring[table];
  write(ring);
}

/** Tables where this browser holds a seat, the newest first. */
export function tablesHeld(): string[] {
  return Object.entries({ ...memory, ...read() })
    .filter(([, { keys }]) => keys.length)
    .sort(([, a], [, b]) => b.at - a.at)
    .map(([table]) => table);
}

/** The address at which others may look on; null where they may not, or need a code that only
 *  whoever made the table has. */
export function watchLink({ id, watch }: { id: string; watch: 'anyone' | 'link' | 'nobody' }): string | null {
  const code = watchCodeOf(id);
  if (watch === 'nobody' || (watch === 'link' && !code)) return null;
  return `${location.origin}/t/${id}${code ? `?watch=${encodeURIComponent(code)}` : ''}`;
}

/** The address that plays these seats on another device. The part after # never reaches a server. */
export function personalLink(table: string): string {
  return `${location.origin}/t/${table}#k=${keysOf(table).join('.')}`;
}

/** The keys that the address carries and this browser does not hold. They are hidden again and not
 *  kept: anybody can write a link, so a person is asked first. */
export function keysInAddress(table: string): string[] {
  const found = /^#k=([\w.-]+)$/.exec(location.hash)?.[1];
  if (!found) return [];
  history.replaceState(history.state, '', location.pathname + location.search);
  const own = keysOf(table);
  return [...new Set(found.split('.'))].filter((key) => key && !own.includes(key)).slice(0, MOST_KEYS);
}
