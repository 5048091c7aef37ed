/** Where one can go from everywhere. Only what there is stands here. */

export interface Place {
  path: string;
  /** Its name in the catalogue, and its sign on a phone. */
  name: 'play' | 'watch' | 'puzzles' | 'learn' | 'analyse' | 'players';
  /** Other addresses that belong to it. */
  also: readonly string[];
  /** With a tab of its own on a phone; the others wait behind "More". */
  tab: boolean;
}

export const PLACES: readonly Place[] = [
  { path: '/', name: 'play', also: ['/games', '/t', '/join'], tab: true },
  { path: '/watch', name: 'watch', also: [], tab: true },
  { path: '/puzzles', name: 'puzzles', also: [], tab: true },
  { path: '/lessons', name: 'learn', also: ['/learn', '/rules', '/mistakes'], tab: true },
  { path: '/analysis', name: 'analyse', also: ['/editor', '/replay'], tab: false },
  { path: '/players', name: 'players', also: ['/profile', '/people'], tab: false },
];

const inside = (path: string, at: string): boolean => path === at || path.startsWith(`${at}/`);

export function isUnder({ path, also }: Place, at: string): boolean {
  return at === path || [...(path === '/' ? [] : [path]), ...also].some((one) => inside(at, one));
}

/** Where a board is played or studied there is no room for tabs. */
const BOARDS = ['/t', '/replay', '/learn', '/mistakes', '/editor', '/puzzles'];

export function isTabbed(at: string): boolean {
  return !BOARDS.some((board) => inside(at, board)) && !at.startsWith('/analysis/') && !at.startsWith('/lessons/');
}
