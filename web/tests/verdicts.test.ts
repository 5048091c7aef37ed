import { describe, expect, it } from 'vitest';
import { across, bandOrder, bands, bars, edgeAt, flags } from '../src/studio/graph';
import type { Decision, Review, ReviewTurn } from '../src/studio/types';
import { columnsOf, grouped, judgedOf, mistakesOf, perCents, signed, summaries, sumOf } from '../src/studio/verdicts';

const analysis = { chances: [], best: 'pass', moves: [], variation: [], visits: 1 };
const decision = (over: Partial<Decision> = {}): Decision => ({ ply: 0, move: 'pass', best: 'pass', skill: 0, loss: 0, mark: null, why: [], why_played: [], analysis, ...over });
const turn = (n: number, over: Partial<ReviewTurn> = {}): ReviewTurn => ({ turn: n, seat: n % 2, before: 0.5, after: 0.5, skill: 0, luck: 0, mark: null, dealt: null, chances: [0.5, 0.5], decisions: [decision()], ...over });
const review = (over: Partial<Review> = {}): Review => ({
  v: 1,
  type: 'review',
  record: 'f00d',
  ruleset: 'standard/2',
  players: ['Ada', 'Lin'],
  engine: { name: 'zero', network: 'n', visits: 400, seed: 1, knowledge: 'own' },
  start: [0.5, 0.5],
  turns: [turn(0), turn(1)],
  ...over,
});
const ys = (points: string): number[] => points.split(' ').map((point) => Number(point.split(',')[1]));

describe('the bands of the graph', () => {
  const columns = [
    [0.25, 0.25, 0.25, 0.25],
    [0.4, 0.3, 0.2, 0.1],
    [0.3334, 0.3333, 0.3333, 0],
  ];

  it.each([2, 3, 4])('of %i seats fill the whole height, each upon the one below', (seats) => {
    const chances = columns.map((column) => column.slice(0, seats));
    const drawn = bands(chances, bandOrder(seats, 1), 5, 500, 100);
    expect(drawn.map(({ seat }) => seat)).toEqual(bandOrder(seats, 1));
    expect(ys(drawn.at(-1)!.edge)).toEqual([0, 0, 0]);
    drawn.forEach((band, k) => {
      const lower = ys(band.area).slice(columns.length).reverse();
      expect(lower).toEqual(k ? ys(drawn[k - 1]!.edge) : [100, 100, 100]);
    });
  });

  it('grow from the left: what is not judged yet has no band', () => {
    const [mine] = bands(columns, [0, 1, 2, 3], 10, 500, 100);
    expect(mine?.edge.split(' ').map((point) => Number(point.split(',')[0]))).toEqual([0, 50, 100]);
    expect(edgeAt(columns, [0, 1, 2, 3], 1, 100)).toBe(60);
    expect(edgeAt(columns, [0, 1, 2, 3], 9, 100)).toBe(66.7);
    expect(across(3, 0, 500)).toBe(0);
  });

  it('put you at the bottom and the others as they sit', () => {
    expect(bandOrder(4, 2)).toEqual([2, 3, 0, 1]);
  });
});

describe('the marks on your line', () => {
  const columns = Array.from({ length: 41 }, () => [0.5, 0.5]);
  const drawn = (found: ReviewTurn[]): [number, string][] => flags(found, columns, [0, 1], 40, 400, 100).map(({ turn, mark }) => [turn, mark]);

  it('are yours, and where they would cover each other the worse one stands', () => {
    const found = [turn(0, { mark: '?!' }), turn(1, { mark: '??' }), turn(10, { mark: '?!' }), turn(12, { mark: '??' }), turn(20, { mark: '!' }), turn(40, { mark: '?' })];
    expect(drawn(found)).toEqual([[0, '?!'], [12, '??'], [40, '?']]);
  });

  it('stay inside the picture', () => {
    for (const { x, y } of flags([turn(0, { mark: '?' }), turn(40, { mark: '?' })], columns.map(() => [1, 0]), [0, 1], 40, 400, 100)) {
      expect(x).toBeGreaterThanOrEqual(12);
      expect(x).toBeLessThanOrEqual(388);
      expect(y).toBe(12);
    }
  });
});

describe('the bars below', () => {
  it('show skill down, luck both ways, only of that seat and only where there is something', () => {
    const found = [turn(0, { skill: -0.1, luck: 0.05 }), turn(1, { skill: -0.3 }), turn(2, { luck: -0.9, skill: 0.001 })];
    expect(bars(found, 0, 10, 100, 17)).toEqual([
      { x: 0, y: 17, height: 6.2, kind: 'skill' },
      { x: 6, y: 13.9, height: 3.1, kind: 'luck' },
      { x: 26, y: 17, height: 13, kind: 'luck' },
    ]);
  });
});

describe('figures', () => {
  it('of chances sum to a hundred', () => {
    expect(perCents([1 / 3, 1 / 3, 1 / 3])).toEqual([34, 33, 33]);
    expect(perCents([0.005, 0.005, 0.99])).toEqual([1, 0, 99]);
    for (let i = 0; i < 200; i++) {
      const made = Array.from({ length: 2 + (i % 3) }, () => Math.random());
      expect(perCents(made).reduce((a, b) => a + b)).toBe(100);
    }
  });

  it('of a turn add up as they are shown', () => {
    expect(sumOf({ skill: -0.054, luck: 0.024 })).toEqual({ skill: '−5', luck: '+2', chance: '−3' });
    expect(sumOf({ skill: -0.004, luck: 0.004 })).toEqual({ skill: '0', luck: '0', chance: '0' });
    for (let i = 0; i < 200; i++) {
      const { skill, luck, chance } = sumOf({ skill: -Math.random(), luck: Math.random() - 0.5 });
      const value = (text: string): number => Number(text.replace('−', '-'));
      expect(value(skill) + value(luck)).toBe(value(chance));
    }
    expect(signed(-0.001)).toBe('0');
  });

  it('of many visits are grouped', () => {
    expect([7, 940, 12400, 1234567].map(grouped)).toEqual(['7', '940', '12\u202f400', '1\u202f234\u202f567']);
  });
});

describe('a review', () => {
  it('gives every decision its turn, and the last one its luck', () => {
    const two = turn(0, { decisions: [decision({ ply: 0 }), decision({ ply: 1 })] });
    expect(judgedOf(review({ turns: [two, turn(1)] })).map(({ closes }) => closes)).toEqual([false, true, true]);
    expect(judgedOf(null)).toEqual([]);
    expect(columnsOf(review())).toHaveLength(3);
  });

  it('that is not done yet is summed up so far', () => {
    const lossy = turn(0, { luck: 0.06, decisions: [decision({ loss: 0.1, mark: '?' }), decision({ analysis: null })] });
    const [ada, lin] = summaries(review({ turns: [lossy] }));
    expect(ada).toMatchObject({ accuracy: 50, luck: 0.06, marks: { '?': 1, '??': 0 } });
    expect(lin?.accuracy).toBeNull();
    const done = [{ seat: 0, accuracy: 88, mean_loss: 0, skill: 0, luck: 0, marks: {} }];
    expect(summaries(review({ summary: done }))).toBe(done);
  });

  it('counts your mistakes, not the slips and not those of others', () => {
    const of = (seat: number, mark: Decision['mark']): ReviewTurn => turn(seat, { decisions: [decision({ mark })] });
    expect(mistakesOf(review({ turns: [of(0, '?'), of(1, '??'), of(2, '??'), of(4, '?!'), of(6, '!')] }), 0)).toBe(2);
  });
});
