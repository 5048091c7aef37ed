/** Questions about puzzles over HTTP. The answer to one is told only when it is found or asked for. */

import { get, post, put } from '../api';
import type { MyPuzzles, PuzzleAsked, PuzzleHint, PuzzleRated, PuzzlesBrought, PuzzleShelf, PuzzleSolution, PuzzleTried } from '../generated/api';

export type { MyPuzzles, PuzzleAsked, PuzzleHint, PuzzleRated, PuzzleShelf, PuzzleSolution, PuzzleTried };
export type Theme = PuzzleAsked['theme'];

export const THEMES: readonly Theme[] = ['win2', 'win3', 'only', 'stop', 'noble', 'return', 'gold'];

/** The puzzle of a day of this person's own calendar. */
export const getDaily = (day: string): Promise<PuzzleAsked> => get(`/puzzles/daily?date=${day}`);

export const getPuzzle = (id: string): Promise<PuzzleAsked> => get(`/puzzles/${encodeURIComponent(id)}`);

export const getShelf = (): Promise<PuzzleShelf> => get('/puzzles');

/** Near that rating; null is for somebody whose own the server knows. */
export function getNext(rating: number | null, theme: Theme | null, seen: readonly string[]): Promise<PuzzleAsked> {
  const query = new URLSearchParams({ seen: seen.join(',') });
  if (rating !== null) query.set('rating', String(Math.round(rating)));
  if (theme) query.set('theme', theme);
  return get(`/puzzles/next?${query}`);
}

export const tryPuzzle = (id: string, step: number, moves: string[], rated = true): Promise<PuzzleTried> =>
  post(`/puzzles/${encodeURIComponent(id)}/try`, { step, moves, rated });

export const getHint = (id: string, step: number, deep: boolean): Promise<PuzzleHint> =>
  get(`/puzzles/${encodeURIComponent(id)}/hint?step=${step}&deep=${deep}`);

export const getSolution = (id: string): Promise<PuzzleSolution> => get(`/puzzles/${encodeURIComponent(id)}/solution`);

export const getMyPuzzles = (): Promise<MyPuzzles> => get('/me/puzzles');

export const bringMyPuzzles = (brought: PuzzlesBrought): Promise<MyPuzzles> => put('/me/puzzles', brought);
