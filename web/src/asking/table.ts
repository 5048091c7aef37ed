/** The table that a question is set at: you, and bots. */

import type { TableInfo } from '../protocol';
import { TARGETS } from '../generated/rules';

/** What a puzzle and a step of a lesson say about their table. */
export interface AskedTable {
  bots: (string | null)[];
  ruleset: string;
  target: number;
}

type Chair = TableInfo['chairs'][number];

/** A chair where somebody always sits. */
export const chairOf = (seat: number, name: string | null, bot: string | null): Chair => ({
  seat,
  kind: bot ? 'bot' : 'human',
  name,
  bot,
  here: true,
  stand_in: false,
  out: false,
});

/** What a game by these rules goes to: what they say, or what is usual. */
export const targetOf = (ruleset: string): number =>
  Number(/[:,]target=(\d+)/.exec(ruleset)?.[1] ?? TARGETS[ruleset.split('/')[0] as keyof typeof TARGETS]);

/** A table that no server keeps: what the board has to know of one. */
export function looseTable(ruleset: string, target: number, state: TableInfo['state'], chairs: Chair[]): TableInfo {
  return {
    id: '',
    ruleset,
    variant: ruleset.split('/')[0] ?? '',
    seats: chairs.length,
    target,
    scarce_take: true,
    state,
    chairs,
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

export const askedTable = ({ bots, ruleset, target }: AskedTable): TableInfo =>
  looseTable(
    ruleset,
    target,
    'running',
    bots.map((bot, seat) => chairOf(seat, bot, bot)),
  );
