/** Written by scripts/web_types.py from cabochon.server.models. */

import type { Effect, FactsChange, LogLine, Problem, TableInfo, ViewChange, Words } from './protocol';

export interface IncrementClock {
  kind: 'increment';
  base_s: number;
  increment_s: number;
}

export interface DaysClock {
  kind: 'days';
  days: number;
}

export interface Gone {
  grace_s?: number;
  policy?: 'bot' | 'claim';
}

/** The one who makes the table. `share_hash` is the hash of a share that they add to the deal, if at least two people play. */
export interface MeChair {
  kind: 'me';
  name: string;
  share_hash?: string | null;
}

/** Somebody at the same device. */
export interface LocalChair {
  kind: 'local';
  name: string;
}

export interface OpenChair {
  kind: 'open';
}

export interface BotChair {
  kind: 'bot';
  bot: string;
}

/** A table to be made, with one chair for each seat. */
export interface NewTable {
  variant?: string;
  seats?: number;
  scarce_take?: boolean;
  target?: number | null;
  clock?: IncrementClock | DaysClock | null;
  at_zero?: 'bot' | 'lose';
  gone?: Gone;
  watch?: 'anyone' | 'link' | 'nobody';
  listed?: boolean;
  seat_order?: 'random' | 'fixed';
  takeback?: boolean;
  chairs: (MeChair | LocalChair | OpenChair | BotChair)[];
}

/** The secret that plays the seat: shown once, kept by the server only as a hash. */
export interface SeatKey {
  seat: number;
  key: string;
}

export interface Invite {
  seat: number;
  code: string;
  url: string;
}

export interface TableMade {
  table: TableInfo;
  keys: SeatKey[];
  invites: Invite[];
  watch_code: string | null;
}

export interface NewTutorial {
  lang?: 'en' | 'zh';
}

export interface TablePage {
  tables: TableInfo[];
  cursor: string | null;
}

export interface InviteInfo {
  table: TableInfo;
  seat: number;
}

/** By invitation (`code`), or to a listed table's open seat; who had to give a seat up may use its former key as the code. A client that makes its own `key` may repeat the call when the answer was lost, and gets the same one. `share_hash` is the hash of a share for the deal. */
export interface Join {
  name: string;
  key?: string | null;
  code?: string | null;
  seat?: number | null;
  share_hash?: string | null;
}

/** Keys that came from somewhere, for instance a link. */
export interface AskedKeys {
  keys: string[];
}

/** The seat that each key plays here, in the order asked; null for one that plays none. */
export interface KeySeats {
  seats: (number | null)[];
  table: TableInfo;
}

export interface Joined {
  seat: number;
  key: string | null;
  table: TableInfo;
}

/** One submission: a whole turn or a part of it, played all or not at all. */
export interface Moves {
  moves: string[];
  version: number;
  seat?: number | null;
}

export interface Check {
  moves: string[];
  version?: number | null;
  seat?: number | null;
}

export interface Checked {
  ok: boolean;
  after: Effect | null;
  problem: Problem | null;
}

/** Which seat, for somebody who holds several. */
export interface OfSeat {
  seat?: number | null;
}

export interface TakebackAction {
  action: 'ask' | 'agree' | 'decline';
  seat?: number | null;
}

export interface RematchAction {
  action: 'offer' | 'accept' | 'decline';
  seat?: number | null;
  share_hash?: string | null;
}

/** Add to the deal: `pledge` the hash of a share (64 hexadecimal digits), `reveal` the share (32 of them) when it is asked for. */
export interface ShareAction {
  action: 'pledge' | 'reveal';
  value: string;
  seat?: number | null;
}

/** `gone` is the seat that has been away too long; not needed with two players. */
export interface Claim {
  gone?: number | null;
  seat?: number | null;
}

export interface Chat {
  phrase: string;
  seat?: number | null;
}

/** It is durable: event `seq`, after which the game is at `version`. */
export interface Done {
  ok?: boolean;
  version: number;
  seq: number;
}

export interface RematchDone {
  ok?: boolean;
  version: number;
  seq: number;
  table?: string | null;
}

export interface NewToken {
  name: string;
  scopes?: ('table:create' | 'table:join' | 'table:play')[];
}

export interface TokenMade {
  id: string;
  name: string;
  scopes: string[];
  token: string;
}

/** A token without its secret. Times are in milliseconds since 1970. */
export interface TokenInfo {
  id: string;
  name: string;
  scopes: string[];
  created_ms: number;
  last_used_ms: number | null;
}

/** `elo` is measured, by number of players; greedy is 1000. */
export interface BotInfo {
  name: string;
  title: Words;
  about: Words;
  elo: Record<string, number>;
}

export interface Phrase {
  id: string;
  en: string;
  zh: string;
}

export interface VariantInfo {
  name: string;
  seats: number[];
  target: number;
  row_width: number;
  teams: boolean;
  title: Words;
}

export interface Limits {
  name_length: number;
  move_length: number;
  moves_per_turn: number;
  message_bytes: number;
  requests_per_s: number;
}

export interface Meta {
  version: string;
  protocol: number;
  variants: VariantInfo[];
  bots: BotInfo[];
  phrases: Phrase[];
  limits: Limits;
}

export interface CardInfo {
  code: string;
  level: number;
  bonus: string;
  points: number;
  cost: number[];
}

export interface NobleInfo {
  code: string;
  name: Words;
  points: number;
  cost: number[];
}

export interface Cards {
  cards: CardInfo[];
  nobles: NobleInfo[];
}

/** The position after decision `ply` (0: the start), and what that decision was. */
export interface ReplayStep {
  ply: number;
  turn: number;
  view: ViewChange;
  facts: FactsChange | null;
  log: LogLine | null;
}

export interface Replay {
  table: string;
  viewer: number | null;
  views: ReplayStep[];
}
