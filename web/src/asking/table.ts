/** The table that a question is set at: you, and bots. */

import type { TableInfo } from '../protocol';

/** What a puzzle and a step of a lesson say about their table. */
export interface AskedTable {
  bots: (string | null)[];
  ruleset: string;
  target: number;
}

export function askedTable({ bots, ruleset, target }: AskedTable): TableInfo {
  const chair = (bot: string | null, seat: number): TableInfo['chairs'][number] => ({
    seat,
    kind: bot ? 'bot' : 'human',
    name: bot,
    bot,
    here: true,
    stand_in: false,
    out: false,
  });
  return {
    id: '',
    ruleset,
    variant: ruleset.split('/')[0] ?? '',
    seats: bots.length,
    target,
    scarce_take: true,
    state: 'running',
    chairs: bots.map(chair),
    clock: null,
    at_zero: 'bot',
    gone: { grace_s: 0, policy: 'claim' },
    watch: 'anyone',
    listed: false,
    seat_order: 'fixed',
    takeback: false,
    commitment: '',
    created_ms: 0,
    series: { id: '', game: 1, score: [] },
    tutorial: false,
  };
}
