import { describe, expect, it } from 'vitest';
import {
  chooseNoble, excess, isOpenEnded, moves, offered, otherPayment, outcome, pay, reset, stagePass, stageReserve, stageTyped, tapCard,
  tapGive, tapToken, tokensAfter, wanted,
} from '../src/staging';
import { effect, full, legal, sitting } from './positions';

describe('taking', () => {
  it('builds a take token by token', () => {
    const play = sitting();
    expect(wanted(play)).toBe('action');
    expect(tapToken(play, 'w')).toBeNull();
    expect(wanted(play)).toBe('more');
    tapToken(play, 'u');
    tapToken(play, 'g');
    expect(wanted(play)).toBe('confirm');
    expect(moves(play)).toEqual(['take wug']);
    expect(tokensAfter(play)).toEqual([1, 1, 1, 0, 0, 0]);
  });

  it('puts a colour back on a second tap', () => {
    const play = sitting();
    tapToken(play, 'w');
    tapToken(play, 'u');
    tapToken(play, 'w');
    expect(moves(play)).toEqual(['take u']);
  });

  it('doubles a lone colour where that is legal, and then drops it', () => {
    const play = sitting();
    tapToken(play, 'r');
    tapToken(play, 'r');
    expect(moves(play)).toEqual(['take rr']);
    tapToken(play, 'r');
    expect(play.staged.action).toBeNull();
  });

  it('asks the server why something cannot be', () => {
    const play = sitting();
    expect(tapToken(play, 'k')).toEqual(['take k']);
    tapToken(play, 'w');
    expect(tapToken(play, 'w')).toEqual(['take ww']);
    expect(moves(play)).toEqual(['take w']);
    expect(tapToken(play, 'o')).toEqual(['take wo']);
  });

  it('waits with a take that could still grow', () => {
    const play = sitting({ legal: [legal('take w'), legal('take wu')] });
    tapToken(play, 'w');
    expect(wanted(play)).toBe('confirm');
    expect(isOpenEnded(play)).toBe(true);
    tapToken(play, 'u');
    expect(isOpenEnded(play)).toBe(false);
  });
});

describe('cards', () => {
  it('buys what can be bought, with the least gold', () => {
    const play = sitting();
    tapCard(play, '1w1', false);
    expect(moves(play)).toEqual(['buy 1w1 =rrk']);
    tapCard(play, '1w1', false);
    expect(play.staged.action).toBeNull();
  });

  it('reserves what cannot', () => {
    const play = sitting();
    tapCard(play, '2u1', false);
    expect(moves(play)).toEqual(['reserve 2u1']);
  });

  it('asks why where neither is possible', () => {
    const play = sitting();
    expect(tapCard(play, '3k1', false)).toEqual(['buy 3k1']);
    expect(tapCard(play, '2u1', true)).toEqual(['buy 2u1']);
    expect(stageReserve(play, 'deck1')).toEqual(['reserve deck1']);
    expect(stagePass(play)).toEqual(['pass']);
  });

  it('replaces a staged take', () => {
    const play = sitting();
    tapToken(play, 'w');
    stageReserve(play, 'deck2');
    expect(moves(play)).toEqual(['reserve deck2']);
  });

  it('offers gold in place of a colour, one at a time', () => {
    const view = full().view!;
    const hands = [{ ...view.hands![0]!, tokens: [0, 0, 0, 2, 1, 1] }, view.hands![1]!];
    const play = sitting({ view: { ...view, hands } });
    tapCard(play, '1w1', false);
    expect(otherPayment(play, 'r', -1)).toBeNull();
    const more = otherPayment(play, 'r', 1);
    expect(more).toEqual([0, 0, 0, 1, 1, 1]);
    pay(play, more!);
    expect(moves(play)).toEqual(['buy 1w1 =rko']);
    expect(outcome(play)?.tokens).toEqual([0, 0, 0, 1, 0, 0]);
    expect(otherPayment(play, 'k', 1)).toBeNull();
    expect(otherPayment(play, 'r', -1)).toEqual([0, 0, 0, 2, 1, 0]);
  });

  it('writes a free purchase as one that pays nothing', () => {
    const facts = full().facts!;
    const cards = { '1w1': { due: [0, 0, 0, 0, 0], short: [0, 0, 0, 0, 0], missing: 0, pay: [0, 0, 0, 0, 0, 0] } };
    const play = sitting({ facts: { ...facts, cards }, legal: [legal('buy 1w1 =-')] });
    tapCard(play, '1w1', false);
    expect(moves(play)).toEqual(['buy 1w1 =-']);
  });
});

