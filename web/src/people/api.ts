/** Questions about people. */

import { ask, get, post } from '../api';
import { createKey, useKey, type Creation, type Request, type WayIn } from './credentials';
import type {
  BlockedPeople,
  FoundPeople,
  FreeName,
  LearnableGames,
  OwnTokens,
  PasskeyList,
  RatingHistory,
  RecoveryCodes,
  SessionList,
  TokenMade,
} from '../generated/api';
import type { GamesFound, Kept, Kind, Leaderboard, Me, Profile } from './types';

const part = encodeURIComponent;

export const getProfile = (id: string): Promise<Profile> => get(`/people/${part(id)}`);

export const getPoints = (id: string, kind: Kind): Promise<RatingHistory> =>
  get(`/people/${part(id)}/ratings/${kind}`);

export interface Wanted {
  opponent?: string | undefined;
  kind?: string | undefined;
  players?: string | undefined;
  result?: string | undefined;
  against?: string | undefined;
  rated?: string | undefined;
  since_ms?: string | undefined;
  until_ms?: string | undefined;
  limit?: string | undefined;
  cursor?: string | undefined;
}

/** Only what is asked for. */
function query(wanted: Wanted): string {
  const given = Object.entries(wanted).filter(([, value]) => value);
  return given.length ? `?${new URLSearchParams(given as [string, string][])}` : '';
}

/** The games of a person, or one's own, with those that only oneself may see. */
export const getGames = (id: string | null, wanted: Wanted = {}): Promise<GamesFound> =>
  get(`${id === null ? '/me' : `/people/${part(id)}`}/games${query(wanted)}`);

export const getMistakes = (): Promise<LearnableGames> => get('/me/mistakes');

export const getLeaderboard = (kind: Kind, cursor: string | null): Promise<Leaderboard> =>
  get(`/leaderboards/${kind}${query({ limit: '50', cursor: cursor ?? undefined })}`);

export const findPeople = (name: string): Promise<FoundPeople> =>
  get(`/people?search=${part(name)}`);

export const isFree = (name: string): Promise<FreeName> =>
  get(`/names/${part(name)}`);

// ---- ways in

/** Make a passkey on this device; the first one keeps the name. */
export async function addPasskey(label: string): Promise<Kept> {
  const options = await post<Creation>('/me/passkeys/options', {});
  return post('/me/passkeys', { credential: await createKey(options), label });
}

export const setPassword = (asked: { name?: string; password: string; current?: string }): Promise<Kept> =>
  post('/me/password', asked);

export const newCodes = (): Promise<RecoveryCodes> => post('/me/codes', {});

/** With `bring`, the games of the guest that this browser has been come along. */
export async function signInByPasskey(name: string, bring: boolean): Promise<Me> {
  const options = await post<Request>('/signin/options', name ? { name } : {});
  return post('/signin/passkey', { credential: await useKey(options), bring });
}

export const signInByPassword = (name: string, password: string, bring: boolean): Promise<Me> =>
  post('/signin/password', { name, password, bring });

export const signInByCode = (name: string, code: string, bring: boolean): Promise<Me> =>
  post('/signin/code', { name, code, bring });

const remove = async (path: string, body?: unknown): Promise<void> => {
  await ask(path, { method: 'DELETE', ...(body ? { body: JSON.stringify(body) } : {}) });
};

export const getPasskeys = (): Promise<PasskeyList> => get('/me/passkeys');
export const removePasskey = (id: string): Promise<void> => remove(`/me/passkeys/${part(id)}`);
export const getSessions = (): Promise<SessionList> => get('/me/sessions');
export const endSession = (id: string): Promise<void> => remove(`/me/sessions/${part(id)}`);
export const endAllSessions = (): Promise<void> => remove('/me/sessions');
export const signOut = (): Promise<unknown> => ask('/signout', { method: 'POST', body: '{}' });

export const getTokens = (): Promise<OwnTokens> => get('/me/tokens');
export const makeToken = (name: string): Promise<TokenMade> => post('/me/tokens', { name });
export const removeToken = (id: string): Promise<void> => remove(`/me/tokens/${part(id)}`);

export const getBlocks = (): Promise<BlockedPeople> => get('/me/blocks');
export const block = (id: string): Promise<unknown> => ask(`/me/blocks/${part(id)}`, { method: 'POST', body: '{}' });
export const unblock = (id: string): Promise<void> => remove(`/me/blocks/${part(id)}`);

export const sendReport = (report: { person: string; kind: string; text?: string; table?: string }): Promise<unknown> =>
  ask('/reports', { method: 'POST', body: JSON.stringify(report) });

/** What shows that it is you, as the server reads it. */
async function shown(way: WayIn, name: string): Promise<object> {
  if (way.by !== 'passkey') return { [way.by]: way.text };
  return { credential: await useKey(await post<Request>('/signin/options', { name })) };
}

/** Show once more that it is you; good for ten minutes. */
export const prove = async (way: WayIn, name: string): Promise<unknown> => post('/me/proof', await shown(way, name));

/** A kept name has to be shown to be one's own. */
export const deleteMe = async (way: WayIn | null, name: string): Promise<void> =>
  remove('/me', way ? await shown(way, name) : undefined);
