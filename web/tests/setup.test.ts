import { describe, expect, it } from 'vitest';

import {
  addBonus,
  addTokens,
  at,
  bonusesOf,
  clear,
  decksOf,
  dropBonus,
  freeNobles,
  ownerOf,
  pointsOf,
  put,
  roundOf,
  seatToAct,
  setupOf,
  takeBack,
  usedCards,
  withSeats,
  withTurn,
  type Setup,
} from '../src/editor/setup';
import { total } from '../src/gems';
import { TOKENS_OF_COLOUR } from '../src/generated/rules';

function twoPlayers(): Setup {
  return setupOf({
    v: 1,
    ruleset: 'standard/2',
    turn: 5,
    seat: 1,
    phase: 'act',
    last_round: false,
    passes: 0,
    bank: [3, 4, 4, 4, 4, 5],
    rows: [
      ['1w1', '1u1', '1g1', '1r1'],
      ['2w1', '2u1', '2g1', '2r1'],
      ['3w1', '3u1', '3g1', '3r1'],
    ],
    decks: [35, 26, 16],
    nobles: ['wk4', 'wug3', 'ugr3'],
    hands: [
      { tokens: [1, 0, 0, 0, 0, 0], bought: ['1k1'], reserved: [], nobles: ['wk4'] },
      { tokens: [0, 0, 0, 0, 0, 0], bought: [], reserved: [{ card: '2k6', blind: true }], nobles: [] },
    ],
    pending: null,
  });
}

describe('a position under construction', () => {
  it('keeps only what is not derived', () => {
    expect(Object.keys(twoPlayers())).not.toContain('decks');
    expect(Object.keys(twoPlayers())).not.toContain('seat');
  });

  it('counts what is left in the decks', () => {
    expect(decksOf(twoPlayers())).toEqual([40 - 5, 30 - 5, 20 - 4]);
  });

  it('never changes the set-up that it is given', () => {
    const before = twoPlayers();
    put(before, { kind: 'row', level: 2, place: 1 }, '2u5');
    addTokens(before, 'bank', 'w', 1);
    withSeats(before, 4);
    expect(before).toEqual(twoPlayers());
  });

  it('puts a card on a place and takes it away', () => {
    const spot = { kind: 'row', level: 2, place: 1 } as const;
    const full = put(twoPlayers(), spot, '2u5');
    expect(at(full, spot)).toBe('2u5');
    expect(usedCards(full).has('2u1')).toBe(false);
    expect(at(clear(full, spot), spot)).toBeNull();
  });

  it('keeps a card unseen when another one takes its place in the hand', () => {
    const spot = { kind: 'reserved', seat: 1, index: 0 } as const;
    expect(put(twoPlayers(), spot, '2k1').hands[1]?.reserved).toEqual([{ card: '2k1', blind: true }]);
    expect(clear(twoPlayers(), spot).hands[1]?.reserved).toEqual([]);
  });

  it('adds and drops bonuses by the plainest card that is free', () => {
    const more = addBonus(twoPlayers(), 0, 'k');
    expect(bonusesOf(more, 0)).toEqual([0, 0, 0, 0, 2]);
    expect(pointsOf(more, 0)).toBe(3);
    const grand = put(more, { kind: 'bought', seat: 0 }, '3k4');
    expect(dropBonus(grand, 0, 'k').hands[0]?.bought).toContain('3k4');
  });

  it('leaves a colour alone when all its cards are used', () => {
    let setup = twoPlayers();
    for (let i = 0; i < 30; i++) setup = addBonus(setup, 0, 'r');
    expect(bonusesOf(setup, 0)[3]).toBe(18 - 3);
    expect(addBonus(setup, 1, 'r')).toBe(setup);
  });

  it('never holds fewer tokens than none', () => {
    expect(addTokens(twoPlayers(), 1, 'g', -1).hands[1]?.tokens[2]).toBe(0);
  });

  it('sends a visitor home with the place or by itself', () => {
    expect(ownerOf(twoPlayers(), 'wk4')).toBe(0);
    const gone = clear(twoPlayers(), { kind: 'noble', index: 0 });
    expect(ownerOf(gone, 'wk4')).toBeNull();
    expect(freeNobles(gone)).toContain('wk4');
    expect(takeBack(twoPlayers(), 0, 'wk4').nobles).toContain('wk4');
  });

  it('tells turn, round and seat apart', () => {
    const setup = withTurn(twoPlayers(), 9, 0);
    expect([roundOf(setup), seatToAct(setup), setup.turn]).toEqual([9, 0, 16]);
  });

  it.each([3, 4] as const)('seats %i players and back again with the right tokens and nobles', (seats) => {
    const more = withSeats(twoPlayers(), seats);
    expect(more.ruleset).toBe(`standard/${seats}`);
    expect(more.nobles).toHaveLength(seats + 1);
    const white = (more.bank[0] ?? 0) + total(more.hands.map(({ tokens }) => tokens[0] ?? 0));
    expect(white).toBe(TOKENS_OF_COLOUR[seats]);
    const back = withSeats(more, 2);
    expect(back.bank).toEqual(twoPlayers().bank);
    expect(back.nobles).toHaveLength(3);
    expect(back.nobles).toContain('wk4');
  });
});
