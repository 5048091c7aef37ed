import { describe, expect, it } from 'vitest';

import { chancesOf, compared, doubtOf, isKnown, judge, mistakesIn, spotsOf, type Mistake } from '../src/mistakes/drill';
import type { Analysis, Decision, Review, ReviewTurn, StudyStep, StudyTree } from '../src/studio/types';

const analysis: Analysis = {
  chances: [0.48, 0.52],
  best: 'buy 2u1 =go',
  moves: [
    { move: 'buy 2u1 =go', value: 0.48, visits: 2400, prior: 0.2 },
    { move: 'buy 2u1 =gg', value: 0.472, visits: 900, prior: 0.2 },
    { move: 'buy 1g2 =k', value: 0.43, visits: 400, prior: 0.2 },
    { move: 'take wur', value: 0.37, visits: 260, prior: 0.3 },
    { move: 'take wuk', value: 0.36, visits: 240, prior: 0.3 },
    { move: 'reserve 3r4', value: 0.44, visits: 8, prior: 0.1 },
    { move: 'reserve 3r1', value: null, visits: 0, prior: 0.01 },
  ],
  variation: [],
  visits: 4000,
};

const decision: Decision = {
  ply: 21,
  move: 'take wur',
  best: 'buy 2u1 =go',
  skill: -0.11,
  loss: 0.11,
  mark: '?',
  why: [],
  why_played: [],
  analysis,
};

const turn = { turn: 20, seat: 0, before: 0.48, after: 0.37, skill: -0.11, luck: 0, mark: '?', dealt: null, chances: [0.37, 0.63], decisions: [decision] } as ReviewTurn;
const step = { ply: 20, turn: 20, legal: [{ move: 'take wur' }], position: 'x' } as unknown as StudyStep;
const mistake: Mistake = { table: 'abcd', turn, decision, step, index: 20 };

describe('a try at a better move', () => {
  it('is right with the best move', () => {
    expect(judge(mistake, 'buy 2u1 =go', analysis)).toEqual({ grade: 'best', move: 'buy 2u1 =go', value: 0.48 });
  });

  it('is right with a move as good within the doubt of the search', () => {
    expect(judge(mistake, 'buy 2u1 =gg', analysis).grade).toBe('good');
  });

  it('is better than the game but not the answer in between', () => {
    expect(judge(mistake, 'buy 1g2 =k', analysis)).toEqual({ grade: 'better', move: 'buy 1g2 =k', value: 0.43 });
  });

  it('is not better when it keeps no more than the game did', () => {
    expect(judge(mistake, 'take wuk', analysis).grade).toBe('worse');
  });

  it('is never right with the move of the game, even one within the doubt', () => {
    const close = { ...mistake, decision: { ...decision, move: 'buy 2u1 =gg' } };
    expect(judge(close, 'buy 2u1 =gg', analysis).grade).toBe('same');
  });

  it('accepts nothing that gives away five points, however little was searched', () => {
    const few: Analysis = { ...analysis, moves: analysis.moves.map((line) => ({ ...line, visits: 6 })) };
    expect(doubtOf(few.moves[2]!)).toBeGreaterThan(0.05);
    expect(judge(mistake, 'buy 1g2 =k', few).grade).toBe('good');
    expect(judge(mistake, 'take wuk', few).grade).not.toBe('good');
  });

  it('says worse, not better, of a move that nobody looked at', () => {
    expect(judge(mistake, 'reserve 3r1', analysis)).toEqual({ grade: 'worse', move: 'reserve 3r1', value: null });
  });
});

describe('what the search knows', () => {
  it('knows moves that were looked at often enough, and no others', () => {
    expect(isKnown(analysis, 'buy 1g2 =k')).toBe(true);
    expect(isKnown(analysis, 'reserve 3r4')).toBe(false);
    expect(isKnown(analysis, 'reserve 3r1')).toBe(false);
    expect(isKnown(analysis, 'pass')).toBe(false);
  });

  it('doubts less the more it looked, and never nothing at all', () => {
    expect(doubtOf({ value: 0.5, visits: 100 })).toBeCloseTo(0.05);
    expect(doubtOf({ value: 0.5, visits: 10_000 })).toBeCloseTo(0.005);
    expect(doubtOf({ value: 1, visits: 4 })).toBeGreaterThan(0.1);
    expect(doubtOf({ value: null, visits: 0 })).toBe(1);
  });

  it('tells the chance with the best move and with the one played', () => {
    expect(chancesOf(mistake).best).toBe(0.48);
    expect(chancesOf(mistake).played).toBeCloseTo(0.37);
  });

  it('compares the best, the try and the game', () => {
    expect(compared(mistake, analysis, 'buy 1g2 =k').map(({ move, role }) => [move, role])).toEqual([
      ['buy 2u1 =go', 'best'],
      ['buy 1g2 =k', 'tried'],
      ['take wur', 'played'],
    ]);
    expect(compared(mistake, analysis, null)[1]).toMatchObject({ move: 'buy 2u1 =gg', role: 'good' });
  });

  it('points to places on the table', () => {
    expect(spotsOf('take wur')).toEqual(['bank-w', 'bank-u', 'bank-r']);
    expect(spotsOf('buy 2u1 =go')).toEqual(['2u1']);
    expect(spotsOf('reserve deck2')).toEqual(['deck2']);
  });
});

describe('the mistakes of a game', () => {
  const other = { ...turn, turn: 1, seat: 1, decisions: [{ ...decision, ply: 2 }] };
  const fine = { ...turn, turn: 0, decisions: [{ ...decision, ply: 1, mark: '?!' as const }] };
  const blunder = { ...turn, turn: 2, decisions: [{ ...decision, ply: 3, mark: '??' as const }] };
  const review = { turns: [fine, other, blunder], players: ['a', 'b'] } as unknown as Review;
  const lines = [1, 2, 3].map((ply) => ({ step: { ...step, ply }, comment: '', variations: [] }));
  const tree = { table: 'abcd', start: step, lines } as unknown as StudyTree;

  it('are the ? and ?? of your seats, with the position before each', () => {
    const found = mistakesIn(tree, review, [0]);
    expect(found.map((one) => [one.decision.ply, one.step.ply, one.table])).toEqual([[3, 2, 'abcd']]);
    expect(mistakesIn(tree, review, [0, 1])).toHaveLength(2);
    expect(mistakesIn(tree, review, [])).toEqual([]);
  });
});
