/** Studies as the server tells them, cut down to what a test is about. */

import type { StudyNode, StudyStep, StudyTree } from '../src/studio/types';

export function step(event: string | null, over: Partial<StudyStep> = {}): StudyStep {
  return { ply: 0, turn: 0, view: {}, facts: null, log: null, position: `after ${event ?? 'nothing'}`, legal: [], event, dealt: null, ...over };
}

export const told = (event: string, variations: StudyNode[][] = [], over: Partial<StudyStep> = {}): StudyNode => ({
  step: step(event, over),
  comment: '',
  variations,
});

/** A game of four decisions; at the second, two other ways, one of them with a way of its own. */
export function study(over: Partial<StudyTree> = {}): StudyTree {
  const deep = [told('b1'), told('b2', [[told('x1'), told('x2')]]), told('b3')];
  return {
    record: 'a record',
    fingerprint: 'f00d',
    table: null,
    ruleset: 'standard/2',
    players: ['Ada', 'Lin'],
    start: step(null),
    comment: '',
    lines: [told('m1'), told('m2', [deep, [told('c1')]]), told('m3'), told('m4')],
    played: 4,
    ended: null,
    live: false,
    ...over,
  };
}
