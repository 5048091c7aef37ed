/** The 90 cards and 10 nobles, from the same files that the rules and the notation read. */

import cardRows from '../../src/cabochon/rules/data/cards.csv?raw';
import chineseNames from '../../src/cabochon/notation/names.py?raw';
import nobleRows from '../../src/cabochon/rules/data/nobles.csv?raw';
import { COLOURS, type Colour } from './gems';
import type { Words } from './protocol';

export type Level = 1 | 2 | 3;

export interface Card {
  code: string;
  level: Level;
  bonus: Colour;
  points: number;
  cost: number[];
}

export interface Noble {
  code: string;
  name: Words;
  points: number;
  cost: number[];
}

const BY_NAME: Record<string, Colour> = { white: 'w', blue: 'u', green: 'g', red: 'r', black: 'k' };
export const ROMAN: Record<Level, string> = { 1: 'I', 2: 'II', 3: 'III' };
export const LEVELS: readonly Level[] = [1, 2, 3];

function rows(csv: string): string[][] {
  return csv.trim().split('\n').slice(1).map((line) => line.trim().split(','));
}

function readCards(): Map<string, Card> {
  const cards = new Map<string, Card>();
  const seen: Record<string, number> = {};
  for (const [level, bonus, points, ...cost] of rows(cardRows)) {
    const kind = `${level}${BY_NAME[bonus ?? '']}`;
    const number = (seen[kind] = (seen[kind] ?? 0) + 1);
    const code = `${kind}${number}`;
    cards.set(code, {
      code,
      level: Number(level) as Level,
      bonus: BY_NAME[bonus ?? '']!,
      points: Number(points),
      cost: cost.map(Number),
    });
  }
  return cards;
}

function readNobles(): Map<string, Noble> {
  const nobles = new Map<string, Noble>();
  const inChinese = new Map([...chineseNames.matchAll(/"(\w+)": "(.+)"/g)].map(([, code, name]) => [code, name]));
  for (const [name, points, ...rest] of rows(nobleRows)) {
    const cost = rest.map(Number);
    const asked = COLOURS.filter((_, i) => cost[i]).join('');
    const code = `${asked}${Math.max(...cost)}`;
    nobles.set(code, { code, name: { en: name ?? '', zh: inChinese.get(code) ?? '' }, points: Number(points), cost });
  }
  return nobles;
}

const CARDS = readCards();
const NOBLES = readNobles();

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
