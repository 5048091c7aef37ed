/** What the studio asks and is told: studies, reviews and the live engine. The types come from the
 *  server's own description; here they get the names that the page uses. */

import type { DraftNode, KeptStudy, StudyNode, StudyPlayed, StudyStep, StudyText, StudyTree, StudyWants } from '../generated/api';
import type {
  AnalysisDoneLine,
  AnalysisJson,
  AnalysisLine,
  CandidateJson,
  DecisionJson,
  ReasonJson,
  ReviewDoneLine,
  ReviewHeadLine,
  ReviewJson,
  ReviewStateLine,
  ReviewTurnLine,
  SummaryJson,
  TurnJson,
} from '../generated/studio';

export type { KeptStudy, StudyNode, StudyStep, StudyTree };

/** Which cards can come, and where the one that comes will lie. */
export type Wants = StudyWants;
export type Played = StudyPlayed;
export type Formatted = StudyText;
/** A line as it is written down: no positions. */
export type Written = Required<Omit<DraftNode, 'variations'>> & { variations: Written[][] };

export type Mark = NonNullable<DecisionJson['mark']>;
export type Depth = 'quick' | 'deep';
export type Knowledge = 'own' | 'all-cards';
export type Reason = ReasonJson;
export type EngineLine = CandidateJson;
export type Analysis = AnalysisJson;
export type Decision = DecisionJson;
export type ReviewTurn = TurnJson;
export type SeatSummary = SummaryJson;
export type Review = ReviewJson;

/** Where a review stands: `ahead` wishes come first, `done` of `of` turns are judged. */
export type ReviewState = Omit<ReviewStateLine, 'type'> & { id: string; review: Review | null };
export type ReviewMessage = ReviewHeadLine | ReviewTurnLine | ReviewStateLine | ReviewDoneLine;
export type EngineMessage = AnalysisLine | AnalysisDoneLine;
