/** The coach of a first game: which move it would make, why, and which lesson that teaches.
 *
 *  It reads only what the server says (legal moves with their effects, prices, progress), so it has
 *  advice for whatever a learner does; nothing is forced. */

import { card, noble } from '../cards';
import { COLOURS, countsOf, total, type Colour } from '../gems';
import type { LegalMove } from '../protocol';
import type { Play } from '../state';
import { TARGETS } from '../generated/rules';

export const LESSONS = [
  'goal',
  'take',
  'plan',
  'buy',
  'bonus',
  'two',
  'reserve',
  'gold',
  'nobles',
  'limit',
  'end',
] as const;
export type Lesson = (typeof LESSONS)[number];
export const HINTS = ['take', 'two', 'points', 'cheap', 'reserve', 'return', 'noble', 'last', 'pass'] as const;
export type Hint = (typeof HINTS)[number];

export interface Cheaper {
  code: string;
  colour: Colour;
  before: number;
  after: number;
}

export interface Advice {
  /** What this situation can teach. */
  lesson: Lesson;
  /** What to say where the lesson was read before: a word about this very move. */
  hint: Hint | null;
  /** The move, as one text for the server; null when there is nothing to do but read on. */
  move: string | null;
  /** The card that is bought, reserved or collected for. */
  goal: string | null;
  cheaper: Cheaper[];
  /** The open noble that is nearest. */
  noble: { code: string; lack: number } | null;
}

function cardsInReach(play: Play): string[] {
  return Object.keys(play.facts?.cards ?? {});
}

/** Tokens still missing for the card if these were held. */
function lack(play: Play, code: string, tokens: readonly number[]): number {
  const due = play.facts?.cards[code]?.due ?? [];
  const short = COLOURS.reduce((sum, _, i) => sum + Math.max(0, (due[i] ?? 0) - (tokens[i] ?? 0)), 0);
  return Math.max(0, short - (tokens[5] ?? 0));
}

function cardsOwned(play: Play): number {
  return play.facts?.hands[play.you ?? 0]?.cards ?? 0;
}

/** How much a card is worth getting: points, and the discount it brings on what lies there, which
 *  matters less the more cards one has. */
function worth(play: Play, code: string): number {
  const discount = (cheaperBy(play, code).length * 0.5) / (1 + cardsOwned(play) / 4);
  return 1 + card(code).points * 1.6 + discount;
}

/** Which cards on the table the bonus of this one would make cheaper. */
export function cheaperBy(play: Play, code: string): Cheaper[] {
  const colour = card(code).bonus;
  const index = COLOURS.indexOf(colour);
  return cardsInReach(play)
    .filter((other) => other !== code && (play.facts?.cards[other]?.due[index] ?? 0) > 0)
    .map((other) => {
      const before = play.facts?.cards[other]?.due[index] ?? 0;
      return { code: other, colour, before, after: before - 1 };
    })
    .sort((a, b) => card(b.code).points - card(a.code).points);
}

function target(play: Play, tokens: readonly number[]): { code: string; merit: number } | null {
  const ranked = cardsInReach(play)
    .map((code) => ({ code, merit: worth(play, code) / (1 + lack(play, code, tokens)) }))
    .sort((a, b) => b.merit - a.merit);
  return ranked[0] ?? null;
}

function merit(play: Play, { move, after }: LegalMove, wishReserve: string | null, firstTake: boolean): number {
  const [verb, what = ''] = move.split(' ');
  if (verb === 'buy') {
    const paid = total(play.view?.hands[play.you ?? 0]?.tokens ?? []) - after.total;
    const engine = (8 * Math.min(6, cheaperBy(play, what).length)) / (1 + cardsOwned(play) / 3);
    return 70 + 12 * card(what).points + 40 * Math.sign(after.nobles.length) + engine - 2 * paid;
  }
  if (verb === 'take') {
    const unusual = firstTake && new Set(what).size < 3 ? 50 : 0;
    return 40 + 10 * (target(play, after.tokens)?.merit ?? 0) - 8 * after.excess - unusual;
  }
  if (verb === 'reserve') return what === wishReserve ? 99 + worth(play, what) : 0;
  if (verb === 'noble') return 10;
  if (verb === 'return') return 10 * (target(play, after.tokens)?.merit ?? 0) + (after.tokens[5] ?? 0);
  return 1;
}

/** A card worth keeping from the other player, who could buy it next. */
function threatened(play: Play): string | null {
  const own = play.view?.hands[play.you ?? 0];
  if (!own || own.reserved.length > 0 || own.bought.length < 2) return null;
  const market = new Set(play.view?.rows.flat() ?? []);
  const wanted = cardsInReach(play)
    .filter((code) => market.has(code) && card(code).points > 1 && lack(play, code, own.tokens) <= 4)
    .sort((a, b) => worth(play, b) - worth(play, a));
  return wanted[0] ?? null;
}

