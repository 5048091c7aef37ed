import { describe, expect, it } from 'vitest';

import { LADDER } from '../src/art/crystals';
import { couldBeBetter, countBetter, decisionsUntil, fairFoe, greatestSwing, nextFoe } from '../src/after/story';
import type { Decision, Mark, Review, ReviewTurn } from '../src/studio/types';

function decision(ply: number, loss: number, mark: Mark | null): Decision {
  return { ply, move: 'take wug', best: 'take wur', skill: -loss, loss, mark, why: [], why_played: [], analysis: null };
}

function turn(number: number, chances: number[], skill: number, luck: number, decisions: Decision[] = [decision(number, -skill, null)]): ReviewTurn {
  return { turn: number, seat: number % 2, before: 0, after: 0, skill, luck, mark: null, dealt: null, chances, decisions };
}

const of = (...turns: ReviewTurn[]): Review => ({ start: [0.5, 0.5], turns, players: ['a', 'b'] }) as unknown as Review;

describe('the turning point', () => {
  it('is the turn that moved your chance most, whoever made it', () => {
    const review = of(turn(0, [0.55, 0.45], 0, 0.05), turn(1, [0.82, 0.18], -0.27, 0), turn(2, [0.9, 0.1], 0, 0.08));
    expect(greatestSwing(review, 0)).toMatchObject({ turn: { turn: 1 }, cause: 'mistake' });
    expect(greatestSwing(review, 0)?.by).toBeCloseTo(0.27);
    expect(greatestSwing(review, 1)?.by).toBeCloseTo(-0.27);
  });

  it('says luck where the cards did it, and play where nobody erred', () => {
    expect(greatestSwing(of(turn(0, [0.8, 0.2], -0.01, 0.3)), 0)?.cause).toBe('luck');
    expect(greatestSwing(of(turn(0, [0.8, 0.2], 0, 0.01)), 0)?.cause).toBe('play');
  });

  it('is not invented where nothing swung', () => {
    expect(greatestSwing(of(turn(0, [0.54, 0.46], 0, 0.04)), 0)).toBeNull();
    expect(greatestSwing(of(), 0)).toBeNull();
  });
});

describe('moves that could be better', () => {
  const review = of(
    turn(0, [0.5, 0.5], 0, 0, [decision(0, 0.06, '?!')]),
    turn(1, [0.5, 0.5], 0, 0, [decision(1, 0.3, '??')]),
    turn(2, [0.5, 0.5], 0, 0, [decision(2, 0.21, '??'), decision(3, 0.01, null)]),
    turn(4, [0.5, 0.5], 0, 0, [decision(4, 0, '!'), decision(5, 0.12, '?')]),
  );

  it('are yours alone, the costliest, in the order of the game', () => {
    expect(couldBeBetter(review, 0, 2).map((one) => one.decision.ply)).toEqual([2, 5]);
    expect(couldBeBetter(review, 0, 9).map((one) => one.mark)).toEqual(['?!', '??', '?']);
    expect(countBetter(review, 1)).toBe(1);
  });

  it('are found in the analysis by the decisions before them', () => {
    expect(decisionsUntil(review, review.turns[0]!)).toBe(1);
    expect(decisionsUntil(review, review.turns[2]!)).toBe(4);
  });
});

describe('the next opponent', () => {
  it('is one step harder after a victory and one easier after a defeat', () => {
    expect(nextFoe('calcite', true)).toBe('fluorite');
    expect(nextFoe('calcite', false)).toBe('gypsum');
  });

  it('is nobody beyond the ends of the scale', () => {
    expect(nextFoe(LADDER.at(-1)!, true)).toBeNull();
    expect(nextFoe(LADDER[0], false)).toBeNull();
  });

  it('is the level that the games speak for, but never the one just played', () => {
    const ladder = (played: number) => ({ kind: 'two' as const, levels: [{ bot: 'talc', played, won: played }], fair: 'gypsum', why: null });
    expect(fairFoe(ladder(3), 'talc')).toBe('gypsum');
    expect(fairFoe(ladder(3), 'gypsum')).toBeNull();
    expect(fairFoe(ladder(0), 'talc')).toBeNull();
    expect(fairFoe(null, 'talc')).toBeNull();
  });
});
