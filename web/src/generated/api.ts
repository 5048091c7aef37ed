/** Written by web/scripts/types.mjs from docs/openapi.json. */

/**
 * What happens to a seat whose time is over.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AtZero".
 */
export type AtZero = 'bot' | 'lose';
/**
 * What happens to a seat whose player has been away for the grace time.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WhenGone".
 */
export type WhenGone = 'bot' | 'claim';
/**
 * Who may look on without a seat.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Watching".
 */
export type Watching = 'anyone' | 'link' | 'nobody';
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SeatOrder".
 */
export type SeatOrder = 'random' | 'fixed';

/**
 * All of it; a page takes what it needs.
 */
export interface Api {}
/**
 * Keys that came from somewhere, for instance a link.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AskedKeys".
 */
export interface AskedKeys {
  /**
   * @minItems 1
   * @maxItems 8
   */
  keys: string[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BotChair".
 */
export interface BotChair {
  kind: 'bot';
  bot: string;
}
/**
 * `elo` is measured, by number of players; greedy is 1000.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BotInfo".
 */
export interface BotInfo {
  name: string;
  title: Words;
  about: Words;
  elo: {
    [k: string]: number;
  };
}
/**
 * The same sentence in every language.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Words".
 */
export interface Words {
  en: string;
  zh: string;
}
/**
 * For the viewer: what is due after bonuses, what is short before gold, how many tokens are
 * missing after gold, the least-gold payment, and all payments when there are several.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CardFacts".
 */
export interface CardFacts {
  due: number[];
  short: number[];
  missing: number;
  pay: number[] | null;
  payments?: number[][];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CardInfo".
 */
export interface CardInfo {
  code: string;
  level: number;
  bonus: string;
  points: number;
  cost: number[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Cards".
 */
export interface Cards {
  cards: CardInfo[];
  nobles: NobleInfo[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NobleInfo".
 */
export interface NobleInfo {
  code: string;
  name: Words;
  points: number;
  cost: number[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChairInfo".
 */
export interface ChairInfo {
  seat: number;
  kind: 'open' | 'human' | 'bot';
  name: string | null;
  bot: string | null;
  here: boolean;
  stand_in: boolean;
  out: boolean;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Chat".
 */
export interface Chat {
  phrase: string;
  seat?: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Check".
 */
export interface Check {
  /**
   * @minItems 1
   * @maxItems 3
   */
  moves: string[];
  version?: number | null;
  seat?: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Checked".
 */
export interface Checked {
  ok: boolean;
  after: Effect | null;
  problem: Problem | null;
}
/**
 * What the viewer would have after a move.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Effect".
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
 * RFC 9457, with the refusal's code, its parameters and its sentence.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Problem".
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
  sentence: Words;
  since?: {
    [k: string]: unknown;
  };
}
/**
 * `gone` is the seat that has been away too long; not needed with two players.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Claim".
 */
export interface Claim {
  gone?: number | null;
  seat?: number | null;
}
/**
 * How time is given: `increment` has base_s and increment_s, `days` has days.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ClockInfo".
 */
export interface ClockInfo {
  kind: 'increment' | 'days';
  base_s?: number;
  increment_s?: number;
  days?: number;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DaysClock".
 */
export interface DaysClock {
  kind: 'days';
  days: number;
}
/**
 * It is durable: event `seq`, after which the game is at `version`.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Done".
 */
export interface Done {
  ok?: boolean;
  version: number;
  seq: number;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Expected".
 */
export interface Expected {
  seat: number | null;
  phase: string;
  excess: number;
  offered: string[];
}
/**
 * Everything a screen would otherwise have to compute from the rules; only what changed.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FactsChange".
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
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HandFacts".
 */
export interface HandFacts {
  bonuses: number[];
  points: number;
  side_points: number;
  tokens: number;
  cards: number;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NobleFacts".
 */
export interface NobleFacts {
  code: string;
  owner: number | null;
  have: number[][];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Gone".
 */
export interface Gone {
  grace_s?: number;
  policy?: WhenGone;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GoneInfo".
 */
export interface GoneInfo {
  grace_s: number;
  policy: 'bot' | 'claim';
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HandInfo".
 */
export interface HandInfo {
  tokens: number[];
  bought: string[];
  reserved: ReservedInfo[];
  nobles: string[];
}
/**
 * A known card (`card`, `blind`), or only the `level` of one that is not known.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReservedInfo".
 */
export interface ReservedInfo {
  card?: string;
  blind?: boolean;
  level?: number;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "IncrementClock".
 */
export interface IncrementClock {
  kind: 'increment';
  base_s: number;
  increment_s: number;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Invite".
 */
export interface Invite {
  seat: number;
  code: string;
  url: string;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "InviteInfo".
 */
export interface InviteInfo {
  table: TableInfo;
  seat: number;
}
/**
 * What anybody may know of a table without looking at the cards.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TableInfo".
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
  shares?: SharesInfo;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SeriesInfo".
 */
export interface SeriesInfo {
  id: string;
  game: number;
  score: number[];
}
/**
 * What people add to the deal. `hashes` and, once the game is over, `shares` are by seat.
 * Seats in `pledge` are asked for a new hash, then those in `reveal` for their share, until
 * `by_ms`. `round` is more than 1 when somebody held a share back.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SharesInfo".
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
 * By invitation (`code`), or to a listed table's open seat; who had to give a seat up may use
 * its former key as the code. A client that makes its own `key` may repeat the call when the
 * answer was lost, and gets the same one. `share_hash` is the hash of a share for the deal.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Join".
 */
export interface Join {
  name: string;
  key?: string | null;
  code?: string | null;
  seat?: number | null;
  share_hash?: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Joined".
 */
export interface Joined {
  seat: number;
  key: string | null;
  table: TableInfo;
}
/**
 * The seat that each key plays here, in the order asked; null for one that plays none.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "KeySeats".
 */
export interface KeySeats {
  seats: (number | null)[];
  table: TableInfo;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Limits".
 */
export interface Limits {
  name_length: number;
  move_length: number;
  moves_per_turn: number;
  message_bytes: number;
  requests_per_s: number;
}
/**
 * Somebody at the same device.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LocalChair".
 */
export interface LocalChair {
  kind: 'local';
  name: string;
}
/**
 * One decision. `source` says where a card came from; `revealed`, that a turn was taken back
 * in which a card had been turned up or drawn.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LogLine".
 */
export interface LogLine {
  ply: number;
  turn: number;
  seat: number | null;
  kind: string;
  text: Words;
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
}
/**
 * The one who makes the table. `share_hash` is the hash of a share that they add to the deal,
 * if at least two people play.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MeChair".
 */
export interface MeChair {
  kind: 'me';
  name: string;
  share_hash?: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Meta".
 */
export interface Meta {
  version: string;
  protocol: number;
  variants: VariantInfo[];
  bots: BotInfo[];
  phrases: Phrase[];
  limits: Limits;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "VariantInfo".
 */
export interface VariantInfo {
  name: string;
  seats: number[];
  target: number;
  row_width: number;
  teams: boolean;
  title: Words;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Phrase".
 */
export interface Phrase {
  id: string;
  en: string;
  zh: string;
}
/**
 * One submission: a whole turn or a part of it, played all or not at all.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Moves".
 */
export interface Moves {
  /**
   * @minItems 1
   * @maxItems 3
   */
  moves: string[];
  version: number;
  seat?: number | null;
}
/**
 * A table to be made, with one chair for each seat.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewTable".
 */
export interface NewTable {
  variant?: string;
  seats?: number;
  scarce_take?: boolean;
  target?: number | null;
  clock?: (IncrementClock | DaysClock) | null;
  at_zero?: AtZero;
  gone?: Gone;
  watch?: Watching;
  listed?: boolean;
  seat_order?: SeatOrder;
  takeback?: boolean;
  /**
   * @minItems 2
   * @maxItems 4
   */
  chairs: (MeChair | LocalChair | OpenChair | BotChair)[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OpenChair".
 */
export interface OpenChair {
  kind: 'open';
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewToken".
 */
export interface NewToken {
  name: string;
  /**
   * @minItems 1
   * @maxItems 3
   */
  scopes?: ('table:create' | 'table:join' | 'table:play')[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewTutorial".
 */
export interface NewTutorial {
  lang?: 'en' | 'zh';
}
/**
 * Which seat, for somebody who holds several.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OfSeat".
 */
export interface OfSeat {
  seat?: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlaceInfo".
 */
export interface PlaceInfo {
  level: number;
  place: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RematchAction".
 */
export interface RematchAction {
  action: 'offer' | 'accept' | 'decline';
  seat?: number | null;
  share_hash?: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RematchDone".
 */
export interface RematchDone {
  ok?: boolean;
  version: number;
  seq: number;
  table?: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Replay".
 */
export interface Replay {
  table: string;
  viewer: number | null;
  views: ReplayStep[];
}
/**
 * The position after decision `ply` (0: the start), and what that decision was.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReplayStep".
 */
export interface ReplayStep {
  ply: number;
  turn: number;
  view: ViewChange;
  facts: FactsChange | null;
  log: LogLine | null;
}
/**
 * The fields of a view that changed; the first view has all of them.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ViewChange".
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
/**
 * The secret that plays the seat: shown once, kept by the server only as a hash.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SeatKey".
 */
export interface SeatKey {
  seat: number;
  key: string;
}
/**
 * Add to the deal: `pledge` the hash of a share (64 hexadecimal digits), `reveal` the share
 * (32 of them) when it is asked for.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ShareAction".
 */
export interface ShareAction {
  action: 'pledge' | 'reveal';
  value: string;
  seat?: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TableMade".
 */
export interface TableMade {
  table: TableInfo;
  keys: SeatKey[];
  invites: Invite[];
  watch_code: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TablePage".
 */
export interface TablePage {
  tables: TableInfo[];
  cursor: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TakebackAction".
 */
export interface TakebackAction {
  action: 'ask' | 'agree' | 'decline';
  seat?: number | null;
}
/**
 * A token without its secret. Times are in milliseconds since 1970.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TokenInfo".
 */
export interface TokenInfo {
  id: string;
  name: string;
  scopes: string[];
  created_ms: number;
  last_used_ms: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TokenMade".
 */
export interface TokenMade {
  id: string;
  name: string;
  scopes: string[];
  token: string;
}
