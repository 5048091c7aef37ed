import { describe, expect, it } from 'vitest';

import { BOX_DAYS, dayAfter, dueTables, isDue, isLearnt, joinedBoxes, moved, type Scheduled } from '../src/mistakes/schedule';
import { merged } from '../src/lessons/progress';
import { dayOf, joinedProgress, met, rated, solvedDay, START_RATING, stormed, streak, toBring, told, unknown, week, type Progress } from '../src/puzzles/progress';

const fresh: Progress = { rating: START_RATING, rated: 0, seen: [], days: [], storm: 0 };

describe('days in a row', () => {
  it('counts today and the days before it', () => {
    expect(streak(['2026-11-18', '2026-11-19', '2026-11-20'], '2026-11-20')).toBe(3);
  });

  it('still stands while today is open, and is gone a day later', () => {
    expect(streak(['2026-11-18', '2026-11-19'], '2026-11-20')).toBe(2);
    expect(streak(['2026-11-18', '2026-11-19'], '2026-11-21')).toBe(0);
  });

  it('goes over the ends of months and years, and over a change of the clock', () => {
    expect(streak(['2026-12-31', '2027-01-01'], '2027-01-01')).toBe(2);
    expect(streak(['2028-02-28', '2028-02-29', '2028-03-01'], '2028-03-01')).toBe(3);
    expect(streak(['2026-03-28', '2026-03-29', '2026-03-30'], '2026-03-30')).toBe(3);
  });

  it('goes by the calendar of whoever looks: a minute before midnight is another day', () => {
    expect(dayOf(new Date(2026, 10, 20, 23, 59))).toBe('2026-11-20');
    expect(dayOf(new Date(2026, 10, 21, 0, 1))).toBe('2026-11-21');
  });

  it('shows the week from Monday on', () => {
    const days = week(['2026-11-16', '2026-11-18'], '2026-11-20');
    expect(days.map(({ day }) => day)).toEqual(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']);
    expect(days.map(({ solved }) => solved)).toEqual([true, false, true, false, false, false, false]);
    expect(days.findIndex(({ today }) => today)).toBe(4);
  });

  it('counts a day once', () => {
    const once = solvedDay(fresh, '2026-11-20');
    expect(solvedDay(once, '2026-11-20')).toBe(once);
  });
});

describe('the puzzle rating', () => {
  it('rises with a puzzle solved and falls with one missed, more for the unexpected', () => {
    const hard = rated(fresh, START_RATING + 400, 1).rating;
    const easy = rated(fresh, START_RATING - 400, 1).rating;
    expect(hard - START_RATING).toBeGreaterThan(easy - START_RATING);
    expect(easy).toBeGreaterThan(START_RATING);
    expect(rated(fresh, START_RATING, 0).rating).toBeLessThan(START_RATING);
    expect(rated(fresh, START_RATING, 0.5).rating).toBe(START_RATING);
  });

  it('moves in smaller steps after twenty puzzles', () => {
    const old = { ...fresh, rated: 20 };
    expect(rated(old, START_RATING, 1).rating - START_RATING).toBe((rated(fresh, START_RATING, 1).rating - START_RATING) / 2);
  });
});

describe('what was met', () => {
  it('is remembered once, the newest last, and not for ever', () => {
    const again = met(met(met(fresh, 'aaaaaa'), 'bbbbbb'), 'aaaaaa');
    expect(again.seen).toEqual(['bbbbbb', 'aaaaaa']);
    const many = Array.from({ length: 400 }, (_, i) => `id${i}`).reduce(met, fresh);
    expect(many.seen).toHaveLength(300);
    expect(many.seen.at(-1)).toBe('id399');
  });

  it('keeps the best storm', () => {
    expect(stormed(stormed(fresh, 7), 4).storm).toBe(7);
  });
});

describe('mistakes come back', () => {
  const day = new Date(2026, 10, 20, 9);

  it('later and later while they are found, until they are learnt', () => {
    let one: Scheduled | undefined;
    let now = day;
    const waits: number[] = [];
    while (!one || !isLearnt(one)) {
      expect(isDue(one, now)).toBe(true);
      one = moved(one, true, now);
      if (isLearnt(one)) break;
      const wait = BOX_DAYS[one.box - 1] ?? 0;
      waits.push(wait);
      expect(isDue(one, now)).toBe(false);
      now = new Date(now.getFullYear(), now.getMonth(), now.getDate() + wait, 9);
    }
    expect(waits).toEqual([...BOX_DAYS]);
    expect(isDue(one, new Date(2030, 0, 1))).toBe(false);
  });

  it('tomorrow when they were missed, from the first box again', () => {
    const high = { box: 4, due: dayAfter(day, 0) };
    expect(moved(high, false, day)).toMatchObject({ box: 0, due: '2026-11-21' });
  });
});

describe('what a browser hands on to the server', () => {
  it('is its rating and what it has met, once', () => {
    const played = { ...fresh, rating: 1622.4, rated: 3, seen: ['aaaaaa'] };
    expect(toBring(played)).toEqual({ rating: 1622, met: ['aaaaaa'] });
    expect(toBring({ ...played, brought: 'somebody' })).toBeNull();
  });

  it('is nothing from somebody who has solved nothing, and no rating that nothing stands behind', () => {
    expect(toBring(fresh)).toBeNull();
    expect(toBring({ ...fresh, seen: ['aaaaaa'] })).toEqual({ rating: null, met: ['aaaaaa'] });
  });
});

describe('progress in the course', () => {
  it('is the farther of two devices, lesson by lesson', () => {
    const phone = { steps: { tokens: 3, card: 1 }, game: false };
    const desk = { steps: { card: 2, noble: 1 }, game: true };
    expect(merged(phone, desk)).toEqual({ steps: { tokens: 3, card: 2, noble: 1 }, game: true });
    expect(merged(desk, phone)).toEqual(merged(phone, desk));
  });
});

describe('two devices of one person', () => {
  it('add up their days and keep the better storm', () => {
    const here = { ...fresh, days: ['2026-11-18', '2026-11-20'], storm: 7 };
    const both = joinedProgress(here, { days: ['2026-11-19', '2026-11-20'], storm: 5 });
    expect(both.days).toEqual(['2026-11-18', '2026-11-19', '2026-11-20']);
    expect(both.storm).toBe(7);
    expect(streak(both.days, '2026-11-20')).toBe(3);
  });

  it('go by the later answer to a mistake, whichever device it was', () => {
    const early = { box: 3, due: '2026-12-01', at_ms: 5 };
    const late = { box: 0, due: '2026-11-21', at_ms: 9 };
    expect(joinedBoxes({ 'abcd:4': early }, { 'abcd:4': late })).toEqual({ 'abcd:4': late });
    expect(joinedBoxes({ 'abcd:4': late }, { 'abcd:4': early, 'efgh:1': early })).toEqual({ 'efgh:1': early, 'abcd:4': late });
    const undated = { box: 2, due: '2026-11-30' };
    expect(joinedBoxes({ 'abcd:4': undated }, { 'abcd:4': early })).toEqual({ 'abcd:4': early });
  });

  it('tell the server only what it can read', () => {
    const boxes = { ':3': { box: 1, due: '2026-11-20' }, 'abcd:4': { box: 9, due: '2026-11-20' } };
    expect(told({ ...fresh, storm: 9999 }, boxes)).toEqual({
      days: [],
      storm: 500,
      mistakes: { 'abcd:4': { box: 6, due: '2026-11-20', at_ms: 0 } },
    });
  });

  it('tell only what is new, in small portions', () => {
    const box = { box: 1, due: '2026-11-20', at_ms: 4 };
    const there = { days: ['2026-11-18'], storm: 5, mistakes: { 'abcd:1': box } };
    expect(unknown(there, there)).toEqual([]);
    expect(unknown({ ...there, storm: 4, mistakes: { 'abcd:1': { ...box, at_ms: 3 } } }, there)).toEqual([]);
    expect(unknown({ days: ['2026-11-18', '2026-11-19'], storm: 6 }, there)).toEqual([{ days: ['2026-11-19'], storm: 6 }]);
    const many = Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`abcd:${n}`, box]));
    expect(unknown({ mistakes: many }, there).map(({ mistakes }) => Object.keys(mistakes ?? {}).length)).toEqual([150, 150]);
    expect(unknown({ mistakes: { 'abcd:1': { ...box, at_ms: 9 } } }, there)).toEqual([{ mistakes: { 'abcd:1': { ...box, at_ms: 9 } } }]);
  });

  it('begin with the game whose mistake has waited longest', () => {
    const now = new Date(2026, 10, 20, 9);
    const boxes = {
      'aaaa:1': { box: 1, due: '2026-11-19' },
      'bbbb:2': { box: 1, due: '2026-11-12' },
      'cccc:3': { box: 1, due: '2026-11-21' },
      'bbbb:9': { box: 2, due: '2026-11-20' },
    };
    expect(dueTables(boxes, now)).toEqual(['bbbb', 'aaaa']);
  });

  it('never count a learnt mistake further than learnt', () => {
    let box: Scheduled | undefined;
    for (let times = 0; times < 9; times += 1) box = moved(box, true, new Date(2026, 10, 20));
    expect(box?.box).toBe(6);
    expect(box && isLearnt(box)).toBe(true);
  });
});
