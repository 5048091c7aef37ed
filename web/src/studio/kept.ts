/** What was tried in a study, kept in this browser as the text of its record. */

import { readNewest, writeNewest, type Dated } from '../newest';

const STORED = 'cabochon.studies';
const MOST = 24;

interface Kept extends Dated {
  text: string;
  /** The kept study on the server, and the key that replaces it. */
  id?: string;
  key?: string;
}

type Studies = Record<string, Kept>;

const read = (): Studies => readNewest<Kept>(STORED);
const write = (studies: Studies): void => writeNewest(STORED, studies, MOST);

export const keptStudy = (name: string): Kept | null => read()[name] ?? null;

export function keepText(name: string, more: Partial<Kept>): void {
  const studies = read();
  const before = studies[name] ?? { text: '', at: 0 };
  write({ ...studies, [name]: { ...before, ...more, at: Date.now() } });
}

export function dropText(name: string): void {
  const { [name]: _, ...others } = read();
  write(others);
}
