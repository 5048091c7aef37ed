/** What the server tells about people; the types come from its own description. */

import type { Me as MeTold, RatingKind, RatingInfo } from '../generated/api';

export type {
  BoardRow as Rung,
  FinishedGame,
  FinishedGames as GamesFound,
  FinishedSeat as GameSeat,
  Kept,
  LadderInfo as Ladder,
  LiveGame,
  Leaderboard,
  Meeting,
  PlayerStats as Stats,
  PoolInfo as Pool,
  Profile,
  RatingInfo as Rating,
  RatingKind as Kind,
  RatingPoint,
  SeatScore as Score,
  WatchedSeat as LiveSeat,
  WatchPage as Watch,
} from '../generated/api';

export const KINDS = ['two', 'more', 'quick', 'teams', 'puzzles'] as const satisfies readonly RatingKind[];

export type Ratings = Partial<Record<RatingKind, RatingInfo>>;

/** Whoever looks at the page. */
export type Me = MeTold & { ratings?: Ratings };

export type Source = 'w' | 'u' | 'g' | 'r' | 'k' | 'nobles';
