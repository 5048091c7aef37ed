/** What is told over sockets and streams. The types come from the server's own schema. */

import type {
  Accepted,
  ChatLine,
  Checked,
  GameFinish,
  GameFull,
  GameState,
  Pong,
  Presence,
  Refused,
  Rematch,
  Seats,
  Takeback,
} from './generated/messages';

export type * from './generated/messages';

export type TableMessage = GameFull | GameState | Seats | ChatLine | Presence | Takeback | Rematch | GameFinish;
export type Answer = Accepted | Refused | Checked | Pong;
export type State = GameFull['status'];
