/** Written by web/scripts/types.mjs from docs/messages.schema.json. */

export type ServerMessage =
  | GameFull
  | GameState
  | Seats
  | ChatLine
  | Presence
  | Takeback
  | Rematch
  | GameFinish
  | ReviewNews
  | Accepted
  | Refused
  | Checked
  | Pong
  | LobbyFull
  | LobbyChange
  | GameEvent;

/**
 * Everything: the first message of a stream, and again when the game starts.
 */
export interface GameFull {
  v: number;
  type: 'gameFull';
  seq: number;
  version: number;
  now_ms: number;
  table: TableInfo;
  you: number | null;
  seats_held: number[];
  status: 'open' | 'running' | 'finished';
  view: ViewChange | null;
  facts?: FactsChange | null;
  legal: string[] | LegalMove[];
  log: LogLine[];
  chat: ChatEntry[];
  clocks: ClockTimes | null;
  takeback: TakebackInfo | null;
  rematch: RematchInfo | null;
  result: FinalResult | null;
  seed: string | null;
  last_round: boolean;
}
/**
 * What anybody may know of a table without looking at the cards. `from_position` means that
 * the game began from a position that somebody gave, and not from a fresh deal; `rated`, that it
 * counts for ratings, so nobody is helped; `takeback_asks`, that every take-back is asked for.
 * `hints` counts, by seat, the turns in which a hint was given. `texting` is there where people
 * may agree to write to one another: the seats that have.
 */
export interface TableInfo {
  id: string;
  ruleset: string;
  variant: string;
  seats: number;
  target: number;
  scarce_take: boolean;
  state: 'open' | 'running' | 'finished';
  chairs: ChairInfo[];
  clock: ClockInfo | null;
  at_zero: 'bot' | 'lose';
  gone: GoneInfo;
  watch: 'anyone' | 'link' | 'nobody';
  listed: boolean;
  seat_order: 'random' | 'fixed';
  takeback: boolean;
  commitment: string;
  created_ms: number;
  series: SeriesInfo;
  tutorial: boolean;
  rated?: boolean;
  shares?: SharesInfo;
  from_position?: boolean;
  takeback_asks?: boolean;
  hints?: number[];
  texting?: number[];
}
/**
 * `person` is the public id of the player, if it is a person known to the server.
 */
export interface ChairInfo {
  seat: number;
  kind: 'open' | 'human' | 'bot';
  name: string | null;
  person?: string;
  bot: string | null;
  here: boolean;
  stand_in: boolean;
  out: boolean;
}
/**
 * How time is given: `increment` has base_s and increment_s, `days` has days.
 */
export interface ClockInfo {
  kind: 'increment' | 'days';
  base_s?: number;
  increment_s?: number;
  days?: number;
}
export interface GoneInfo {
  grace_s: number;
  policy: 'bot' | 'claim';
}
export interface SeriesInfo {
  id: string;
  game: number;
  score: number[];
}
/**
 * What people add to the deal. `hashes` and, once the game is over, `shares` are by seat.
 * Seats in `pledge` are asked for a new hash, then those in `reveal` for their share, until
 * `by_ms`. `round` is more than 1 when somebody held a share back.
 */
export interface SharesInfo {
  round: number;
  hashes: (string | null)[];
  pledge: number[];
  reveal: number[];
  by_ms: number | null;
  shares: (string | null)[] | null;
}
/**
 * The fields of a view that changed; the first view has all of them.
 */
export interface ViewChange {
  v?: number;
  ruleset?: string;
  viewer?: number | null;
  turn?: number;
  seat?: number;
  phase?: 'act' | 'deal' | 'noble' | 'return' | 'over';
  last_round?: boolean;
  passes?: number;
  bank?: number[];
  rows?: (string | null)[][];
  decks?: number[];
  nobles?: string[];
  hands?: HandInfo[];
  pending?: PlaceInfo | null;
}
export interface HandInfo {
  tokens: number[];
  bought: string[];
  reserved: ReservedInfo[];
  nobles: string[];
}
/**
 * A known card (`card`, `blind`), or only the `level` of one that is not known.
 */
export interface ReservedInfo {
  card?: string;
  blind?: boolean;
  level?: number;
}
export interface PlaceInfo {
  level: number;
  place: number | null;
}
/**
 * Everything a screen would otherwise have to compute from the rules; only what changed.
 */
export interface FactsChange {
  hands?: HandFacts[];
  cards?: {
    [k: string]: CardFacts;
  };
  nobles?: NobleFacts[];
  unseen?: number[][];
  could_buy?: string[][];
  expected?: Expected;
  last_round?: boolean;
  round?: number;
}
/**
 * `points` are the seat's own, `side_points` and `bonuses` count the partner's as well.
 */
export interface HandFacts {
  bonuses: number[];
  points: number;
  side_points: number;
  tokens: number;
  cards: number;
}
/**
 * For the viewer: what is due after bonuses, what is short before gold, how many tokens are
 * missing after gold, the least-gold payment, and all payments when there are several.
 */
export interface CardFacts {
  due: number[];
  short: number[];
  missing: number;
  pay: number[] | null;
  payments?: number[][];
}
export interface NobleFacts {
  code: string;
  owner: number | null;
  have: number[][];
}
export interface Expected {
  seat: number | null;
  phase: string;
  excess: number;
  offered: string[];
}
export interface LegalMove {
  move: string;
  after: Effect;
}
/**
 * What the viewer would have after a move.
 */
