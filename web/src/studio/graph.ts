/** The geometry of the win-chance graph: bands that sum to the whole height, and bars below. */

import type { Mark, ReviewTurn } from './types';

export interface Band {
  seat: number;
  /** Points of the closed area, and of its upper edge. */
  area: string;
  edge: string;
}

/** Pixels for one point of win chance, as far as there is room. */
const PER_POINT = 0.62;
const MOST = 13;

const short = (n: number): number => Math.round(n * 10) / 10;

/** You at the bottom, then the others as they sit after you. */
export function bandOrder(seats: number, you: number): number[] {
  return Array.from({ length: seats }, (_, i) => (you + i) % seats);
}

/** Where after so many turns a chart of that width stands. */
export function across(turn: number, turns: number, width: number): number {
  return short(turns > 0 ? (turn / turns) * width : 0);
}

/** How high the lowest `count` bands reach together, in parts of one. */
function reach(chances: readonly number[], order: readonly number[], count: number): number {
  const sum = chances.reduce((all, one) => all + one, 0) || 1;
  return order.slice(0, count).reduce((all, seat) => all + (chances[seat] ?? 0), 0) / sum;
}

/** One band a seat, from the bottom; `columns` are everybody's chances after 0, 1, 2 … turns. */
export function bands(
  columns: readonly (readonly number[])[],
  order: readonly number[],
  turns: number,
  width: number,
  height: number,
): Band[] {
  const point = (i: number, count: number): string =>
    `${across(i, turns, width)},${short(height * (1 - reach(columns[i] ?? [], order, count)))}`;
  return order.map((seat, k) => {
    const upper = columns.map((_, i) => point(i, k + 1));
    const lower = columns.map((_, i) => point(i, k)).reverse();
    return { seat, area: [...upper, ...lower].join(' '), edge: upper.join(' ') };
  });
}

/** Where that seat's upper edge is after so many turns; the lowest band is the first of the order. */
export function edgeAt(columns: readonly (readonly number[])[], order: readonly number[], turn: number, height: number): number {
  return short(height * (1 - reach(columns[Math.min(turn, columns.length - 1)] ?? [], order, 1)));
}

export interface Flag {
  turn: number;
  mark: Mark;
  x: number;
  y: number;
}

const WORST: readonly Mark[] = ['??', '?', '?!'];
const APART = 25;
const EDGE = 12;

/** Marks on that seat's line. Where they would cover each other, the worse one stands. */
export function flags(
  found: readonly ReviewTurn[],
  columns: readonly (readonly number[])[],
  order: readonly number[],
  turns: number,
  width: number,
  height: number,
): Flag[] {
  const inside = (n: number, end: number): number => Math.min(end - EDGE, Math.max(EDGE, n));
  const shown: Flag[] = [];
  for (const worst of WORST) {
    for (const { turn, seat, mark } of found) {
      if (seat !== order[0] || mark !== worst) continue;
      const x = inside(across(turn, turns, width), width);
      if (shown.some((other) => Math.abs(other.x - x) < APART)) continue;
      shown.push({ turn, mark, x, y: inside(edgeAt(columns, order, turn, height), height) });
    }
  }
  return shown.sort((a, b) => a.turn - b.turn);
}

export interface Bar {
  x: number;
  y: number;
  height: number;
  kind: 'skill' | 'luck';
}

/** Skill (never above nothing) and luck of that seat's turns, drawn from a middle line. */
export function bars(found: readonly ReviewTurn[], seat: number, turns: number, width: number, middle: number): Bar[] {
  const tall = (part: number): number => short(Math.min(MOST, Math.abs(part) * 100 * PER_POINT));
  return found
    .filter((turn) => turn.seat === seat)
    .flatMap((turn) => {
      const x = across(turn.turn, turns, width);
      const { skill, luck } = turn;
      const drawn: Bar[] = [];
      if (Math.abs(skill) >= 0.005) drawn.push({ x, y: skill > 0 ? middle - tall(skill) : middle, height: tall(skill), kind: 'skill' });
      if (Math.abs(luck) >= 0.005) drawn.push({ x: x + 6, y: luck > 0 ? middle - tall(luck) : middle, height: tall(luck), kind: 'luck' });
      return drawn;
    });
}
