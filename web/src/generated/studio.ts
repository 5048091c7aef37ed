/** Written by web/scripts/types.mjs from docs/messages.schema.json. */

export type StudioLine =
  ReviewHeadLine | ReviewTurnLine | ReviewStateLine | ReviewDoneLine | AnalysisLine | AnalysisDoneLine;

export interface ReviewHeadLine {
  type: 'reviewHead';
  head: ReviewHeadJson;
}
/**
 * What is known before the first turn is judged.
 */
export interface ReviewHeadJson {
  v: number;
  type: 'review';
  record: string;
  ruleset: string;
  players: string[];
  engine: EngineJson;
  start: number[];
}
/**
 * Who judged.
 */
export interface EngineJson {
  name: string;
  network: string;
  visits: number;
  seed: number;
  knowledge: 'own' | 'all-cards';
}
export interface ReviewTurnLine {
  type: 'reviewTurn';
  turn: TurnJson;
}
/**
 * One turn of a seat: after - before = skill + luck.
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
 * One decision, judged; `analysis` is null where there was no choice.
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
 * Why a move is good: its kind, what it is about, and the sentence.
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
 */
export interface Translations {
  en: string;
  zh: string;
  [k: string]: unknown;
}
/**
 * What a search found, the best move first.
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
 */
export interface CandidateJson {
  move: string;
  value: number | null;
  visits: number;
  prior: number;
  why?: ReasonJson[];
}
/**
 * How far it is: `ahead` wishes come first, `done` of `of` turns are judged.
 */
export interface ReviewStateLine {
  type: 'reviewState';
  state: 'waiting' | 'working' | 'done' | 'failed';
  ahead: number;
  done: number;
  of: number;
}
/**
 * The last line.
 */
export interface ReviewDoneLine {
  type: 'reviewDone';
  review: ReviewJson;
}
/**
 * A review so far; `summary` and `turning_points` come when it is done.
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
 * One seat's game. `accuracy` is in per cent, null for a seat that never had a choice.
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
 * What has been found so far, after `visits` of `of`.
 */
export interface AnalysisLine {
  type: 'analysis';
  analysis: AnalysisJson;
  visits: number;
  of: number;
}
/**
 * The last line: the budget is used up, or there is nothing left to find.
 */
export interface AnalysisDoneLine {
  type: 'analysisDone';
  analysis: AnalysisJson;
  visits: number;
  of: number;
}
