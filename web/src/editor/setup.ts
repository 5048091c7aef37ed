/** A position under construction: what stands where. It may be impossible; the server says what is
 *  wrong with it and how to repair it. Every function gives a new set-up. */

import { card, LEVELS, noble, type Level } from '../cards';
import { COLOURS, LETTERS, total, type Colour, type Letter } from '../gems';
import { CARDS, NOBLES, TOKENS_OF_COLOUR } from '../generated/rules';

/** A reserved card; `level` alone where nobody knows which one it is. */
export interface SetupReserve {
  card?: string;
  blind?: boolean;
  level?: number;
}

export interface SetupHand {
  tokens: number[];
  bought: string[];
  reserved: SetupReserve[];
  nobles: string[];
}

export interface Setup {
  ruleset: string;
  turn: number;
  phase: string;
  last_round: boolean;
  passes: number;
  bank: number[];
  rows: (string | null)[][];
  /** All nobles of the game, those that visited somebody included. */
  nobles: string[];
  hands: SetupHand[];
  pending: { level: number; place: number | null } | null;
}

/** Where the next card or noble goes. */
export type Spot =
  | { kind: 'row'; level: Level; place: number }
  | { kind: 'reserved'; seat: number; index: number }
  | { kind: 'bought'; seat: number }
  | { kind: 'noble'; index: number }
  | { kind: 'won'; seat: number };

/** Whose tokens. */
export type Owner = 'bank' | number;

const FIELDS = ['ruleset', 'turn', 'phase', 'last_round', 'passes', 'bank', 'rows', 'nobles', 'hands', 'pending'] as const;

/** What the server writes about a position, without what follows from the rest. */
export function setupOf(json: Record<string, unknown>): Setup {
  return Object.fromEntries(FIELDS.map((field) => [field, structuredClone(json[field])])) as unknown as Setup;
}

export const seatsOf = ({ hands }: Setup): number => hands.length;
export const seatToAct = (setup: Setup): number => setup.turn % seatsOf(setup);
export const roundOf = (setup: Setup): number => Math.floor(setup.turn / seatsOf(setup)) + 1;

/** The cards that lie somewhere. */
export function usedCards(setup: Setup): Set<string> {
  const held = setup.hands.flatMap(({ bought, reserved }) => [...bought, ...reserved.map((one) => one.card)]);
  return new Set([...setup.rows.flat(), ...held].filter((code) => typeof code === 'string'));
}

/** How many cards each deck has left. */
export function decksOf(setup: Setup): number[] {
  const hidden = setup.hands.flatMap(({ reserved }) => reserved.filter((one) => !one.card));
  return LEVELS.map((level) => {
    const all = CARDS.filter((one) => one.level === level).length;
    const out = [...usedCards(setup)].filter((code) => card(code).level === level).length;
    return all - out - hidden.filter((one) => one.level === level).length;
  });
}

export function pointsOf(setup: Setup, seat: number): number {
  const hand = setup.hands[seat];
  const cards = hand?.bought.map((code) => card(code).points) ?? [];
  return total([...cards, ...(hand?.nobles.map((code) => noble(code).points) ?? [])]);
}

export function bonusesOf(setup: Setup, seat: number): number[] {
  return COLOURS.map((colour) => setup.hands[seat]?.bought.filter((code) => card(code).bonus === colour).length ?? 0);
}

/** Whom the noble visited. */
export function ownerOf(setup: Setup, code: string): number | null {
  const seat = setup.hands.findIndex(({ nobles }) => nobles.includes(code));
  return seat < 0 ? null : seat;
}

/** What lies there now. */
export function at(setup: Setup, spot: Spot): string | null {
  switch (spot.kind) {
    case 'row':
      return setup.rows[spot.level - 1]?.[spot.place] ?? null;
    case 'reserved':
      return setup.hands[spot.seat]?.reserved[spot.index]?.card ?? null;
    case 'noble':
      return setup.nobles[spot.index] ?? null;
    case 'bought':
    case 'won':
      return null;
  }
}

function edited(setup: Setup, change: (copy: Setup) => void): Setup {
  const copy = structuredClone(setup);
  change(copy);
  return copy;
}

/** A card or a noble on its place; what lay there goes back. */
export function put(setup: Setup, spot: Spot, code: string): Setup {
  return edited(setup, (copy) => {
    if (spot.kind === 'row') copy.rows[spot.level - 1]![spot.place] = code;
    else if (spot.kind === 'bought') copy.hands[spot.seat]?.bought.push(code);
    else if (spot.kind === 'won') copy.hands[spot.seat]?.nobles.push(code);
    else if (spot.kind === 'noble') {
      takeFromOwner(copy, copy.nobles[spot.index]);
      copy.nobles[spot.index] = code;
    } else {
      const reserved = copy.hands[spot.seat]?.reserved;
      if (reserved) reserved[spot.index] = { card: code, blind: reserved[spot.index]?.blind ?? false };
    }
  });
}

