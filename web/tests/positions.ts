/** Tables as the server tells them, cut down to what a test is about. */

import type { Effect, GameFull, LegalMove, TableInfo } from '../src/protocol';
import { newPlay, receive, type Play } from '../src/state';

export function effect(over: Partial<Effect> = {}): Effect {
  return { tokens: [0, 0, 0, 0, 0, 0], total: 0, excess: 0, points: 0, bonuses: [0, 0, 0, 0, 0], nobles: [], gold_needed: 0, reach: [], ...over };
}

export const legal = (move: string, over: Partial<Effect> = {}): LegalMove => ({ move, after: effect(over) });

export const table: TableInfo = {
  id: 'abcd',
  ruleset: 'standard/2',
  variant: 'standard',
  seats: 2,
  target: 15,
  scarce_take: true,
  state: 'running',
  chairs: [
    { seat: 0, kind: 'human', name: 'Ada', bot: null, here: true, stand_in: false, out: false },
    { seat: 1, kind: 'human', name: 'Lin', bot: null, here: true, stand_in: false, out: false },
  ],
  clock: null,
  at_zero: 'bot',
  gone: { grace_s: 120, policy: 'claim' },
  watch: 'anyone',
  listed: false,
  seat_order: 'fixed',
  takeback: true,
  commitment: '00',
  created_ms: 0,
  series: { id: 'abcd', game: 1, score: [0, 0] },
  tutorial: false,
};

const hand = { tokens: [0, 0, 0, 0, 0, 0], bought: [], reserved: [], nobles: [] };

export function full(over: Partial<GameFull> = {}): GameFull {
  return {
    v: 1,
    type: 'gameFull',
    seq: 3,
    version: 1,
    now_ms: 10_000,
    table,
    you: 0,
    seats_held: [0],
    status: 'running',
    view: {
      v: 1,
      ruleset: 'standard/2',
      viewer: 0,
      turn: 0,
      seat: 0,
      phase: 'act',
      last_round: false,
      passes: 0,
      bank: [4, 4, 4, 4, 4, 5],
      rows: [['1w1', '1w2', '1w3', '1w4'], ['2u1', '2u2', '2u3', '2u4'], ['3k1', '3k2', '3k3', '3k4']],
      decks: [36, 26, 16],
      nobles: ['rk4', 'gr4', 'wu4'],
      hands: [{ ...hand, reserved: [] }, { ...hand, reserved: [] }],
      pending: null,
    },
    facts: {
      hands: [0, 1].map(() => ({ bonuses: [0, 0, 0, 0, 0], points: 0, side_points: 0, tokens: 0, cards: 0 })),
      cards: {
        '1w1': { due: [0, 0, 0, 2, 1], short: [0, 0, 0, 0, 0], missing: 0, pay: [0, 0, 0, 2, 1, 0], payments: [[0, 0, 0, 2, 1, 0], [0, 0, 0, 1, 1, 1], [0, 0, 0, 2, 0, 1]] },
        '2u1': { due: [0, 2, 2, 3, 0], short: [0, 2, 2, 3, 0], missing: 7, pay: null },
      },
      nobles: [],
      unseen: [],
      could_buy: [[], []],
      expected: { seat: 0, phase: 'act', excess: 0, offered: [] },
      last_round: false,
      round: 1,
    },
    legal: [legal('take wug', { tokens: [1, 1, 1, 0, 0, 0], total: 3 }), legal('take wur'), legal('take rr'), legal('reserve 2u1'), legal('reserve deck2'), legal('buy 1w1 =rrk', { bonuses: [1, 0, 0, 0, 0] })],
    log: [],
    chat: [],
    clocks: null,
    takeback: null,
    rematch: null,
    result: null,
    seed: null,
    last_round: false,
    ...over,
  };
}

export function sitting(over: Partial<GameFull> = {}): Play {
  const play = newPlay();
  receive(play, full(over), 9_000);
  return play;
}
