/** Gems in the one order used everywhere: white, blue, green, red, black, gold. */

import { COLOURS, LETTERS } from './generated/rules';

export { COLOURS, LETTERS };
export type Letter = (typeof LETTERS)[number];
export type Colour = (typeof COLOURS)[number];

/** Six counts, or five where gold cannot be. */
export type Counts = readonly number[];

export function countsOf(letters: string): number[] {
  return LETTERS.map((letter) => [...letters].filter((c) => c === letter).length);
}

export function lettersOf(counts: Counts): string {
  return LETTERS.map((letter, i) => letter.repeat(counts[i] ?? 0)).join('');
}

export function total(counts: Counts): number {
  return counts.reduce((sum, n) => sum + n, 0);
}

/** [letter, count] for every gem there is at least one of. */
export function present(counts: Counts): [Letter, number][] {
  return LETTERS.flatMap((letter, i) => {
    const n = counts[i] ?? 0;
    return n > 0 ? [[letter, n] as [Letter, number]] : [];
  });
}

export function plus(a: Counts, b: Counts): number[] {
  return LETTERS.map((_, i) => (a[i] ?? 0) + (b[i] ?? 0));
}

export function minus(a: Counts, b: Counts): number[] {
  return LETTERS.map((_, i) => (a[i] ?? 0) - (b[i] ?? 0));
}
