/** What was tried in a study, kept in this browser as the text of its record. */

const STORED = 'cabochon.studies';
const MOST = 24;

interface Kept {
  text: string;
  /** The kept study on the server, and the key that replaces it. */
  id?: string;
  key?: string;
  at: number;
}

type Shelf = Record<string, Kept>;

function read(): Shelf {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}') as Shelf;
  } catch {
    return {};
  }
}

function write(shelf: Shelf): void {
  const newest = Object.entries(shelf)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MOST);
  try {
    localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Without storage a study lives as long as its page.
  }
}

export const keptStudy = (name: string): Kept | null => read()[name] ?? null;

export function keepText(name: string, more: Partial<Kept>): void {
  const shelf = read();
  const before = shelf[name] ?? { text: '', at: 0 };
  write({ ...shelf, [name]: { ...before, ...more, at: Date.now() } });
}

export function dropText(name: string): void {
  const { [name]: _, ...others } = read();
  write(others);
}
