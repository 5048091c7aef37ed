/** How a person gets on with puzzles: rating, days in a row, what was seen. Kept in this browser. Of
 *  somebody whom the server knows it is kept there too (`standing.ts`, `practice.ts`). */

import type { MyPractice } from '../generated/api';
import type { Boxes } from '../mistakes/schedule';

export interface Progress {
  rating: number;
  /** How many puzzles have counted for the rating. */
  rated: number;
  /** The ids met lately, the newest last. */
  seen: string[];
  /** The days whose puzzle was solved, the newest last. */
  days: string[];
  /** The best storm. */
  storm: number;
  /** Who has taken over what was rated here before: it is handed on once. */
  brought?: string;
}

export interface ProgressKeeper {
  load(): Progress;
  save(progress: Progress): void;
}

export const START_RATING = 1500;
const STORED = 'cabochon.puzzles';
const MOST_SEEN = 300;
const MOST_DAYS = 400;
const MOST_STORM = 500;
/** So many mistakes are told at once: the server reads no long messages. */
const PORTION = 150;
const MISTAKE = /^[a-z0-9]{4,16}:\d{1,4}$/;

const fresh = (): Progress => ({ rating: START_RATING, rated: 0, seen: [], days: [], storm: 0 });

export const browserProgress: ProgressKeeper = {
  load() {
    try {
      return { ...fresh(), ...(JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<Progress>) };
    } catch {
      return fresh();
    }
  },
  save(progress) {
    try {
      localStorage.setItem(STORED, JSON.stringify(progress));
    } catch {
      // Without storage it is forgotten with the page.
    }
  },
};

/** Which day it is where this person is, whatever day it is elsewhere. */
export function dayOf(now: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function dayBefore(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return dayOf(new Date(year, month - 1, date - 1, 12));
}

/** Days in a row up to today; today may still be open. */
export function streak(days: readonly string[], today: string): number {
  const solved = new Set(days);
  let day = solved.has(today) ? today : dayBefore(today);
  let count = 0;
  while (solved.has(day)) {
    count += 1;
    day = dayBefore(day);
  }
  return count;
}

export type WeekDay = { day: string; solved: boolean; today: boolean };

/** Monday to Sunday of the week that today is in. */
export function week(days: readonly string[], today: string): WeekDay[] {
  const [year = 0, month = 1, date = 1] = today.split('-').map(Number);
  const monday = date - ((new Date(year, month - 1, date, 12).getDay() + 6) % 7);
  return Array.from({ length: 7 }, (_, i) => {
    const day = dayOf(new Date(year, month - 1, monday + i, 12));
    return { day, solved: days.includes(day), today: day === today };
  });
}

export function solvedDay(progress: Progress, day: string): Progress {
  if (progress.days.includes(day)) return progress;
  return { ...progress, days: [...progress.days, day].sort().slice(-MOST_DAYS) };
}

export function met(progress: Progress, id: string): Progress {
  return { ...progress, seen: [...progress.seen.filter((one) => one !== id), id].slice(-MOST_SEEN) };
}

/** The rating of somebody whom the server does not know, after a puzzle: 1 for one solved at the first
 *  try and without help, 0 otherwise. Elo, in larger steps for the first twenty puzzles. */
export function rated(progress: Progress, puzzle: number, score: number): Progress {
  const expected = 1 / (1 + 10 ** ((puzzle - progress.rating) / 400));
  const most = progress.rated < 20 ? 40 : 20;
  const rating = Math.round(Math.max(100, progress.rating + most * (score - expected)));
  return { ...progress, rating, rated: progress.rated + 1 };
}

/** What two devices know: all days, and the better storm. */
export function joinedProgress(progress: Progress, other: Pick<Progress, 'days' | 'storm'>): Progress {
  const days = [...new Set([...progress.days, ...other.days])].sort().slice(-MOST_DAYS);
  return { ...progress, days, storm: Math.max(progress.storm, other.storm) };
}

export function stormed(progress: Progress, score: number): Progress {
  return { ...progress, storm: Math.max(progress.storm, score) };
}

/** What this browser had by itself, told once, to the first person that it turns out to be. */
export function toBring(progress: Progress): { rating: number | null; met: string[] } | null {
  if (progress.brought || (!progress.rated && !progress.seen.length)) return null;
  return { rating: progress.rated ? Math.round(progress.rating) : null, met: progress.seen };
}

/** Days, storm and mistakes, as the server reads them. */
export function told(progress: Progress, boxes: Boxes): MyPractice {
  const named = Object.entries(boxes).filter(([name]) => MISTAKE.test(name));
  const mistakes = named.map(([name, { box, due, at_ms = 0 }]) => [name, { box: Math.min(box, 6), due, at_ms }]);
  return { days: progress.days, storm: Math.min(progress.storm, MOST_STORM), mistakes: Object.fromEntries(mistakes) };
}

/** What the server does not know yet, in portions that it takes. */
export function unknown(here: MyPractice, there: MyPractice): MyPractice[] {
  const days = (here.days ?? []).filter((day) => !there.days?.includes(day));
  const storm = (here.storm ?? 0) > (there.storm ?? 0) ? (here.storm ?? 0) : 0;
  const isNews = ([name, { at_ms = 0 }]: [string, { at_ms?: number }]): boolean => at_ms > (there.mistakes?.[name]?.at_ms ?? -1);
  const mistakes = Object.entries(here.mistakes ?? {}).filter(isNews);
  const parts: MyPractice[] = days.length || storm ? [{ days, storm }] : [];
  for (let i = 0; i < mistakes.length; i += PORTION) parts.push({ mistakes: Object.fromEntries(mistakes.slice(i, i + PORTION)) });
  return parts;
}
