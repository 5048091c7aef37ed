/** Your mistakes in a game, and what to think of another try. The engine's figures come from the
 *  server; here they are only compared. */

import type { Analysis, Decision, EngineLine, Review, ReviewTurn, StudyStep, StudyTree } from '../studio/types';
import { isMistake, judgedOf } from '../studio/verdicts';

export interface Mistake {
  table: string;
  turn: ReviewTurn;
  decision: Decision;
  /** The position before the decision, and what led to it. */
  step: StudyStep;
  /** How many decisions had been made. */
  index: number;
}

/** What a try is worth: the best, as good as it, better than the game, the game's own, or none. */
export type Grade = 'best' | 'good' | 'better' | 'same' | 'worse';

export interface Verdict {
  grade: Grade;
  move: string;
  /** The chance that the try keeps; null where the engine never looked at it. */
  value: number | null;
}

/** A value that wavers by more than this says nothing yet: then the engine is asked. */
export const MOST_DOUBT = 0.04;
/** Whatever the doubt, a move that gives away so much is no answer. */
const MOST_GIVEN_AWAY = 0.05;
/** Less than this is not worth calling better. */
const LEAST_GAIN = 0.02;

/** The decisions marked ? and ??, of those seats, in the order of the game. */
export function mistakesIn(tree: StudyTree, review: Review, seats: readonly number[]): Mistake[] {
  return judgedOf(review).flatMap(({ turn, decision }, index) => {
    if (!seats.includes(turn.seat) || !isMistake(decision.mark) || !decision.analysis) return [];
    const step = index === 0 ? tree.start : tree.lines[index - 1]?.step;
    return step && step.legal.length ? [{ table: tree.table ?? '', turn, decision, step, index }] : [];
  });
}

/** One standard error of a chance that was estimated by that many visits. */
export function doubtOf({ value, visits }: Pick<EngineLine, 'value' | 'visits'>): number {
  if (value === null || visits < 1) return 1;
  // A chance of 0 or 1 after few visits is not certain: half a visit of each kind is added.
  const smoothed = (value * visits + 0.5) / (visits + 1);
  return Math.sqrt((smoothed * (1 - smoothed)) / visits);
}

export function lineOf(analysis: Analysis | null, move: string): EngineLine | undefined {
  return analysis?.moves.find((line) => line.move === move);
}

export function bestLine(analysis: Analysis): EngineLine | undefined {
  return lineOf(analysis, analysis.best) ?? analysis.moves[0];
}

/** The mover's chance with the best move, and with the one that was played. */
export function chancesOf({ decision, turn }: Pick<Mistake, 'decision' | 'turn'>): { best: number; played: number } {
  const analysis = decision.analysis;
  const best = (analysis && bestLine(analysis)?.value) ?? analysis?.chances[turn.seat] ?? turn.before;
  return { best, played: Math.max(0, best - decision.loss) };
}

/** Whether the analysis knows enough about that move to judge it. */
export function isKnown(analysis: Analysis, move: string): boolean {
  if (move === analysis.best) return true;
  const line = lineOf(analysis, move);
  return line !== undefined && doubtOf(line) <= MOST_DOUBT;
}

/** What to think of the move. The game's own move is never an answer, however close it came. */
export function judge(mistake: Mistake, move: string, analysis: Analysis): Verdict {
  if (move === mistake.decision.move) return { grade: 'same', move, value: chancesOf(mistake).played };
  const best = bestLine(analysis);
  const line = lineOf(analysis, move);
  const value = line?.value ?? null;
  if (move === analysis.best || move === mistake.decision.best) return { grade: 'best', move, value: value ?? chancesOf(mistake).best };
  if (!line || value === null || !best || best.value === null) return { grade: 'worse', move, value };
  const given = best.value - value;
  const doubt = Math.min(Math.hypot(doubtOf(best), doubtOf(line)), MOST_GIVEN_AWAY);
  if (given <= doubt) return { grade: 'good', move, value };
  return { grade: value - playedValue(mistake, analysis, best.value) >= LEAST_GAIN ? 'better' : 'worse', move, value };
}

/** The game's move by the same analysis, so that like is compared with like. */
function playedValue(mistake: Mistake, analysis: Analysis, best: number): number {
  const line = lineOf(analysis, mistake.decision.move);
  const lost = best - mistake.decision.loss;
  return line?.value != null && doubtOf(line) <= MOST_DOUBT ? Math.min(line.value, best) : lost;
}

export const isAnswer = (grade: Grade): boolean => grade === 'best' || grade === 'good';

export type Kind = 'take' | 'buy' | 'reserve' | 'noble' | 'return' | 'pass';

/** What kind of move it is: the first hint. */
export function kindOf(move: string): Kind {
  return move.split(' ')[0] as Kind;
}

/** Where on the table it is made: the second hint. */
export function spotsOf(move: string): string[] {
  const [kind, what = ''] = move.split(' ');
  if (kind === 'take' || kind === 'return') return [...new Set(what)].map((letter) => `bank-${letter}`);
  return kind === 'buy' || kind === 'reserve' ? [what] : [];
}

/** The moves worth showing beside the answer: the best, the next best, the game's. */
export function compared(mistake: Mistake, analysis: Analysis, tried: string | null): { move: string; value: number; role: 'best' | 'tried' | 'good' | 'played' }[] {
  const { decision } = mistake;
  const chances = chancesOf(mistake);
  const best = bestLine(analysis);
  const others = analysis.moves
    .filter((line) => line.move !== best?.move && line.move !== decision.move && line.value !== null)
    .filter((line) => line.move === tried || doubtOf(line) <= MOST_DOUBT)
    .sort((a, b) => Number(b.move === tried) - Number(a.move === tried) || (b.value ?? 0) - (a.value ?? 0));
  const second = others[0];
  return [
    { move: best?.move ?? decision.best, value: best?.value ?? chances.best, role: 'best' as const },
    ...(second && (second.value ?? 0) > chances.played ? [{ move: second.move, value: second.value ?? 0, role: second.move === tried ? ('tried' as const) : ('good' as const) }] : []),
    { move: decision.move, value: chances.played, role: 'played' as const },
  ];
}

const SOLVED = 'cabochon.mistakes';
const MOST_SOLVED = 600;

/** Which game and which decision, the same from wherever it is looked at. */
export const nameOf = ({ table, decision }: Mistake): string => `${table}:${decision.ply}`;

export function solvedBefore(): Set<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(SOLVED) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}

export function rememberSolved(mistake: Mistake): void {
  const all = [...solvedBefore().add(nameOf(mistake))].slice(-MOST_SOLVED);
  try {
    localStorage.setItem(SOLVED, JSON.stringify(all));
  } catch {
    // Without storage it may be asked once more.
  }
}
