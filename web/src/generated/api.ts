/** Written by web/scripts/types.mjs from docs/openapi.json. */

/**
 * What happens to a seat whose time is over.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AtZero".
 */
export type AtZero = 'bot' | 'lose';
/**
 * Puzzles are no games, but have a rating of their own as well.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RatingKind".
 */
export type RatingKind = 'two' | 'more' | 'quick' | 'teams' | 'puzzles';
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
 * What a search found, the best move first.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "AnalysisJson".
 */
export interface AnalysisJson {
  chances: number[];
  best: string;
  moves: CandidateJson[];
  variation: string[];
  visits: number;
}
/**
 * A move that was looked at. `value` is the mover's chance after it, null if never tried.
 * `why` is told by the live engine.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CandidateJson".
 */
export interface CandidateJson {
  move: string;
  value: number | null;
  visits: number;
  prior: number;
  why?: ReasonJson[];
}
/**
 * Why a move is good: its kind, what it is about, and the sentence.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReasonJson".
 */
export interface ReasonJson {
  kind: string;
  card?: string;
  noble?: string;
  colour?: string;
  seat?: number;
  count?: number;
  text: Translations;
}
/**
 * The same sentence in every language; a server may know more of them than these two.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Translations".
 */
export interface Translations {
  en: string;
  zh: string;
  [k: string]: unknown;
}
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
 * via the `definition` "BlockedPeople".
 */
export interface BlockedPeople {
  people: SomebodyBlocked[];
}
/**
 * `name` is null for somebody who is gone.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SomebodyBlocked".
 */