describe('the rest of a turn', () => {
  const crowded = () =>
    sitting({ legal: [legal('take wug', { tokens: [3, 3, 3, 3, 0, 0], total: 12, excess: 2 })] });

  it('gives back exactly the excess', () => {
    const play = crowded();
    for (const g of ['w', 'u', 'g'] as const) tapToken(play, g);
    expect([wanted(play), excess(play)]).toEqual(['return', 2]);
    tapGive(play, 'w');
    expect(wanted(play)).toBe('return');
    tapGive(play, 'r');
    expect(wanted(play)).toBe('confirm');
    expect(moves(play)).toEqual(['take wug', 'return wr']);
    tapGive(play, 'w');
    expect(moves(play)).toEqual(['take wug', 'return r']);
  });

  it('never gives back what is not held', () => {
    const play = crowded();
    for (const g of ['w', 'u', 'g'] as const) tapToken(play, g);
    tapGive(play, 'k');
    expect(play.staged.give).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('moves the single token to give back from colour to colour', () => {
    const play = sitting({ legal: [legal('take wug', { tokens: [4, 4, 3, 0, 0, 0], total: 11, excess: 1 })] });
    for (const g of ['w', 'u', 'g'] as const) tapToken(play, g);
    tapGive(play, 'w');
    tapGive(play, 'u');
    expect(moves(play)).toEqual(['take wug', 'return u']);
  });

  it('asks which noble when several would come', () => {
    const play = sitting({ legal: [legal('buy 1w1 =rrk', { nobles: ['rk4', 'gr4'] })] });
    tapCard(play, '1w1', false);
    expect([wanted(play), offered(play)]).toEqual(['noble', ['rk4', 'gr4']]);
    chooseNoble(play, 'wu4');
    expect(wanted(play)).toBe('noble');
    chooseNoble(play, 'gr4');
    expect(moves(play)).toEqual(['buy 1w1 =rrk', 'noble gr4']);
  });

  it('does not ask about a single noble', () => {
    const play = sitting({ legal: [legal('buy 1w1 =rrk', { nobles: ['rk4'] })] });
    tapCard(play, '1w1', false);
    expect(wanted(play)).toBe('confirm');
  });

  it('goes on where a turn was left: returning, choosing', () => {
    const view = full().view!;
    const hands = [{ ...view.hands![0]!, tokens: [4, 4, 3, 0, 0, 0] }, view.hands![1]!];
    const back = sitting({
      view: { ...view, phase: 'return', hands },
      facts: { ...full().facts!, expected: { seat: 0, phase: 'return', excess: 1, offered: [] } },
      legal: [legal('return w'), legal('return u'), legal('return g')],
    });
    expect(wanted(back)).toBe('return');
    tapGive(back, 'g');
    expect(moves(back)).toEqual(['return g']);
    const choice = sitting({
      view: { ...view, phase: 'noble' },
      facts: { ...full().facts!, expected: { seat: 0, phase: 'noble', excess: 0, offered: ['rk4', 'gr4'] } },
      legal: [legal('noble rk4'), legal('noble gr4')],
    });
    chooseNoble(choice, 'rk4');
    expect(moves(choice)).toEqual(['noble rk4']);
  });

  it('takes typed moves as the server has checked them, and resets', () => {
    const play = sitting();
    stageTyped(play, ['take wug', 'return w'], effect({ total: 10 }));
    expect([wanted(play), moves(play)]).toEqual(['confirm', ['take wug', 'return w']]);
    reset(play);
    expect(wanted(play)).toBe('action');
  });
});