export interface Effect {
  tokens: number[];
  total: number;
  excess: number;
  points: number;
  bonuses: number[];
  nobles: string[];
  gold_needed: number;
  reach: string[];
}
/**
 * One decision. `source` says where a card came from; `revealed`, that a turn was taken back
 * in which a card had been turned up or drawn; `rule`, why it could be taken back.
 */
export interface LogLine {
  ply: number;
  turn: number;
  seat: number | null;
  kind: string;
  text: Translations;
  at_ms: number;
  gems?: string;
  card?: string;
  source?: 'row' | 'deck' | 'hand';
  level?: number;
  payment?: string;
  gold?: boolean;
  noble?: string;
  dealt?: string;
  revealed?: boolean;
  rule?: 'free' | 'agreed' | 'alone';
}
/**
 * The same sentence in every language; a server may know more of them than these two.
 */
export interface Translations {
  en: string;
  zh: string;
  [k: string]: unknown;
}
/**
 * A phrase by its name; or an empty one with a text in somebody's own words, which goes only to
 * the people at the table.
 */
export interface ChatEntry {
  seq: number;
  seat: number;
  phrase: string;
  at_ms: number;
  text?: string;
}
export interface ClockTimes {
  kind: 'increment' | 'days';
  remaining_ms: number[];
  running: number | null;
  at_ms: number;
  increment_ms: number;
}
/**
 * `revealed`: a card was turned up or drawn in what would be undone.
 */
export interface TakebackInfo {
  by: number;
  agreed: number[];
  waiting: number[];
  revealed?: boolean;
}
export interface RematchInfo {
  by: number;
  agreed: number[];
  waiting: number[];
  table: string | null;
}
export interface FinalResult {
  ranking: number[];
  points: number[];
  cards: number[];
  reason: 'target' | 'stalled' | 'resign' | 'time' | 'abandon' | 'closed';
  winners: number[];
}
/**
 * The game went on: only what changed.
 */
export interface GameState {
  v: number;
  type: 'gameState';
  seq: number;
  version: number;
  by: number | null;
  events: string[];
  log: LogLine[];
  log_from: number;
  you: number | null;
  view: ViewChange;
  facts?: FactsChange;
  legal: string[] | LegalMove[];
  clocks: ClockTimes | null;
  status: 'open' | 'running' | 'finished';
  last_round: boolean;
}
/**
 * Who sits where has changed.
 */
export interface Seats {
  v: number;
  type: 'seats';
  seq: number;
  table: TableInfo;
}
export interface ChatLine {
  v: number;
  type: 'chatLine';
  seq: number;
  seat: number;
  phrase: string;
  at_ms: number;
  text?: string;
}
/**
 * Somebody came or went; ephemeral. `claim_in_s`: until a claim or a take-over is possible.
 */
export interface Presence {
  v: number;
  type: 'presence';
  seq: number;
  seat: number;
  here: boolean;
  claim_in_s: number | null;
}
/**
 * A take-back is asked for, agreed to, or (null) off the table.
 */
export interface Takeback {
  v: number;
  type: 'takeback';
  seq: number;
  takeback: TakebackInfo | null;
}
export interface Rematch {
  v: number;
  type: 'rematch';
  seq: number;
  rematch: RematchInfo | null;
}
/**
 * The game is over and its seed is revealed: anybody can check it against the commitment.
 */
export interface GameFinish {
  v: number;
  type: 'gameFinish';
  seq: number;
  result: FinalResult;
  seed: string;
  table: TableInfo;
}
/**
 * The review of this table's game has come further: `done` of `of` turns are judged. It is at
 * `/api/reviews/{id}`.
 */
export interface ReviewNews {
  v: number;
  type: 'review';
  seq: number;
  id: string;
  state: 'waiting' | 'working' | 'done' | 'failed';
  done: number;
  of: number;
}
/**
 * The answer to a command: it is durable, as event number `event`.
 */
export interface Accepted {
  v: number;
  type: 'accepted';
  seq: number;
  id: string;
  version: number;
  event: number;
}
export interface Refused {
  v: number;
  type: 'refused';
  seq: number;
  id: string;
  problem: Problem;
}
/**
 * RFC 9457, with the refusal's code, its parameters and its sentence.
 */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  params: {
    [k: string]: unknown;
  };
  sentence: Translations;
  since?: {
    [k: string]: unknown;
  };
}
/**
 * What the moves would do, or why they may not; nothing has changed.
 */
export interface Checked {
  v: number;
  type: 'checked';
  seq: number;
  id: string;
  ok: boolean;
  after: Effect | null;
  problem: Problem | null;
}
export interface Pong {
  v: number;
  type: 'pong';
  seq: number;
  id: string;
}
/**
 * The listed tables that are open or running: the first message of the lobby.
 */
export interface LobbyFull {
  v: number;
  type: 'lobbyFull';
  seq: number;
  tables: TableInfo[];
}
/**
 * A table is new or has changed (`table`), or is no more (`removed`: its id).
 */
export interface LobbyChange {
  v: number;
  type: 'lobbyChange';
  seq: number;
  table: TableInfo | null;
  removed: string | null;
}
/**
 * In a bot's event stream: a game of its token has started, or is over.
 */
export interface GameEvent {
  v: number;
  type: 'gameStart' | 'gameFinish';
  table: TableInfo;
  seats: number[];
}
