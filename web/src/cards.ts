/** The cards and nobles of the game, as the rules have them. */

import { CARDS as ALL_CARDS, LEVELS as ALL_LEVELS, NOBLES as ALL_NOBLES } from './generated/rules';
import type { Colour } from './gems';
import type { Words } from './protocol';

export type Level = (typeof ALL_LEVELS)[number];

export interface Card {
  code: string;
  level: Level;
  bonus: Colour;
  points: number;
  cost: readonly number[];
}

export interface Noble {
  code: string;
  name: Words;
  points: number;
  cost: readonly number[];
}

export const ROMAN: Record<Level, string> = { 1: 'I', 2: 'II', 3: 'III' };
export const LEVELS: readonly Level[] = ALL_LEVELS;

const CARDS = new Map<string, Card>(ALL_CARDS.map((card) => [card.code, card]));
const NOBLES = new Map<string, Noble>(ALL_NOBLES.map((noble) => [noble.code, noble]));

/** The card of that code; the server names no other. */
export function card(code: string): Card {
  const found = CARDS.get(code);
  if (!found) throw new Error(`no card ${code}`);
  return found;
}

export function noble(code: string): Noble {
  const found = NOBLES.get(code);
  if (!found) throw new Error(`no noble ${code}`);
  return found;
}

export function isCard(code: string): boolean {
  return CARDS.has(code);
}

export function isNoble(code: string): boolean {
  return NOBLES.has(code);
}