export interface SomebodyBlocked {
  id: string;
  name: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BoardBot".
 */
export interface BoardBot {
  bot: string;
  rating: RatingInfo;
}
/**
 * `deviation` is one standard deviation: two to either side hold the truth with 95 %.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RatingInfo".
 */
export interface RatingInfo {
  value: number;
  deviation: number;
  games: number;
  provisional: boolean;
}
/**
 * `recent` are the last ratings, the oldest first.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BoardRow".
 */
export interface BoardRow {
  rank: number;
  id: string;
  name: string;
  rating: RatingInfo;
  games: number;
  recent: number[];
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
 * `elo` is measured, by number of players; greedy is 1000. `error` is half its 95 % interval,
 * `deviation` one standard deviation, as with people's ratings. Levels have a hardness on Mohs'
 * scale; styles are characters; plain ones are for programs.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "BotInfo".
 */
export interface BotInfo {
  name: string;
  title: Translations;
  about: Translations;
  elo: {
    [k: string]: number;
  };
  error: {
    [k: string]: number;
  };
  deviation: {
    [k: string]: number;
  };
  kind: 'level' | 'style' | 'plain';
  hardness: number | null;
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
  name: Translations;
  points: number;
  cost: number[];
}
/**
 * `person` is the public id of the player, if it is a person known to the server.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ChairInfo".
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
 * One of `phrase` and `text`.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Chat".
 */
export interface Chat {
  phrase?: string | null;
  text?: string | null;
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
 * via the `definition` "CheckResult".
 */
export interface CheckResult {
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
  sentence: Translations;
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
 * via the `definition` "CodeSignIn".
 */
export interface CodeSignIn {
  bring?: boolean;
  name: string;
  code: string;
}
/**
 * All lessons in order, and the command that made the figures they quote.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "CourseInfo".
 */
export interface CourseInfo {
  lessons: LessonInfo[];
  figures: string;
}
/**
 * A lesson in the list: how long it takes, and how many questions it asks.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LessonInfo".
 */
export interface LessonInfo {
  id: string;
  part: 'basics' | 'strategy';
  title: Translations;
  minutes: number;
  steps: number;
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
 * One decision, judged; `analysis` is null where there was no choice.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DecisionJson".
 */
export interface DecisionJson {
  ply: number;
  move: string;
  best: string;
  skill: number;
  loss: number;
  mark: ('!' | '?!' | '?' | '??') | null;
  why: ReasonJson[];
  why_played: ReasonJson[];
  analysis: AnalysisJson | null;
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
 * A decision of a tree that was edited: no more than what a record says of it. `event` is
 * null only where the start waits for a card: then this is that card, `dealt`.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "DraftNode".
 */
export interface DraftNode {
  event?: string | null;
  dealt?: string | null;
  comment?: string;
  /**
   * @maxItems 50
   */
  variations?: DraftNode[][];
}
/**
 * Who judged.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "EngineJson".
 */
export interface EngineJson {
  name: string;
  network: string;
  visits: number;
  seed: number;
  knowledge: 'own' | 'all-cards';
}
/**
 * A position, or what one seat knows of it (a view); the answer is what the seat to decide
 * should play. With `all-cards` the reserved cards in a position's text are known to the
 * engine.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "EngineQuestion".
 */
export interface EngineQuestion {
  position: string;
  lines?: number;
  visits?: number;
  knowledge?: 'own' | 'all-cards';
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
 * Give an open chair, or the first of them, to a bot; null takes the chair from the bot that
 * was seated there.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Fill".
 */
export interface Fill {
  bot: string | null;
  chair?: number | null;
  seat?: number | null;
}
/**
 * `you` and `result` are those of the person whose list it is in. `review` is the quick review,
 * once it is done. `public`: others find the game in the list of those who played it.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FinishedGame".
 */
export interface FinishedGame {
  table: string;
  ended_ms: number;
  kind: RatingKind;
  ruleset: string;
  seats: FinishedSeat[];
  you: number | null;
  result: ('won' | 'lost' | 'drawn') | null;
  reason: string;
  rounds: number;
  clock: ClockInfo | null;
  rated: boolean;
  review: string | null;
  mistakes: number | null;
  public: boolean;
}
/**
 * `person` is null for a bot, and for somebody of whom no more is known than a name. `rating`
 * is what it was before the game, `change` what the game did to it. `sources` are points by the
 * colour of the card they stand on, and of `nobles`.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FinishedSeat".
 */
export interface FinishedSeat {
  person: string | null;
  bot: string | null;
  name: string;
  rating: number | null;
  change: number | null;
  points: number;
  place: number;
  sources: {
    [k: string]: number;
  };
  accuracy: number | null;
  luck: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FinishedGames".
 */
export interface FinishedGames {
  games: FinishedGame[];
  next: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FoundPeople".
 */
export interface FoundPeople {
  people: FoundPerson[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FoundPerson".
 */
export interface FoundPerson {
  id: string;
  name: string;
  kept: boolean;
  rating: RatingInfo | null;
}
/**
 * Whether you could keep that name, and if not, why.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "FreeName".
 */
export interface FreeName {
  free: boolean;
  why?: Problem | null;
}
/**
 * How a game stands, in one line: for a list of one's games.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "GameGlance".
 */
export interface GameGlance {
  points: number[];
  round: number;
  to_move: number | null;
  winners: number[] | null;
  reason: ('target' | 'stalled' | 'resign' | 'time' | 'abandon' | 'closed') | null;
  decided_ms: number;
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
 * What the engine would do: the moves of the turn in order, and why the first of them. `chance`
 * is yours to win after it. `hints` counts the turns of this game in which you had a hint.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HintGiven".
 */
export interface HintGiven {
  version: number;
  moves: string[];
  why: ReasonJson[];
  chance: number;
  hints: number;
}
/**
 * `version` is the one that you see.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "HintWish".
 */
export interface HintWish {
  version: number;
  seat?: number | null;
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
 * via the `definition` "InvitationAnswer".
 */
export interface InvitationAnswer {
  share_hash?: string | null;
}
/**
 * Somebody asks you for a game, or (`mine`) you have asked them: `person` and `name` are the
 * other's. `table` is where both of you sit, once it is accepted.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "InvitationTold".
 */
export interface InvitationTold {
  id: string;
  mine: boolean;
  person: string;
  name: string;
  pool: string;
  rated: boolean;
  state: 'open' | 'accepted' | 'declined';
  table: string | null;
  until_ms: number;
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
 * What anybody may know of a table without looking at the cards. `from_position` means that
 * the game began from a position that somebody gave, and not from a fresh deal; `rated`, that it
 * counts for ratings, so nobody is helped; `takeback_asks`, that every take-back is asked for.
 * `hints` counts, by seat, the turns in which a hint was given. `texting` is there where people
 * may agree to write to one another: the seats that have.
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
  rated?: boolean;
  shares?: SharesInfo;
  from_position?: boolean;
  takeback_asks?: boolean;
  hints?: number[];
  texting?: number[];
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
 * The name is yours. `codes` are the recovery codes, shown once, with the first way back in.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Kept".
 */
export interface Kept {
  me: Me;
  codes: string[] | null;
}
/**
 * Who you are. A guest (`kept` is false) is known by this browser alone. Times are in
 * milliseconds since 1970; a kept name can be changed again after `rename_after_ms`.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Me".
 */
export interface Me {
  id: string;
  name: string;
  kept: boolean;
  since_ms: number;
  ratings?: {
    [k: string]: RatingInfo;
  };
  games?: number;
  ways: WaysIn;
  rename_after_ms: number | null;
  hidden: boolean;
}
/**
 * How you can come back from another device.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WaysIn".
 */
export interface WaysIn {
  passkeys: number;
  password: boolean;
  codes_left: number;
}
/**
 * What the live engine found about this position when it looked longest.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "KeptAnalysis".
 */
export interface KeptAnalysis {
  position: string;
  knowledge: 'own' | 'all-cards';
  engine: string;
  visits: number;
  analysis: AnalysisJson;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "KeptStudy".
 */
export interface KeptStudy {
  id: string;
  title: string;
  record: string;
  tree: StudyTree;
}
/**
 * A game as a tree: the main line, and what else could have been played. `comment` stands
 * before the first decision. The first `played` of the `lines` are the game; what comes after
 * them was only thought of. `live` means that the game is still being played: then there is
 * only what the caller may know of it.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyTree".
 */
export interface StudyTree {
  record: string;
  fingerprint: string | null;
  table: string | null;
  ruleset: string;
  players: string[];
  start: StudyStep;
  comment: string;
  lines: StudyNode[];
  played: number;
  ended: StudyEnd | null;
  live: boolean;
}
/**
 * One point of a study. `position` has all cards, so that it can be played on; in a game that
 * is still being played it is the caller's view, and `legal` is empty. `event` is the decision
 * that led here, `dealt` the card that came with it.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyStep".
 */
export interface StudyStep {
  ply: number;
  turn: number;
  view: ViewChange;
  facts: FactsChange | null;
  log: LogLine | null;
  position: string;
  legal: LegalMove[];
  event: string | null;
  dealt: string | null;
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
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlaceInfo".
 */
export interface PlaceInfo {
  level: number;
  place: number | null;
}
/**
 * One decision. `source` says where a card came from; `revealed`, that a turn was taken back
 * in which a card had been turned up or drawn; `rule`, why it could be taken back.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LogLine".
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
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LegalMove".
 */
export interface LegalMove {
  move: string;
  after: Effect;
}
/**
 * A decision. `variations` are other ways to play instead of it, each a line of its own.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyNode".
 */
export interface StudyNode {
  step: StudyStep;
  comment: string;
  variations: StudyNode[][];
}
/**
 * How the game ended; nobody has won one that was broken off.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyEnd".
 */
export interface StudyEnd {
  reason: string;
  winners: number[];
}
/**
 * The seat that each key plays here, in the order asked; null for a key that plays none. With a
 * seat you also get how the game stands.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "KeySeats".
 */
export interface KeySeats {
  seats: (number | null)[];
  table: TableInfo;
  game?: GameGlance | null;
}
/**
 * How somebody fares against the levels, and which would be a fair match.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LadderInfo".
 */
export interface LadderInfo {
  kind: RatingKind;
  levels: LadderLevel[];
  fair: string | null;
  why: Translations | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LadderLevel".
 */
export interface LadderLevel {
  bot: string;
  played: number;
  won: number;
}
/**
 * `you` is where you stand or would stand, and `listed` whether others see you there: guests
 * are listed once their rating is settled. `week` is how many places you have come up within seven
 * days, below zero for down.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Leaderboard".
 */
export interface Leaderboard {
  people: BoardRow[];
  bots: BoardBot[];
  count: number;
  you: BoardRow | null;
  listed: boolean;
  week: number | null;
  next: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LearnableGame".
 */
export interface LearnableGame {
  table: string;
  seat: number;
  mistakes: number;
  ended_ms: number;
}
/**
 * Games with `?` and `??` that one has not gone through yet.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LearnableGames".
 */
export interface LearnableGames {
  tables: LearnableGame[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Learnt".
 */
export interface Learnt {
  learnt?: boolean;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LessonOption".
 */
export interface LessonOption {
  id: string;
  text: Translations;
}
/**
 * One step: what to read, the table, and what is asked. It is answered by a move of `seat` on
 * the table, or, where there are `options`, by one of those. `bots` are the names of the others,
 * null for that seat; `spots` are the cards and piles to look at.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LessonQuestion".
 */
export interface LessonQuestion {
  text: Translations[];
  ask: Translations;
  options: LessonOption[];
  start: StudyStep;
  seat: number;
  bots: (string | null)[];
  ruleset: string;
  target: number;
  spots: string[];
}
/**
 * A lesson without its answers; `next` is the one after it.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LessonTold".
 */
export interface LessonTold {
  id: string;
  part: 'basics' | 'strategy';
  title: Translations;
  minutes: number;
  number: number;
  steps: LessonQuestion[];
  next: LessonInfo | null;
}
/**
 * Whether it was right, what is to be said about it, and what the table shows then. The
 * `move` or `option` is what was answered.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LessonTried".
 */
export interface LessonTried {
  right: boolean;
  says: Translations;
  steps: StudyStep[];
  move: string | null;
  option: string | null;
}
/**
 * An answer to that step, 0 being the first: the moves of one turn, or the option chosen.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LessonTry".
 */
export interface LessonTry {
  step?: number;
  /**
   * @maxItems 3
   */
  moves?: string[];
  option?: string | null;
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
 * A game being played. `chances` are the engine's, by seat: null where there are none yet, and
 * always for the players themselves. `delay_s` is how far behind the game all of this is. `show`:
 * bots at play, for as long as somebody watches.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "LiveGame".
 */
export interface LiveGame {
  table: string;
  seats: WatchedSeat[];
  round: number;
  to_act: number | null;
  watching: number;
  rated: boolean;
  clock: ClockInfo | null;
  board: MiniBoard;
  chances: number[] | null;
  delay_s: number;
  show: boolean;
}
/**
 * `left_ms` is the time left on the clock, if there is one.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WatchedSeat".
 */
export interface WatchedSeat {
  name: string | null;
  person: string | null;
  bot: string | null;
  rating: number | null;
  points: number;
  left_ms: number | null;
}
/**
 * What lies on the table. Rows are from level 1 on; `last` is the card that was bought,
 * reserved or turned up last.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MiniBoard".
 */
export interface MiniBoard {
  rows: (string | null)[][];
  nobles: string[];
  bank: number[];
  decks: number[];
  last: string | null;
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
 * What to change; what is left out stays.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MeChange".
 */
export interface MeChange {
  name?: string | null;
  hidden?: boolean | null;
}
/**
 * Games against somebody: a person, or a bot.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Meeting".
 */
export interface Meeting {
  person: string | null;
  bot: string | null;
  name: string;
  won: number;
  lost: number;
  drawn: number;
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
  title: Translations;
}
/**
 * One thing that can be said at a table, in every language the server knows.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Phrase".
 */
export interface Phrase {
  id: string;
  en: string;
  zh: string;
  [k: string]: unknown;
}
/**
 * In which box a mistake lies (0 to 6: in the last one it is learnt), the day it is due again,
 * and when it was answered.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MistakeAsked".
 *
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^[a-z0-9]{4,16}:\d{1,4}$".
 */
export interface MistakeAsked {
  box: number;
  due: string;
  at_ms?: number;
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
 * How far you are: questions answered by lesson, and whether the guided game is played.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MyLessons".
 */
export interface MyLessons {
  steps?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^[a-z]{2,16}$".
     */
    [k: string]: number;
  };
  game?: boolean;
}
/**
 * The days whose puzzle you have solved, by your own calendar; your best storm; and when your
 * mistakes are asked again, each by its table and how many decisions came before it.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MyPractice".
 */
export interface MyPractice {
  /**
   * @maxItems 400
   */
  days?: string[];
  storm?: number;
  mistakes?: {
    [k: string]: MistakeAsked;
  };
}
/**
 * How you get on: your rating, how many you have solved and failed, and the ids of those you
 * have met, the newest last.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "MyPuzzles".
 */
export interface MyPuzzles {
  rating: RatingInfo;
  solved: number;
  failed: number;
  met: string[];
}
/**
 * Who you would like to be; without a name you get one.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewGuest".
 */
export interface NewGuest {
  name?: string | null;
}
/**
 * Without `rated`, rated if both of you keep your names. `share_hash` as in a pool.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewInvitation".
 */
export interface NewInvitation {
  person: string;
  pool?: string;
  rated?: boolean | null;
  share_hash?: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewPasskey".
 */
export interface NewPasskey {
  credential: {
    [k: string]: unknown;
  };
  label?: string;
}
/**
 * `current` is the one so far, or leave it out shortly after you have signed in.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewPassword".
 */
export interface NewPassword {
  password: string;
  name?: string | null;
  current?: string | null;
}
/**
 * Something that the host should know about a person, with the game it happened in.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewReport".
 */
export interface NewReport {
  person: string;
  kind: 'abuse' | 'cheating' | 'stalling' | 'name' | 'other';
  table?: string | null;
  text?: string;
}
/**
 * The game is a finished table here, or a record: its text, or its JSON as an object or as a
 * string.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewReview".
 */
export interface NewReview {
  table?: string | null;
  record?:
    | string
    | {
        [k: string]: unknown;
      }
    | null;
  depth?: 'quick' | 'deep';
  knowledge?: 'own' | 'all-cards';
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "NewStudy".
 */
export interface NewStudy {
  record: string;
  title?: string;
}
/**
 * A table to be made, with one chair for each seat. With a `position` the game begins there,
 * under its rules: then `variant`, `seats`, `scarce_take` and `target` may be left out. A `rated`
 * game has no take-backs, and a player who leaves or runs out of time loses it, no matter what the
 * other options say; between people it needs a clock.
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
  takeback_asks?: boolean;
  rated?: boolean;
  /**
   * @minItems 2
   * @maxItems 4
   */
  chairs: (MeChair | LocalChair | OpenChair | BotChair)[];
  position?: string | null;
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
 * via the `definition` "OwnInvitations".
 */
export interface OwnInvitations {
  invitations: InvitationTold[];
}
/**
 * Where you sit, and the game is not over; the newest first.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OwnTables".
 */
export interface OwnTables {
  tables: KeySeats[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OwnToken".
 */
export interface OwnToken {
  id: string;
  name: string;
  scopes: string[];
  created_ms: number;
  used_ms: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "OwnTokens".
 */
export interface OwnTokens {
  tokens: OwnToken[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PasskeyInfo".
 */
export interface PasskeyInfo {
  id: string;
  label: string;
  created_ms: number;
  used_ms: number | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PasskeyList".
 */
export interface PasskeyList {
  passkeys: PasskeyInfo[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PasskeySignIn".
 */
export interface PasskeySignIn {
  bring?: boolean;
  credential: {
    [k: string]: unknown;
  };
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PasswordSignIn".
 */
export interface PasswordSignIn {
  bring?: boolean;
  name: string;
  password: string;
}
/**
 * How many are connected to this server.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PeopleHere".
 */
export interface PeopleHere {
  here: number;
}
/**
 * Means a game over somebody's games of one kind. `won`, `drawn` and `lost` are shares of the
 * games. `rounds` counts games that were played to the end. `first` and `later` are the seats.
 * `luck` is in points of win chance, `accuracy` the last reviewed games: when, and how accurate
 * in per cent. `streak` counts victories in a row, or below zero defeats. `colours` are shares of
 * the cards, in the order white, blue, green, red, black.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PlayerStats".
 */
export interface PlayerStats {
  games: number;
  won: number;
  drawn: number;
  lost: number;
  played_out: number;
  rounds: number | null;
  first: SeatScore;
  later: SeatScore;
  points: number;
  card_points: number;
  noble_points: number;
  cards: number;
  nobles: number;
  reserved: number;
  reserved_bought: number;
  colours: number[];
  reviewed: number;
  mistakes: number;
  luck: number | null;
  mean_accuracy: number | null;
  accuracy: unknown[][];
  streak: number;
  best_streak: number;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SeatScore".
 */
export interface SeatScore {
  games: number;
  won: number;
}
/**
 * People who wait for the same kind of game. `rated` says which side you would join: rated
 * games need a kept name. `waiting` are those on that side, `needs` how many more make a table.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PoolInfo".
 */
export interface PoolInfo {
  id: string;
  kind: string;
  seats: number;
  target: number;
  clock: ClockInfo;
  rated: boolean;
  waiting: number;
  needs: number | null;
  waiting_rated: number;
  waiting_friendly: number;
}
/**
 * Without `rated`, rated if you keep your name. `share_hash` is the hash of a share for the
 * deal, which the table will then ask for.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PoolJoin".
 */
export interface PoolJoin {
  rated?: boolean | null;
  share_hash?: string | null;
}
/**
 * Your place in a pool; with a `table`, you sit there.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PoolTicket".
 */
export interface PoolTicket {
  pool: string;
  rated: boolean;
  since_ms: number;
  table: string | null;
}
/**
 * A position's text, or the JSON of one that may be wrong in any number of ways. `seat` and
 * `decks` follow from the rest and are not looked at.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PositionCheck".
 */
export interface PositionCheck {
  text?: string | null;
  setup?: {
    [k: string]: unknown;
  } | null;
}
/**
 * `position` and `step` are there when nothing is wrong. `setup` is what was read, in the
 * canonical form, if it could be read.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PositionChecked".
 */
export interface PositionChecked {
  position: string | null;
  step: StudyStep | null;
  setup: {
    [k: string]: unknown;
  } | null;
  faults: PositionFault[];
}
/**
 * What is wrong, and where: `bank.w`, `rows.2.3` (level and place, from 1), `nobles`,
 * `hands.0.tokens.w`, `hands.0.bought`, `turn`, `phase`, ...
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PositionFault".
 */
export interface PositionFault {
  code: string;
  where: string;
  text: Translations;
  repair: PositionRepair | null;
}
/**
 * What would put the fault right, and the whole arrangement afterwards.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PositionRepair".
 */
export interface PositionRepair {
  text: Translations;
  setup: {
    [k: string]: unknown;
  };
}
/**
 * A person as others may know them; of one who is `hidden`, others know no more than the
 * name.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Profile".
 */
export interface Profile {
  id: string;
  name: string;
  kept: boolean;
  since_ms: number;
  seen_ms: number;
  here: boolean;
  hidden: boolean;
  games: number;
  ratings: {
    [k: string]: RatingInfo;
  };
  stats: {
    [k: string]: PlayerStats;
  } | null;
  head_to_head: Meeting[];
  ladder: LadderInfo | null;
  you: boolean;
}
/**
 * One of these shows that it is you.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "Proof".
 */
export interface Proof {
  password?: string | null;
  code?: string | null;
  credential?: {
    [k: string]: unknown;
  } | null;
}
/**
 * A puzzle without its answer. `rating` is how hard it is now: measured with bots, and moved a
 * little by people. `seat` is to find the move, in so many `turns`; `bots` are
 * the names of the others, null for that seat. `day` is said of a puzzle of the day. One that is
 * `retired` is offered no more, as a longer search found another move about as good; it does not
 * count.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleAsked".
 */
export interface PuzzleAsked {
  id: string;
  theme: 'win2' | 'win3' | 'only' | 'stop' | 'noble' | 'return' | 'gold';
  turns: number;
  rating: number;
  seat: number;
  bots: (string | null)[];
  ruleset: string;
  target: number;
  start: StudyStep;
  day: string | null;
  retired?: boolean;
}
/**
 * What kind of move it is, and, asked for more, which cards or tokens it is about.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleHint".
 */
export interface PuzzleHint {
  kind: 'take' | 'reserve' | 'buy' | 'return' | 'noble' | 'pass';
  spots: string[];
  rating?: PuzzleRated | null;
}
/**
 * What the puzzle has done to your rating, when it counted: it does so once. A wrong try, a
 * hint or a look at the answer before it is solved counts as failed.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleRated".
 */
export interface PuzzleRated {
  solved: boolean;
  before: number;
  rating: RatingInfo;
}
/**
 * What there is: the version of the file, how many puzzles, and how many of each theme.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleShelf".
 */
export interface PuzzleShelf {
  version: number;
  puzzles: number;
  themes: PuzzleThemeCount[];
  made: string;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleThemeCount".
 */
export interface PuzzleThemeCount {
  theme: 'win2' | 'win3' | 'only' | 'stop' | 'noble' | 'return' | 'gold';
  puzzles: number;
}
/**
 * The whole line with what the others do, why its first move is good, in a win by force also
 * why the last one ends it, the solver's chance, and which levels of bots find the first move.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleSolution".
 */
export interface PuzzleSolution {
  steps: StudyStep[];
  why: Translations[];
  finish: Translations[];
  chance: number;
  found: string[];
  proved: boolean;
  rating?: PuzzleRated | null;
}
/**
 * `steps` is what happened: the try, and what follows it. `next` is the step to answer now;
 * null when it is solved, and then `solution` is there. `chance` is what the try leaves, where
 * that is known; nothing else is told of the answer before it is found. `rating` is there for
 * somebody whom the server knows, once the puzzle has counted.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleTried".
 */
export interface PuzzleTried {
  grade: 'right' | 'wrong';
  steps: StudyStep[];
  next: number | null;
  chance: number | null;
  solution: PuzzleSolution | null;
  rating?: PuzzleRated | null;
}
/**
 * The moves of one turn, as the answer to that step: 0 is the first. What is not `rated`, as in
 * a storm, does not count for your rating, and the puzzle never will.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzleTry".
 */
export interface PuzzleTry {
  step?: number;
  /**
   * @minItems 1
   * @maxItems 3
   */
  moves: string[];
  rated?: boolean;
}
/**
 * What a browser has kept by itself. The rating is taken within bounds, once, and only before
 * anything has counted here; those `met` will not count.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "PuzzlesBrought".
 */
export interface PuzzlesBrought {
  rating?: number | null;
  /**
   * @maxItems 400
   */
  met?: string[];
}
/**
 * At most 200 points, the last one among them.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RatingHistory".
 */
export interface RatingHistory {
  points: RatingPoint[];
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RatingPoint".
 */
export interface RatingPoint {
  at_ms: number;
  value: number;
  deviation: number;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "RecoveryCodes".
 */
export interface RecoveryCodes {
  codes: string[];
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
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReportMade".
 */
export interface ReportMade {
  id: string;
}
/**
 * A review so far; `summary` and `turning_points` come when it is done.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReviewJson".
 */
export interface ReviewJson {
  v: number;
  type: 'review';
  record: string;
  ruleset: string;
  players: string[];
  engine: EngineJson;
  start: number[];
  turns: TurnJson[];
  summary?: SummaryJson[];
  turning_points?: number[];
}
/**
 * One turn of a seat: after - before = skill + luck.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TurnJson".
 */
export interface TurnJson {
  turn: number;
  seat: number;
  before: number;
  after: number;
  skill: number;
  luck: number;
  mark: ('!' | '?!' | '?' | '??') | null;
  dealt: string | null;
  chances: number[];
  decisions: DecisionJson[];
}
/**
 * One seat's game. `accuracy` is in per cent, null for a seat that never had a choice.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SummaryJson".
 */
export interface SummaryJson {
  seat: number;
  accuracy: number | null;
  mean_loss: number;
  skill: number;
  luck: number;
  marks: {
    [k: string]: number;
  };
}
/**
 * Where a review stands. `ahead` wishes come first, `done` of `of` turns are judged.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "ReviewState".
 */
export interface ReviewState {
  id: string;
  state: 'waiting' | 'working' | 'done' | 'failed';
  ahead: number;
  done: number;
  of: number;
  review: ReviewJson | null;
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
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SeatTaken".
 */
export interface SeatTaken {
  seat: number;
  key: string | null;
  table: TableInfo;
}
/**
 * A browser that knows you; `here` is the one you ask from.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SessionInfo".
 */
export interface SessionInfo {
  id: string;
  label: string;
  created_ms: number;
  seen_ms: number;
  here: boolean;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SessionList".
 */
export interface SessionList {
  sessions: SessionInfo[];
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
 * The answer is the same for every name.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "SignInOptions".
 */
export interface SignInOptions {
  name?: string | null;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyChanged".
 */
export interface StudyChanged {
  id: string;
  changed_ms: number;
}
/**
 * A tree to be written down. The names, the headers and the opening come from `record`, or
 * the opening from `start`, a position; the moves come from `tree` alone.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyFormat".
 */
export interface StudyFormat {
  record?: string;
  start?: string | null;
  comment?: string;
  /**
   * @maxItems 1000
   */
  tree: DraftNode[];
}
/**
 * `key` replaces the study later; it is shown once, and kept by the server only as a hash.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyMade".
 */
export interface StudyMade {
  id: string;
  key: string;
}
/**
 * At most one of `table`, `record` and `position`; with none of them a game for two is dealt.
 * `viewer` is whose cards are shown, `all` for everybody's. `watch` is the code of a table that
 * only those with the link may watch.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyOpen".
 */
export interface StudyOpen {
  table?: string | null;
  record?: string | null;
  position?: string | null;
  viewer?: string;
  watch?: string | null;
}
/**
 * Play on from a position: the decisions of one turn, or the first of them. `deal` is the
 * card that comes when one is due, or `chance`. `ply` is that of the node played from, so that
 * the new steps count on. Without moves, only the card that the position waits for is dealt.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyPlay".
 */
export interface StudyPlay {
  position: string;
  /**
   * @maxItems 3
   */
  moves: string[];
  deal?: 'chance' | string | null;
  ply?: number;
  viewer?: string;
}
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyPlayed".
 */
export interface StudyPlayed {
  steps: StudyStep[];
  wants: StudyWants | null;
}
/**
 * A card must come before it goes on: for that place of the row (from 1), or, with null,
 * into the hand of the seat to act. `cards` are all that can come.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyWants".
 */
export interface StudyWants {
  level: number;
  place: number | null;
  cards: string[];
}
/**
 * The canonical record with its variations, in both forms.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "StudyText".
 */
export interface StudyText {
  text: string;
  json: {
    [k: string]: unknown;
  };
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
 * Whether you want to read and write free text at this table.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "TextingSwitch".
 */
export interface TextingSwitch {
  on: boolean;
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
/**
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WatchPage".
 */
export interface WatchPage {
  featured: LiveGame | null;
  games?: LiveGame[];
  here: number;
}
/**
 * `person` is null for a browser that we have not met.
 *
 * This interface was referenced by `Api`'s JSON-Schema
 * via the `definition` "WhoAmI".
 */
export interface WhoAmI {
  person: Me | null;
}
