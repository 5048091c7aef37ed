/** Cards found by typed words: "2 points, red, costs K5", "2 分 红 黑5", "2u". Every word must fit. */

import type { Card, Level } from '../cards';
import { COLOURS, type Colour } from '../gems';

const NAMES: Record<Colour, string[]> = {
  w: ['white', 'diamond', '白', '白色', '钻石'],
  u: ['blue', 'sapphire', '蓝', '蓝色', '蓝宝石'],
  g: ['green', 'emerald', '绿', '绿色', '祖母绿'],
  r: ['red', 'ruby', '红', '红色', '红宝石'],
  k: ['black', 'onyx', '黑', '黑色', '玛瑙'],
};
const LEVEL_WORDS: Record<string, Level> = { i: 1, ii: 2, iii: 3, 一级: 1, 二级: 2, 三级: 3 };
const FILLERS = new Set(['points', 'point', 'pts', 'pt', 'costs', 'cost', 'for', 'level', 'card', 'bonus', '分', '花', '价', '级', 'and']);

type Test = (card: Card) => boolean;

function colourOf(word: string): Colour | null {
  return COLOURS.find((colour) => NAMES[colour].includes(word)) ?? null;
}

const asks = (colour: Colour, n: number): Test => (card) => card.cost[COLOURS.indexOf(colour)] === n;

/** A price such as `k5`, `5k`, `黑5` or `5black`. */
function priceTest(word: string): Test | null {
  const [, before, digits] = /^(\D+?)([1-7])$/.exec(word) ?? [];
  const [, first, after] = /^([1-7])(\D+)$/.exec(word) ?? [];
  const name = before ?? after ?? '';
  const colour = COLOURS.find((one) => one === name) ?? colourOf(name);
  return colour ? asks(colour, Number(digits ?? first)) : null;
}

const COSTS = /^(cost|costs|for|花|价)$/;

/** A number means points, unless "level" or "costs" stands before it. */
function wordTest(words: readonly string[], i: number): Test | null {
  const [word = '', before = '', after = ''] = [words[i], words[i - 1], words[i + 1]];
  if (FILLERS.has(word)) return null;
  if (/^[1-3][wugrk][1-8]?$/.test(word) && !COSTS.test(before)) return (card) => card.code.startsWith(word);
  const level = LEVEL_WORDS[word] ?? (before === 'level' ? Number(word) : undefined);
  if (level !== undefined) return (card) => card.level === level;
  const points = /^(\d)(?:p|pt|pts|分)?$/.exec(word)?.[1];
  const paid = colourOf(after);
  if (points && COSTS.test(before) && paid) return asks(paid, Number(points));
  if (points) return (card) => card.points === Number(points);
  const colour = colourOf(word);
  if (colour) return COSTS.test(words[i - 2] ?? '') ? null : (card) => card.bonus === colour;
  return priceTest(word) ?? (() => false);
}

/** Whether the card fits all the words. */
export function findsCard(text: string): Test {
  const words = text.toLowerCase().split(/[\s,，、;；]+/).filter(Boolean);
  const tests = words.flatMap((_, i) => wordTest(words, i) ?? []);
  return (card) => tests.every((test) => test(card));
}
