/** Which games, and their chances in figures. */

import type { LiveGame } from '../people/types';

/** Whole per cents that sum to a hundred. */
export function perCents(chances: readonly number[]): number[] {
  const whole = chances.map((chance) => Math.floor(chance * 100));
  const rest = chances.map((chance, i) => [chance * 100 - Math.floor(chance * 100), i] as const).sort(([a], [b]) => b - a);
  let missing = 100 - whole.reduce((sum, n) => sum + n, 0);
  for (const [, i] of rest) {
    if (missing <= 0) break;
    whole[i] = (whole[i] ?? 0) + 1;
    missing -= 1;
  }
  return whole;
}

export type Which = 'all' | 'two' | 'more' | 'bots';

export const isBots = ({ seats }: LiveGame): boolean => seats.every(({ bot }) => bot !== null);

export function wanted(game: LiveGame, which: Which): boolean {
  if (which === 'bots') return isBots(game);
  if (which === 'two') return game.seats.length === 2;
  return which === 'all' || game.seats.length > 2;
}
