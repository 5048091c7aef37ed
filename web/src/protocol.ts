/** What is told over sockets and streams. The types come from the server's own schema. */

import type {
  Accepted,
  ChatLine,
  Checked,
  GameFinish,
  GameFull,
  FinalResult,
  GameState,
  Pong,
  Presence,
  Refused,
  Rematch,
  Seats,
  Takeback,
  Translations,
} from './generated/messages';

export type * from './generated/messages';

export type TableMessage = GameFull | GameState | Seats | ChatLine | Presence | Takeback | Rematch | GameFinish;
export type Answer = Accepted | Refused | Checked | Pong;
export type State = GameFull['status'];
export type Words = Translations;
export type Result = FinalResult;
