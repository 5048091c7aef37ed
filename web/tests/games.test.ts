import { describe, expect, test } from 'vitest';
import { advice, finishedFrom, type Finished } from '../src/home/games';
import type { KeySeats } from '../src/http';

const LEVELS = ['talc', 'gypsum', 'calcite', 'fluorite'];

function game(bot: string, won: boolean, more: Partial<Finished> = {}): Finished {
  return {
    id: Math.random().toString(36),
    at: 1,
    variant: 'standard',
    players: [
      { name: 'Ada', bot: null },
      { name: null, bot },
    ],
    mine: [0],
    points: [15, 12],
    winners: [won ? 0 : 1],
    reason: 'target',
    ...more,
  };
}

describe('whom to play next', () => {
  test('nobody is suggested before the first game', () => {
    expect(advice([], LEVELS)).toBeNull();
  });
  test('three wins of four lead one up', () => {
    const games = [game('calcite', true), game('calcite', false), game('calcite', true), game('calcite', true)];
    expect(advice(games, LEVELS)).toEqual({ about: 'calcite', won: 3, of: 4, play: 'calcite', next: 'fluorite' });
  });
  test('three losses lead one down, and older games no longer count', () => {
    const lost = Array.from({ length: 3 }, () => game('calcite', false));
    const old = Array.from({ length: 9 }, () => game('calcite', true));
    expect(advice([...lost, ...old], LEVELS)?.next).toBe('gypsum');
  });
  test('there is nothing above the hardest and below the softest', () => {
    const wins = Array.from({ length: 4 }, () => game('fluorite', true));
    const losses = Array.from({ length: 4 }, () => game('talc', false));
    expect(advice(wins, LEVELS)?.next).toBeNull();
    expect(advice(losses, LEVELS)?.next).toBeNull();
  });
  test('games with friends on one device and with four players say nothing', () => {
    const shared = game('calcite', true, { mine: [0, 1] });
    const four = game('calcite', true, { players: Array(4).fill({ name: null, bot: 'calcite' }) });
    expect(advice([shared, four], LEVELS)).toBeNull();
  });
});

describe('what is remembered', () => {
  const answer = (over: object, table: object = {}): KeySeats =>
    ({
      seats: [1],
      table: { id: 't', variant: 'quick', tutorial: false, chairs: [{ name: 'Bo', bot: null }, { name: 'Ada', bot: null }], ...table },
      game: { points: [9, 10], round: 12, to_move: null, winners: [1], reason: 'target', decided_ms: 7, ...over },
    }) as unknown as KeySeats;

  test('a finished game with its result', () => {
    expect(finishedFrom(answer({}))).toMatchObject({ id: 't', at: 7, mine: [1], points: [9, 10], winners: [1] });
  });
  test('not one that is still played, was closed, or was a lesson', () => {
    expect(finishedFrom(answer({ winners: null, reason: null }))).toBeNull();
    expect(finishedFrom(answer({ reason: 'closed' }))).toBeNull();
    expect(finishedFrom(answer({}, { tutorial: true }))).toBeNull();
  });
});
