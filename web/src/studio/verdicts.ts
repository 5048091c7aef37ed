/** What a review says of a decision, a turn and a player, in figures. Nothing is judged here. */

import type { Decision, Mark, Review, ReviewTurn, SeatSummary } from './types';

export interface Judged {
  turn: ReviewTurn;
  decision: Decision;
  /** The last decision of its turn carries the turn's luck. */
  closes: boolean;
}

/** The decisions in the order of the game: the first belongs to the first move, and so on. */
export function judgedOf(review: Review | null): Judged[] {
  return (review?.turns ?? []).flatMap((turn) =>
    turn.decisions.map((decision, i) => ({ turn, decision, closes: i === turn.decisions.length - 1 })),
  );
}

/** Everybody's chances after 0, 1, 2 … turns. */
export function columnsOf(review: Review | null): number[][] {
  return review ? [review.start, ...review.turns.map(({ chances }) => chances)] : [];
}

/** Whole per cents that sum to a hundred, whatever the rounding. */
export function perCents(chances: readonly number[]): number[] {
  const sum = chances.reduce((all, one) => all + one, 0) || 1;
  const exact = chances.map((one) => (100 * one) / sum);
  const floors = exact.map(Math.floor);
  const left = 100 - floors.reduce((all, one) => all + one, 0);
  const first = exact.map((one, seat) => ({ seat, part: one - Math.floor(one) })).sort((a, b) => b.part - a.part || a.seat - b.seat);
  for (const { seat } of first.slice(0, left)) floors[seat] = (floors[seat] ?? 0) + 1;
  return floors;
}

export const perCent = (part: number): number => Math.round(100 * part);

/** `+6`, `−4`, `0`: points of win chance. */
export function signed(part: number): string {
  const points = perCent(part);
  if (points === 0) return '0';
  return `${points > 0 ? '+' : '−'}${Math.abs(points)}`;
}

/** Three parts whose rounded figures still add up: the last is the sum of the other two. */
export function sumOf({ skill, luck }: Pick<ReviewTurn, 'skill' | 'luck'>): { skill: string; luck: string; chance: string } {
  const parts = [perCent(skill) / 100, perCent(luck) / 100] as const;
  return { skill: signed(parts[0]), luck: signed(parts[1]), chance: signed(parts[0] + parts[1]) };
}

const HALF_AT = 0.1;
const MARKS: readonly Mark[] = ['!', '?!', '?', '??'];

/** Everybody's summary: the review's own when it is done, else of the turns judged so far. */
export function summaries(review: Review | null): SeatSummary[] {
  if (review?.summary) return review.summary;
  return (review?.players ?? []).map((_, seat) => soFar(review!.turns.filter((turn) => turn.seat === seat), seat));
}

function soFar(turns: readonly ReviewTurn[], seat: number): SeatSummary {
  const chosen = turns.flatMap(({ decisions }) => decisions).filter(({ analysis }) => analysis !== null);
  const mean = (values: number[]): number => values.reduce((all, one) => all + one, 0) / values.length;
  const total = (part: (turn: ReviewTurn) => number): number => turns.reduce((all, turn) => all + part(turn), 0);
  return {
    seat,
    accuracy: chosen.length ? mean(chosen.map(({ loss }) => 100 * 0.5 ** (loss / HALF_AT))) : null,
    mean_loss: chosen.length ? mean(chosen.map(({ loss }) => loss)) : 0,
    skill: total(({ skill }) => skill),
    luck: total(({ luck }) => luck),
    marks: Object.fromEntries(MARKS.map((mark) => [mark, chosen.filter((one) => one.mark === mark).length])),
  };
}

/** How many of that seat's decisions are worth going through again. */
export function mistakesOf(review: Review | null, seat: number): number {
  return judgedOf(review).filter(({ turn, decision }) => turn.seat === seat && isMistake(decision.mark)).length;
}

export const isMistake = (mark: Mark | null): boolean => mark === '?' || mark === '??';

/** `12 400` */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
