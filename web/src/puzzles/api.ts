/** Questions about puzzles over HTTP. The answer to one is told only when it is found or asked for. */

import { get, post } from '../api';
import type { PuzzleAsked, PuzzleHint, PuzzleShelf, PuzzleSolution, PuzzleTried } from '../generated/api';

export type { PuzzleAsked, PuzzleHint, PuzzleShelf, PuzzleSolution, PuzzleTried };
export type Theme = PuzzleAsked['theme'];

export const THEMES: readonly Theme[] = ['win2', 'win3', 'only', 'stop', 'noble', 'return', 'gold'];

/** The puzzle of a day of this person's own calendar. */
export const getDaily = (day: string): Promise<PuzzleAsked> => get(`/puzzles/daily?date=${day}`);

export const getPuzzle = (id: string): Promise<PuzzleAsked> => get(`/puzzles/${encodeURIComponent(id)}`);

export const getShelf = (): Promise<PuzzleShelf> => get('/puzzles');

export function getNext(rating: number, theme: Theme | null, seen: readonly string[]): Promise<PuzzleAsked> {
  const query = new URLSearchParams({ rating: String(Math.round(rating)), seen: seen.join(',') });
  if (theme) query.set('theme', theme);
  return get(`/puzzles/next?${query}`);
}

export const tryPuzzle = (id: string, step: number, moves: string[]): Promise<PuzzleTried> =>
  post(`/puzzles/${encodeURIComponent(id)}/try`, { step, moves });

export const getHint = (id: string, step: number, deep: boolean): Promise<PuzzleHint> =>
  get(`/puzzles/${encodeURIComponent(id)}/hint?step=${step}&deep=${deep}`);

export const getSolution = (id: string): Promise<PuzzleSolution> => get(`/puzzles/${encodeURIComponent(id)}/solution`);
