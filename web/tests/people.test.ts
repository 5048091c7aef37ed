import { describe, expect, test } from 'vitest';
import { mergeGames, type Finished } from '../src/home/games';
import { deviceName } from '../src/people/device';
import { seatOf } from '../src/people/games';
import { above, ladderRows, outOf, scale } from '../src/people/ladder';
import type { FinishedGame, Leaderboard, LiveGame, Rating } from '../src/people/types';
import { isTabbed, isUnder, PLACES } from '../src/places';
import { perCents, wanted } from '../src/watch/figures';

const rating = (value: number, deviation = 40): Rating => ({ value, deviation, games: 30, provisional: false });
const person = (rank: number, name: string, value: number) => ({ rank, id: name, name, rating: rating(value), games: 30, recent: [] });

const BOARD: Leaderboard = {
  people: [person(1, 'Yue', 1842), person(2, 'Ada', 1544), person(3, 'Lapis', 1519)],
  bots: [
    { bot: 'diamond', rating: rating(2106) },
    { bot: 'quartz', rating: rating(1578) },
    { bot: 'talc', rating: rating(855) },
  ],
  count: 3,
  week: 2,
  next: null,
  you: person(3, 'Lapis', 1519),
  listed: true,
};

describe('the list of players', () => {
  test('bots stand between people by their rating and hold no place', () => {
    const rows = ladderRows(BOARD, true);
    expect(rows.map(({ name }) => name)).toEqual(['diamond', 'Yue', 'quartz', 'Ada', 'Lapis', 'talc']);
    expect(rows.map(({ rank }) => rank)).toEqual([null, 1, null, 2, 3, null]);
  });
  test('without bots only people are left', () => {
    expect(ladderRows(BOARD, false).map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });
  test('a page of a longer list shows no bot below its last person', () => {
    expect(ladderRows({ ...BOARD, count: 900 }, true).map(({ name }) => name)).not.toContain('talc');
  });
  test('whoever is not listed yet finds themselves there without a place, and counts', () => {
    const alone: Leaderboard = { ...BOARD, people: [], count: 0, you: person(1, 'Lapis', 1519), listed: false };
    const rows = ladderRows(alone, true);
    expect(rows.map(({ name, rank }) => [name, rank])).toEqual([
      ['diamond', null],
      ['quartz', null],
      ['Lapis', null],
      ['talc', null],
    ]);
    expect(outOf(alone)).toBe(1);
    expect(outOf(BOARD)).toBe(3);
  });
  test('whoever stands right above is named with the distance', () => {
    expect(above(BOARD)).toEqual({ id: 'Ada', name: 'Ada', by: 25 });
    expect(above({ ...BOARD, you: person(1, 'Yue', 1842) })).toBeNull();
    expect(above({ ...BOARD, you: null })).toBeNull();
  });
  test('the scale holds every band', () => {
    const { low, high } = scale(ladderRows(BOARD, true));
    expect(low).toBeLessThan(855 - 40);
    expect(high).toBeGreaterThan(2106 + 40);
  });
});

const seat = (name: string, place: number, bot: string | null = null) => ({
  person: bot ? null : `id-${name}`,
  bot,
  name,
  rating: null,
  change: null,
  points: 20 - place,
  place,
  sources: {},
  accuracy: null,
  luck: null,
});

const game = (table: string, ended_ms: number, you: number | null): FinishedGame => ({
  table,
  ended_ms,
  kind: 'two',
  ruleset: 'standard',
  seats: [seat('Ada', 2), seat('calcite', 1, 'calcite')],
  you,
  result: 'lost',
  reason: 'target',
  rounds: 20,
  clock: null,
  rated: true,
  review: null,
  mistakes: null,
  public: true,
});

describe('finished games', () => {
  test('the seat is ours where the server says so, else the person’s', () => {
    expect(seatOf(game('a', 1, 0), null)).toBe(0);
    expect(seatOf(game('a', 1, null), 'id-Ada')).toBe(0);
    expect(seatOf({ ...game('a', 1, null), seats: [seat('Bo', 1), seat('Ada', 2)] }, 'id-Ada')).toBe(1);
  });
  test('what the server tells and what the browser remembers are one list, each game once', () => {
    const local: Finished = { id: 'a', at: 5, variant: 'standard', players: [], mine: [0], points: [], winners: [0], reason: 'target' };
    const merged = mergeGames([game('a', 5, 0), game('b', 9, 0)], [local, { ...local, id: 'c', at: 7 }]);
    expect(merged.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    expect(merged[2]?.winners).toEqual([1]);
    expect(merged[2]?.players[1]).toEqual({ name: null, bot: 'calcite' });
  });
});

describe('chances in whole per cents', () => {
  test.each([[[0.64, 0.36]], [[1 / 3, 1 / 3, 1 / 3]], [[0.005, 0.995]], [[0.27, 0.44, 0.12, 0.17]]])('%j sums to a hundred', (chances) => {
    expect(perCents(chances).reduce((sum, n) => sum + n, 0)).toBe(100);
    for (const [i, n] of perCents(chances).entries()) expect(Math.abs(n - chances[i]! * 100)).toBeLessThan(1);
  });
});

describe('games to watch', () => {
  const live = (...bots: (string | null)[]) => ({ seats: bots.map((bot) => ({ bot })) }) as unknown as LiveGame;
  test('are chosen by seats and by who plays', () => {
    expect(wanted(live(null, null), 'two')).toBe(true);
    expect(wanted(live(null, null, null), 'two')).toBe(false);
    expect(wanted(live(null, null, null), 'more')).toBe(true);
    expect(wanted(live('topaz', 'quartz'), 'bots')).toBe(true);
    expect(wanted(live('topaz', null), 'bots')).toBe(false);
  });
});

describe('devices', () => {
  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36', 'Chrome, Linux'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604', 'Safari, iPhone'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox, Windows'],
    ['curl/8', 'Passkey'],
  ])('%s is called %s', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});

describe('places', () => {
  const under = (at: string): string[] => PLACES.flatMap((place) => (isUnder(place, at) ? [place.path] : []));
  test.each([
    ['/', '/'],
    ['/games', '/'],
    ['/t/abc', '/'],
    ['/people/x', '/players'],
    ['/rules', '/lessons'],
    ['/puzzles/storm', '/puzzles'],
    ['/replay/x', '/analysis'],
  ])('%s belongs to %s alone', (at, path) => {
    expect(under(at)).toEqual([path]);
  });
  test('settings belong to none', () => {
    expect(under('/settings')).toEqual([]);
  });
  test.each(['/', '/watch', '/players', '/people/x', '/analysis', '/rules', '/settings'])('%s has tabs', (at) => {
    expect(isTabbed(at)).toBe(true);
  });
  test.each(['/t/x', '/replay/x', '/analysis/x', '/analysis/x/mistakes', '/mistakes', '/editor', '/learn'])('%s has a board instead', (at) => {
    expect(isTabbed(at)).toBe(false);
  });
});
