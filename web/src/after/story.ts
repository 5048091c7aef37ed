/** What is told after a game: where it turned, what could be better, whom to play next. */

import { isMineral, LADDER, type Mineral } from '../art/crystals';
import type { Ladder } from '../people/types';
import type { Decision, Mark, Review, ReviewTurn } from '../studio/types';
import { columnsOf } from '../studio/verdicts';

export interface Swing {
  turn: ReviewTurn;
  /** By how much the reader's chance moved, in parts of one. */
  by: number;
  /** What moved it: the cards, a mistake, or good play. */
  cause: 'luck' | 'mistake' | 'play';
}

/** A smaller change is no turning point. */
const LEAST_SWING = 0.08;

/** The turn that moved that seat's chance most. */
export function greatestSwing(review: Review, seat: number): Swing | null {
  const columns = columnsOf(review);
  const moved = review.turns.map((turn, i) => ({ turn, by: (columns[i + 1]?.[seat] ?? 0) - (columns[i]?.[seat] ?? 0) }));
  const greatest = moved.reduce<{ turn: ReviewTurn; by: number } | null>((most, one) => (most && Math.abs(most.by) >= Math.abs(one.by) ? most : one), null);
  if (!greatest || Math.abs(greatest.by) < LEAST_SWING) return null;
  return { ...greatest, cause: causeOf(greatest.turn) };
}

function causeOf({ skill, luck }: ReviewTurn): Swing['cause'] {
  if (-skill >= Math.abs(luck) && -skill >= 0.05) return 'mistake';
  return Math.abs(luck) >= 0.05 ? 'luck' : 'play';
}

export interface Better {
  turn: ReviewTurn;
  decision: Decision;
  mark: Mark;
}

const GRAVE: readonly Mark[] = ['?!', '?', '??'];

/** That seat's decisions which gave something away, the costliest `most` of them, as they were played. */
export function couldBeBetter(review: Review, seat: number, most: number): Better[] {
  const found = review.turns
    .filter((turn) => turn.seat === seat)
    .flatMap((turn) => turn.decisions.flatMap((decision) => (decision.mark && GRAVE.includes(decision.mark) ? [{ turn, decision, mark: decision.mark }] : [])));
  const costly = found.toSorted((a, b) => b.decision.loss - a.decision.loss).slice(0, most);
  return found.filter((one) => costly.includes(one));
}

/** How many there are in all. */
export const countBetter = (review: Review, seat: number): number => couldBeBetter(review, seat, Infinity).length;

/** How many decisions of the game come before the end of that turn: where its analysis is found. */
export function decisionsUntil(review: Review, turn: ReviewTurn): number {
  return review.turns.slice(0, review.turns.indexOf(turn) + 1).reduce((n, { decisions }) => n + decisions.length, 0);
}

/** One step up the scale for who won, one down for who lost; nobody beyond its ends. */
export function nextFoe(bot: Mineral, won: boolean): Mineral | null {
  return LADDER[LADDER.indexOf(bot) + (won ? 1 : -1)] ?? null;
}

/** The level that all games against the levels speak for, once there are some: another than the one
 *  just played, for which there is the rematch. */
export function fairFoe(ladder: Ladder | null, bot: Mineral): Mineral | null {
  const fair = ladder?.levels.some(({ played }) => played > 0) ? ladder.fair : null;
  return fair && fair !== bot && isMineral(fair) ? fair : null;
}
