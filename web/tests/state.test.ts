import { describe, expect, it } from 'vitest';
import type { GameState, LogLine } from '../src/protocol';
import { hasSecrets, isYourTurn, lastMover, lastRound, marks, newPlay, others, receive, timeLeft } from '../src/state';
import { tapToken } from '../src/staging';
import { full, legal, sitting, table } from './positions';

const line = (over: Partial<LogLine>): LogLine => ({
  ply: 1, turn: 0, seat: 1, kind: 'take', text: { en: '', zh: '' }, at_ms: 0, ...over,
});

const moved = (over: Partial<GameState> = {}): GameState => ({
  v: 1, type: 'gameState', seq: 4, version: 2, by: 0, events: ['take wug'], log: [line({ seat: 0, gems: 'wug' })],
  log_from: 0, you: 0, view: { turn: 1, seat: 1, bank: [3, 3, 3, 4, 4, 5] }, facts: { round: 1 }, legal: [], clocks: null,
  status: 'running', last_round: false, ...over,
});

describe('messages', () => {
  it('takes in the whole table', () => {
    const play = sitting();
    expect(play.link).toBe('connecting');
    expect(play.view?.bank).toEqual([4, 4, 4, 4, 4, 5]);
    expect(play.skew).toBe(1000);
    expect(isYourTurn(play)).toBe(true);
  });

  it('changes only the fields that a state brings', () => {
    const play = sitting();
    receive(play, moved(), 0);
    expect(play.view?.bank).toEqual([3, 3, 3, 4, 4, 5]);
    expect(play.view?.decks).toEqual([36, 26, 16]);
    expect(play.facts?.cards['1w1']?.missing).toBe(0);
    expect(play.version).toBe(2);
    expect(isYourTurn(play)).toBe(false);
  });

  it('does nothing with a state it has already seen', () => {
    const play = sitting();
    receive(play, moved(), 0);
    receive(play, moved({ view: { bank: [0, 0, 0, 0, 0, 0] } }), 0);
    expect(play.view?.bank).toEqual([3, 3, 3, 4, 4, 5]);
    expect(play.log).toHaveLength(1);
  });

  it('rewrites the log from where a take-back reaches', () => {
    const play = sitting({ log: [line({ ply: 1 }), line({ ply: 2 }), line({ ply: 3 })] });
    receive(play, moved({ log_from: 1, log: [line({ ply: 2, kind: 'takeback' })] }), 0);
    expect(play.log.map(({ kind }) => kind)).toEqual(['take', 'takeback']);
  });

  it('remembers the change for the eye', () => {
    const play = sitting();
    receive(play, moved(), 0);
    expect(play.change?.events).toEqual(['take wug']);
    expect(play.change?.before.bank[0]).toBe(4);
    expect(play.change?.after.bank[0]).toBe(3);
  });

  it('keeps what was staged when the same table is told again, and drops it when it has moved', () => {
    const play = sitting();
    tapToken(play, 'w');
    receive(play, full(), 0);
    expect(play.staged.action).toEqual({ kind: 'take', gems: [1, 0, 0, 0, 0, 0] });
    receive(play, moved(), 0);
    expect(play.staged.action).toBeNull();
  });

  it('keeps what was staged when somebody only leaves or comes back', () => {
    const play = sitting();
    tapToken(play, 'w');
    const left = moved({ events: [], view: {}, facts: {}, legal: play.legal, by: 1, log: [line({ kind: 'stand_in' })] });
    receive(play, left, 0);
    expect(play.version).toBe(2);
    expect(play.staged.action).toEqual({ kind: 'take', gems: [1, 0, 0, 0, 0, 0] });
    receive(play, moved({ version: 3 }), 0);
    expect(play.staged.action).toBeNull();
  });

  it('says a chat line once', () => {
    const play = sitting();
    const chat = { v: 1, type: 'chatLine', seq: 9, seat: 1, phrase: 'hello', at_ms: 1 } as const;
    receive(play, chat, 0);
    receive(play, chat, 0);
    expect(play.chat).toHaveLength(1);
    expect(play.seq).toBe(9);
  });

  it('knows who is away, and until when they may be', () => {
    const play = sitting();
    receive(play, { v: 1, type: 'presence', seq: 3, seat: 1, here: false, claim_in_s: 90 }, 5000);
    expect(play.away).toEqual({ 1: 95_000 });
    receive(play, { v: 1, type: 'presence', seq: 3, seat: 1, here: true, claim_in_s: null }, 0);
    expect(play.away).toEqual({});
  });

  it('ends with result and seed', () => {
    const play = sitting();
    const result = { ranking: [1, 2], points: [16, 15], cards: [9, 9], reason: 'target' as const, winners: [0] };
    receive(play, { v: 1, type: 'gameFinish', seq: 8, result, seed: 's', table: { ...table, state: 'finished' } }, 0);
    expect([play.status, play.seed, play.result?.winners]).toEqual(['finished', 's', [0]]);
  });
});

