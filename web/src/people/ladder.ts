/** People and bots in one list, the strongest first. */

import type { Leaderboard, Rating } from './types';

export interface LadderRow {
  key: string;
  rank: number | null;
  id: string | null;
  bot: string | null;
  name: string;
  rating: Rating;
  games: number;
  recent: number[] | undefined;
}

type Ranked = Leaderboard['people'][number];
const personRow = ({ rank, id, name, rating, games, recent }: Ranked): LadderRow => ({ key: id, rank, id, bot: null, name, rating, games, recent });

/** Bots hold no place: they stand where their measured rating is, and so do you while nobody else
 *  sees you there. A list that goes on below its last person shows none of them below that one yet. */
export function ladderRows({ people, bots, count, you, listed }: Leaderboard, withBots: boolean): LadderRow[] {
  const ranked = people.map(personRow);
  const lowest = people.length < count ? (people.at(-1)?.rating.value ?? 0) : -Infinity;
  const fixed = bots
    .filter(({ rating }) => rating.value >= lowest)
    .map(({ bot, rating }) => ({ key: `bot ${bot}`, rank: null, id: null, bot, name: bot, rating, games: rating.games, recent: undefined }));
  const own = you && !listed && you.rating.value >= lowest ? [{ ...personRow(you), rank: null }] : [];
  return [...ranked, ...own, ...(withBots ? fixed : [])].sort((a, b) => b.rating.value - a.rating.value);
}

const ROOM = 60;

/** The scale that shows all of them. */
export function scale(rows: readonly LadderRow[]): { low: number; high: number } {
  if (!rows.length) return { low: 0, high: 1 };
  const low = Math.min(...rows.map(({ rating }) => rating.value - rating.deviation));
  const high = Math.max(...rows.map(({ rating }) => rating.value + rating.deviation));
  return { low: low - ROOM, high: high + ROOM };
}

/** Of how many you are one: those who are listed, and you. */
export const outOf = ({ count, listed }: Leaderboard): number => count + (listed ? 0 : 1);

/** Who stands right above, and by how many points. */
export function above({ people, you }: Leaderboard): { id: string; name: string; by: number } | null {
  if (!you) return null;
  const next = people.filter(({ rank }) => rank < you.rank).at(-1);
  return next ? { id: next.id, name: next.name, by: Math.max(0, Math.round(next.rating.value - you.rating.value)) } : null;
}
