/** What a list of finished games is about. */

import type { FinishedGame } from './types';

/** The seat that the person had; the first one where the server does not say. */
export function seatOf(game: FinishedGame, person: string | null): number {
  if (game.you !== null) return game.you;
  return Math.max(0, game.seats.findIndex((seat) => seat.person !== null && seat.person === person));
}
