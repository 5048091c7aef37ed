/** One's games, looked up at the server: by the keys of this browser, and by who one is. */

import { get, getKeySeats, Refused } from '../api';
import type { KeySeats } from '../http';
import { forget, keysOf, tablesHeld } from '../keyring';
import { me } from '../people/me.svelte';
import type { FinishedGame } from '../people/types';
import { finishedFrom, finishedGames, mergeGames, rememberGame, type Finished, type Running } from './games';

const ASKED_AT_ONCE = 12;
const LAST = 8;

/** The tables that this person or this browser plays and does not know to be over. */
export async function findGames(): Promise<Running[]> {
  const own = await ownTables();
  const known = new Set([...finishedGames().map(({ id }) => id), ...own.map(({ table }) => table.id)]);
  const asked = tablesHeld().filter((id) => !known.has(id)).slice(0, ASKED_AT_ONCE);
  const found = await Promise.all(asked.map(look));
  return [...own, ...found.filter((one) => one !== null)];
}

/** Those that one plays from any device. */
async function ownTables(): Promise<Running[]> {
  if (!me.person) return [];
  try {
    const { tables } = await get<{ tables: KeySeats[] }>('/me/tables');
    return tables.filter(({ table }) => table.state !== 'finished' && !table.tutorial).map(running);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [];
  }
}

const running = ({ table, seats, game }: KeySeats): Running => ({ table, mine: seats.filter((seat) => seat !== null), game });

async function look(id: string): Promise<Running | null> {
  try {
    const answer = await getKeySeats(id, keysOf(id).slice(0, 8));
    const over = finishedFrom(answer);
    if (over) rememberGame(over);
    return answer.table.state === 'finished' ? null : running(answer);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) forget(id);
    return null;
  }
}

/** The last games that are over: the person's, and those that only this browser remembers. */
export async function findLast(): Promise<Finished[]> {
  const here = finishedGames();
  if (!me.person) return here;
  try {
    const { games } = await get<{ games: FinishedGame[] }>(`/me/games?limit=${LAST}`);
    return mergeGames(games, here);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return here;
  }
}
