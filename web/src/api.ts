/** Questions over HTTP. A refusal is thrown with its sentence in both languages. */

import type {
  Done,
  InviteInfo,
  Join,
  Joined,
  KeySeats,
  Meta,
  NewTable,
  Replay,
  ShareAction,
  TableMade,
  TablePage,
} from './http';
import type { Problem, TableInfo, Words } from './protocol';
import { settings } from './settings.svelte';

export class Refused extends Error {
  readonly words: Words;
  readonly code: string;
  readonly status: number;
  readonly params: Problem['params'];

  constructor(problem: Pick<Problem, 'detail' | 'sentence' | 'code' | 'status' | 'params'>) {
    super(problem.detail);
    this.words = problem.sentence;
    this.code = problem.code;
    this.status = problem.status;
    this.params = problem.params;
  }
}

const UNREACHABLE: Words = {
  en: 'The server cannot be reached.',
  zh: '无法连接服务器。',
};

function unreachable(): Refused {
  return new Refused({ detail: UNREACHABLE.en, sentence: UNREACHABLE, code: 'offline', status: 0, params: {} });
}

export async function ask(path: string, init: RequestInit = {}, keys: string[] = []): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Accept-Language', settings.lang);
  if (init.body) headers.set('Content-Type', 'application/json');
  const newest = keys.at(-1);
  if (newest) headers.set('Authorization', `Bearer ${newest}`);
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { ...init, headers });
  } catch {
    throw unreachable();
  }
  if (response.ok) return response;
  const type = response.headers.get('Content-Type') ?? '';
  if (!type.includes('json')) throw unreachable();
  throw new Refused((await response.json()) as Problem);
}

export async function get<T>(path: string, keys: string[] = []): Promise<T> {
  return (await (await ask(path, {}, keys)).json()) as T;
}

export async function post<T>(path: string, body: unknown, keys: string[] = []): Promise<T> {
  const init = { method: 'POST', body: JSON.stringify(body) };
  return (await (await ask(path, init, keys)).json()) as T;
}

export async function put<T>(path: string, body: unknown): Promise<T> {
  return (await (await ask(path, { method: 'PUT', body: JSON.stringify(body) })).json()) as T;
}

let meta: Promise<Meta> | null = null;

/** Bots, variants and phrases; asked for once. */
export function getMeta(): Promise<Meta> {
  meta ??= get<Meta>('/meta').catch((error: unknown) => {
    meta = null;
    throw error;
  });
  return meta;
}

export const makeTable = (table: NewTable): Promise<TableMade> => post('/tables', table);

export const makeTutorial = (): Promise<TableMade> => post('/tutorial', { lang: settings.lang });

export const listTables = (state: string): Promise<TablePage> => get(`/tables?state=${state}`);

export const getTable = (table: string): Promise<TableInfo> => get(`/tables/${table}`);

/** Which seat each key plays there; null for none. */
export const getKeySeats = (table: string, keys: string[]): Promise<KeySeats> =>
  post(`/tables/${table}/keys`, { keys });

export const sendShare = (table: string, answer: ShareAction, key: string): Promise<Done> =>
  post(`/tables/${table}/share`, answer, [key]);

export const getInvite = (code: string): Promise<InviteInfo> =>
  get(`/invites/${encodeURIComponent(code)}`);

export const joinTable = (table: string, asked: Join): Promise<Joined> =>
  post(`/tables/${table}/join`, asked);

export function getReplay(table: string, viewer: string, keys: string[], watch: string | null): Promise<Replay> {
  const code = watch ? `&watch=${encodeURIComponent(watch)}` : '';
  return get(`/tables/${table}/replay?viewer=${viewer}${code}`, keys);
}

export async function getRecord(table: string, keys: string[]): Promise<string> {
  return (await ask(`/tables/${table}/record`, {}, keys)).text();
}

export async function getRules(): Promise<string> {
  return (await ask(`/rules?lang=${settings.lang}`)).text();
}