/** The place empty again. */
export function clear(setup: Setup, spot: Spot): Setup {
  return edited(setup, (copy) => {
    if (spot.kind === 'row') copy.rows[spot.level - 1]![spot.place] = null;
    else if (spot.kind === 'reserved') copy.hands[spot.seat]?.reserved.splice(spot.index, 1);
    else if (spot.kind === 'noble') {
      takeFromOwner(copy, copy.nobles[spot.index]);
      copy.nobles.splice(spot.index, 1);
    }
  });
}

function takeFromOwner(copy: Setup, code: string | undefined): void {
  for (const hand of copy.hands) hand.nobles = hand.nobles.filter((one) => one !== code);
}

/** A bought card or a noble's visit that did not happen. */
export function takeBack(setup: Setup, seat: number, code: string): Setup {
  return edited(setup, (copy) => {
    const hand = copy.hands[seat];
    if (!hand) return;
    hand.bought = hand.bought.filter((one) => one !== code);
    hand.nobles = hand.nobles.filter((one) => one !== code);
  });
}

/** Whether only its owner has seen the reserved card. */
export function setBlind(setup: Setup, seat: number, index: number, blind: boolean): Setup {
  return edited(setup, (copy) => {
    const reserve = copy.hands[seat]?.reserved[index];
    if (reserve) reserve.blind = blind;
  });
}

export function addTokens(setup: Setup, owner: Owner, letter: Letter, by: number): Setup {
  return edited(setup, (copy) => {
    const tokens = owner === 'bank' ? copy.bank : copy.hands[owner]?.tokens;
    const i = LETTERS.indexOf(letter);
    if (tokens) tokens[i] = Math.max(0, (tokens[i] ?? 0) + by);
  });
}

/** The cards of that colour from the plainest to the grandest. */
function plainestFirst(colour: Colour): string[] {
  const cards = CARDS.filter(({ bonus }) => bonus === colour);
  return cards.toSorted((a, b) => a.points - b.points || a.level - b.level).map(({ code }) => code);
}

/** One bonus more: the plainest card that is free is bought. Nothing changes where none is left. */
export function addBonus(setup: Setup, seat: number, colour: Colour): Setup {
  const used = usedCards(setup);
  const code = plainestFirst(colour).find((one) => !used.has(one));
  return code ? put(setup, { kind: 'bought', seat }, code) : setup;
}

/** One bonus less: the plainest card of the colour goes back. */
export function dropBonus(setup: Setup, seat: number, colour: Colour): Setup {
  const code = plainestFirst(colour).find((one) => setup.hands[seat]?.bought.includes(one));
  return code ? takeBack(setup, seat, code) : setup;
}

/** Whose turn it is, and of which round. */
export function withTurn(setup: Setup, round: number, seat: number): Setup {
  return { ...setup, turn: Math.max(0, round - 1) * seatsOf(setup) + seat };
}

/** The same table with more or fewer players: new ones bring their tokens and one noble each, those
 *  who leave give everything back. */
export function withSeats(setup: Setup, seats: number): Setup {
  const before = seatsOf(setup);
  if (seats === before) return setup;
  return edited(setup, (copy) => {
    copy.ruleset = copy.ruleset.replace(/\/\d/, `/${seats}`);
    const gone = copy.hands.slice(seats);
    const more = tokensOfColour(seats) - tokensOfColour(before);
    copy.bank = copy.bank.map((n, i) => Math.max(0, n + total(gone.map(({ tokens }) => tokens[i] ?? 0)) + (i < 5 ? more : 0)));
    copy.hands = Array.from({ length: seats }, (_, i) => copy.hands[i] ?? emptyHand());
    copy.turn = Math.floor(setup.turn / before) * seats + Math.min(seatToAct(setup), seats - 1);
    copy.nobles = fewerOrMoreNobles(copy, seats - before);
  });
}

const emptyHand = (): SetupHand => ({ tokens: [0, 0, 0, 0, 0, 0], bought: [], reserved: [], nobles: [] });
const tokensOfColour = (seats: number): number => TOKENS_OF_COLOUR[String(seats) as keyof typeof TOKENS_OF_COLOUR];

function fewerOrMoreNobles(setup: Setup, more: number): string[] {
  if (more > 0) return [...setup.nobles, ...freeNobles(setup).slice(0, more)];
  const unclaimed = setup.nobles.filter((code) => ownerOf(setup, code) === null);
  const leaving = unclaimed.slice(more);
  return setup.nobles.filter((code) => !leaving.includes(code));
}

/** The nobles that stay at home. */
export function freeNobles(setup: Setup): string[] {
  return NOBLES.map(({ code }) => code).filter((code) => !setup.nobles.includes(code));
}
