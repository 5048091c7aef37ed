/** Verdicts in whole words: for rows of the move list, for the graph's table, for those who listen. */

import { MARK } from '../generated/marks';
import { said, tr } from '../i18n';
import type { LogLine } from '../protocol';
import { lineInWords, stagedInWords } from '../speech';
import { newPlay, type Play } from '../state';
import type { TreeNode } from './tree';
import type { Reason, StudyStep } from './types';
import { perCent, sumOf, type Judged } from './verdicts';
import { ws } from './words';

interface Named {
  readonly table: Play['table'];
  roundOf: (step: StudyStep) => number;
}

export function lineSpoken({ table }: Pick<Named, 'table'>, line: LogLine): string {
  return lineInWords({ ...newPlay(), table, held: [0, 1] }, line);
}

/** "A mistake, gave away 12 points"; nothing for a move without a fault. */
export function markInWords({ decision }: Judged): string {
  const { mark, loss } = decision;
  if (!mark) return '';
  const verdict = said(MARK[mark]);
  return mark === '!' ? verdict : tr().list([verdict, ws().lost(perCent(loss))]);
}

export function luckInWords({ turn, closes }: Judged): string {
  const points = perCent(turn.luck);
  if (!closes || !points) return '';
  return points > 0 ? ws().lucky(points) : ws().unlucky(-points);
}

/** What happened, and what to think of it. */
export function rowInWords(named: Named, { step }: TreeNode, judged: Judged | null): string {
  const done = step.log ? lineSpoken(named, step.log) : (step.event ?? '');
  return sentences(judged ? [done, markInWords(judged), luckInWords(judged)] : [done]);
}

export const reasonsInWords = (reasons: readonly Reason[]): string => reasons.map(({ text }) => said(text)).join(tr().betweenSentences);

/** The whole verdict on one decision, as it is said when one comes to it. */
export function decisionInWords(named: Named, node: TreeNode, judged: Judged | null): string {
  const parts = [ws().roundOf(named.roundOf(node.step)), rowInWords(named, node, null)];
  if (judged) {
    const { skill, luck, chance } = sumOf(judged.turn);
    parts.push(markInWords(judged), judged.closes ? ws().equation(skill, luck, chance) : '', explanation(judged));
  }
  if (node.comment) parts.push(node.comment);
  return sentences(parts);
}

/** Why: what the better move would have done, or what is good about the one that was played. */
export function explanation({ decision }: Judged): string {
  if (!decision.analysis) return '';
  if (decision.move === decision.best) return sentences([ws().best, reasonsInWords(decision.why_played)]);
  if (!decision.mark || decision.mark === '!') return reasonsInWords(decision.why_played);
  return sentences([ws().betterWas(stagedInWords([decision.best])), reasonsInWords(decision.why)]);
}

/** Parts joined, each beginning and ending as a sentence does. */
export function sentences(parts: string[]): string {
  const stop = tr().fullStop;
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => part[0]!.toUpperCase() + part.slice(1) + (/[.。!?！？:：]$/.test(part) ? '' : stop))
    .join(tr().betweenSentences);
}
