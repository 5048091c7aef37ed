/** Questions of the studio over HTTP: studies, reviews, the live engine. Refusals are thrown as
 *  `Refused`, as everywhere. Streams end quietly when their signal is given. */

import { ask, get, post } from '../api';
import { jsonLines } from './ndjson';
import type {
  Analysis,
  Depth,
  EngineMessage,
  Formatted,
  KeptStudy,
  Knowledge,
  Played,
  ReviewMessage,
  ReviewState,
  StudyTree,
  Written,
} from './types';

export type Source = { table: string; watch?: string } | { record: string } | { position: string } | Record<string, never>;

export const openStudy = (source: Source, keys: string[] = []): Promise<StudyTree> =>
  post('/studies/open', source, keys);

/** A whole turn or one decision. Without a `deal`, the answer says which cards could come. */
export const playMoves = (position: string, moves: string[], deal: string | null = null, ply = 0): Promise<Played> =>
  post('/studies/play', { position, moves, deal, ply });

/** The record with its variations, as text and as JSON. */
export const formatStudy = (record: string, start: string | null, tree: Written[], comment = ''): Promise<Formatted> =>
  post('/studies/format', { record, start, tree, comment });

export const keepStudy = (record: string, title = ''): Promise<{ id: string; key: string }> =>
  post('/studies', { record, title });

export const getStudy = (id: string): Promise<KeptStudy> => get(`/studies/${encodeURIComponent(id)}`);

/** Only with the key that was given when it was kept. */
export async function replaceStudy(id: string, key: string, record: string, title = ''): Promise<void> {
  const init = { method: 'PUT', body: JSON.stringify({ record, title }) };
  await ask(`/studies/${encodeURIComponent(id)}`, init, [key]);
}

export type Reviewed = { table: string } | { record: string };

/** Ask for a review; one that is kept already comes back whole. */
export const askReview = (
  game: Reviewed,
  depth: Depth,
  knowledge: Knowledge,
  keys: string[] = [],
): Promise<ReviewState> => post('/reviews', { ...game, depth, knowledge }, keys);

export const getReview = (id: string): Promise<ReviewState> => get(`/reviews/${encodeURIComponent(id)}`);

/** What a review finds, from the turns on that were already had. */
export function followReview(id: string, since: number, signal: AbortSignal): AsyncGenerator<ReviewMessage> {
  return stream(`/reviews/${encodeURIComponent(id)}/stream?since=${since}`, {}, signal);
}

export interface EngineAsk {
  position: string;
  lines: number;
  visits: number;
  knowledge: Knowledge;
}

/** The best moves, better and better. Giving the signal stops the engine. */
export function runEngine(asked: EngineAsk, signal: AbortSignal, keys: string[] = []): AsyncGenerator<EngineMessage> {
  return stream('/engine', { method: 'POST', body: JSON.stringify(asked) }, signal, keys);
}

/** The deepest analysis that is kept of a position. Refused with `no-eval` when there is none. */
export const getEval = (position: string): Promise<Analysis> => get(`/eval?position=${encodeURIComponent(position)}`);

export const pictureAddress = (kind: 'svg' | 'png', position: string, lang: string): string =>
  `/api/picture.${kind}?position=${encodeURIComponent(position)}&lang=${lang}`;

async function* stream<T>(
  path: string,
  init: RequestInit,
  signal: AbortSignal,
  keys: string[] = [],
): AsyncGenerator<T, void, undefined> {
  try {
    const response = await ask(path, { ...init, signal }, keys);
    if (response.body) yield* jsonLines<T>(response.body);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