function nearestNoble(play: Play): { code: string; lack: number } | null {
  const open = (play.facts?.nobles ?? []).filter(({ owner }) => owner === null);
  const ranked = open
    .map(({ code, have }) => ({ code, lack: total(noble(code).cost) - total(have[play.you ?? 0] ?? []) }))
    .sort((a, b) => a.lack - b.lack);
  return ranked[0] ?? null;
}

/** What to do now, and what it teaches; `seen` are the lessons that were already read. */
export function advise(play: Play, seen: ReadonlySet<Lesson>): Advice | null {
  const view = play.view;
  const hand = view?.hands[play.you ?? -1];
  if (!view || !hand || !play.facts) return null;
  const nearest = nearestNoble(play);
  if (!seen.has('goal')) return { lesson: 'goal', hint: null, move: null, goal: null, cheaper: [], noble: nearest };
  if (!play.legal.length) return null;
  const wish = seen.has('reserve') ? null : threatened(play);
  const rated = play.legal.map((move) => ({ move, merit: merit(play, move, wish, !seen.has('take')) }));
  const best = rated.reduce((a, b) => (b.merit > a.merit ? b : a)).move;
  const [verb = '', what = ''] = best.move.split(' ');
  const goal = verb === 'take' || verb === 'return' ? (target(play, best.after.tokens)?.code ?? null) : what;
  const fits = lessonsIn(play, best, verb, seen);
  const lesson = fits.find((one) => !seen.has(one)) ?? fits.at(-1) ?? 'plan';
  const hint = seen.has(lesson) ? hintOf(play, best, verb) : null;
  // What a noble wants, or the last round, is enough for one lesson.
  const about = !hint && (lesson === 'nobles' || lesson === 'end');
  const cheaper = verb === 'buy' && !about ? cheaperBy(play, what).slice(0, 3) : [];
  return { lesson, hint, move: best.move, goal: verb === 'noble' ? null : goal, cheaper, noble: nearest };
}

/** The lessons that this very move shows, the rarest first. */
function lessonsIn(play: Play, best: LegalMove, verb: string, seen: ReadonlySet<Lesson>): Lesson[] {
  const goal = play.table?.target ?? TARGETS.standard;
  const code = best.move.split(' ')[1] ?? '';
  const fits: Lesson[] = [];
  if (play.view?.last_round || best.after.points >= goal) fits.push('end');
  if (best.after.excess || verb === 'return') fits.push('limit');
  if (verb === 'noble' || best.after.nobles.length || (verb === 'buy' && nobleWants(play, code))) fits.push('nobles');
  if (verb === 'reserve') fits.push('reserve');
  if (verb === 'buy' && best.after.gold_needed) fits.push('gold');
  if (verb === 'buy' && !seen.has('buy')) fits.push('buy');
  else if (verb === 'buy' && !card(code).points) fits.push('bonus');
  if (verb === 'take' && isDouble(best.move)) fits.push('two');
  if (verb === 'take') fits.push(seen.has('take') ? 'plan' : 'take');
  return fits;
}

/** Whether the card brings a noble nearer to whom not much is missing. */
function nobleWants(play: Play, code: string): boolean {
  const nearest = nearestNoble(play);
  if (!nearest || nearest.lack > 5) return false;
  const colour = COLOURS.indexOf(card(code).bonus);
  const have = play.facts?.nobles.find((one) => one.code === nearest.code)?.have[play.you ?? 0] ?? [];
  return (noble(nearest.code).cost[colour] ?? 0) > (have[colour] ?? 0);
}

function hintOf(play: Play, best: LegalMove, verb: string): Hint {
  if (play.view?.last_round) return 'last';
  if (verb === 'return' || verb === 'reserve' || verb === 'noble') return verb;
  if (verb === 'buy') return card(best.move.split(' ')[1] ?? '').points ? 'points' : 'cheap';
  if (verb === 'take') return isDouble(best.move) ? 'two' : 'take';
  return 'pass';
}

function isDouble(move: string): boolean {
  return countsOf(move.slice(5)).some((n) => n === 2);
}

/** What on the board belongs to the advice, for the light that falls on it. */
export function spotsOf(advice: Advice | null): string[] | undefined {
  if (!advice?.move) return undefined;
  const [verb, what = ''] = advice.move.split(' ');
  const spots = [...advice.cheaper.map(({ code }) => code)];
  if (verb === 'take') spots.push(...[...what].map((letter) => `bank-${letter}`));
  return [...(advice.goal ? [advice.goal] : []), ...spots];
}