describe('what can be read off', () => {
  it('puts the others after you in turn order', () => {
    const play = sitting({ table: { ...table, seats: 4 }, you: 2 });
    expect(others(play)).toEqual([3, 0, 1]);
    play.you = null;
    expect(others(play)).toEqual([1, 2, 3]);
  });

  it('marks what others did in the last round, and where', () => {
    const play = sitting({
      view: { ...full().view!, turn: 4, seat: 0 },
      log: [
        line({ ply: 1, turn: 1, seat: 1, gems: 'w' }),
        line({ ply: 2, turn: 2, seat: 0, kind: 'take', gems: 'u' }),
        line({ ply: 3, turn: 3, seat: 1, kind: 'reserve', card: '2u1', gold: true, dealt: '2u5', source: 'row' }),
      ],
    });
    expect(lastRound(play).map(({ ply }) => ply)).toEqual([2, 3]);
    expect(marks(play)).toEqual({ 'bank-o': 1, 'card-2u5': 1 });
  });

  it('takes back your own turn, and at a shared device that of whoever moved last', () => {
    const log = [line({ ply: 1, turn: 0, seat: 0 }), line({ ply: 2, turn: 1, seat: 1 }), line({ ply: 2, turn: 1, seat: 0, kind: 'resign' })];
    expect(lastMover(sitting({ you: 0, seats_held: [0], log }))).toBe(0);
    expect(lastMover(sitting({ you: 0, seats_held: [0, 1], log }))).toBe(1);
    expect(lastMover(sitting({ you: 1, seats_held: [0, 1], log: [] }))).toBe(1);
  });

  it('lets only the running clock run', () => {
    const play = sitting({ clocks: { kind: 'increment', remaining_ms: [60_000, 50_000], running: 0, at_ms: 10_000, increment_ms: 0 } });
    expect(timeLeft(play, 0, 9_000)).toBe(60_000);
    expect(timeLeft(play, 0, 14_000)).toBe(55_000);
    expect(timeLeft(play, 1, 14_000)).toBe(50_000);
    expect(timeLeft(newPlay(), 0, 0)).toBeNull();
  });

  it('is your turn only when the server lists moves for you', () => {
    expect(isYourTurn(sitting({ legal: [] }))).toBe(false);
    expect(isYourTurn(sitting({ legal: [legal('pass')] }))).toBe(true);
  });
});

describe('one device for several', () => {
  it('has something to hide only when a seat of it holds an unseen card', () => {
    const play = sitting({ seats_held: [0, 1] });
    expect(hasSecrets(play)).toBe(false);
    play.view!.hands[1]!.reserved = [{ card: '2u5', blind: false }];
    expect(hasSecrets(play)).toBe(false);
    play.view!.hands[1]!.reserved = [{ level: 2 }];
    expect(hasSecrets(play)).toBe(true);
    play.held = [0];
    expect(hasSecrets(play)).toBe(false);
  });
});
