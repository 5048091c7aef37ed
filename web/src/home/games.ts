/** This browser's games: those it plays, as the server knows them, and those that are over, kept
 *  here so that they can be found again. */

import type { KeySeats } from '../http';
import type { FinishedGame } from '../people/types';
import type { TableInfo } from '../protocol';

const STORED = 'cabochon.games';
const MOST_KEPT = 300;

/** A game that is over. */
export interface Finished {
  id: string;
  at: number;
  variant: string;
  /** Name and bot of every seat. */
  players: { name: string | null; bot: string | null }[];
  /** Seats of this browser: several where people shared it. */
  mine: number[];
  points: number[];
  winners: number[];
  reason: string;
}

export interface Running {
  table: TableInfo;
  mine: number[];
  game: KeySeats['game'];
}

export function finishedGames(): Finished[] {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? '[]') as Finished[];
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

export function rememberGame(game: Finished): void {
  const rest = finishedGames().filter(({ id }) => id !== game.id);
  const all = [game, ...rest].sort((a, b) => b.at - a.at).slice(0, MOST_KEPT);
  try {
    localStorage.setItem(STORED, JSON.stringify(all));
  } catch {
    // Without storage there is no history.
  }
}

/** What is remembered of a table that is over; null for one that is not, or was never played. */
export function finishedFrom({ table, seats, game }: KeySeats): Finished | null {
  const mine = seats.filter((seat) => seat !== null);
  if (!game?.winners || !game.reason || game.reason === 'closed' || table.tutorial || !mine.length) return null;
  return {
    id: table.id,
    at: game.decided_ms,
    variant: table.variant,
    players: table.chairs.map(({ name, bot }) => ({ name: name ?? null, bot: bot ?? null })),
    mine,
    points: game.points,
    winners: game.winners,
    reason: game.reason,
  };
}

/** A game of the person's list, as this browser keeps its own. */
function kept({ table, ended_ms, kind, seats, you }: FinishedGame): Finished {
  return {
    id: table,
    at: ended_ms,
    variant: kind,
    players: seats.map(({ name, bot }) => ({ name: bot ? null : name, bot })),
    mine: you === null ? [] : [you],
    points: seats.map(({ points }) => points),
    winners: seats.flatMap(({ place }, seat) => (place === 1 ? [seat] : [])),
    reason: '',
  };
}

/** Both lists in one, the newest first; what the server tells is believed. */
export function mergeGames(told: readonly FinishedGame[], here: readonly Finished[]): Finished[] {
  const known = new Set(told.map(({ table }) => table));
  return [...told.map(kept), ...here.filter(({ id }) => !known.has(id))].sort((a, b) => b.at - a.at);
}

export interface Advice {
  /** The level that the score is about, and how often it was beaten. */
  about: string;
  won: number;
  of: number;
  /** The level to play next, and the one that would be a fairer match, if another. */
  play: string;
  next: string | null;
}

const LOOKED_AT = 4;

/** Whom to play next, from the last games alone against one level: three wins of four lead up,
 *  three losses of four lead down. */
export function advice(finished: readonly Finished[], levels: readonly string[]): Advice | null {
  const duels = finished.filter(({ players, mine }) => players.length === 2 && mine.length === 1);
  const foe = ({ players, mine }: Finished): string | null => players[1 - (mine[0] ?? 0)]?.bot ?? null;
  const last = duels.find((game) => levels.includes(foe(game) ?? ''));
  const about = last && foe(last);
  if (!about) return null;
  const played = duels.filter((game) => foe(game) === about).slice(0, LOOKED_AT);
  const won = played.filter(({ winners, mine }) => winners.includes(mine[0] ?? -1)).length;
  const at = levels.indexOf(about);
  const step = won >= 3 ? 1 : played.length - won >= 3 ? -1 : 0;
  return { about, won, of: played.length, play: about, next: (step && levels[at + step]) || null };
}
