import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LastRound, PACE_MS, Parade, pause } from '../src/pace';
import type { ChatLine, GameState, TableInfo, TableMessage } from '../src/protocol';
import { receive, type Play } from '../src/state';
import { full, legal, sitting, table } from './positions';

const person = table.chairs[0]!;
const bot = (seat: number) => ({ ...person, seat, kind: 'bot' as const, name: null, bot: 'greedy' });
const crowd: TableInfo = { ...table, seats: 3, chairs: [person, bot(1), bot(2)] };

const move = (version: number, by: number, over: Partial<GameState> = {}): GameState => ({
  v: 1, type: 'gameState', seq: version + 2, version, by, events: ['take wug'], log: [], log_from: 0, you: 0,
  view: { turn: version, seat: (by + 1) % 3 }, facts: { round: 1 }, legal: [], clocks: null, status: 'running',
  last_round: false, ...over,
});
const chat: ChatLine = { v: 1, type: 'chatLine', seq: 9, seat: 1, phrase: 'hello', at_ms: 0 };

let play: Play;
let shown: number[];
let parade: Parade;

function show(message: TableMessage): void {
  receive(play, message, Date.now());
  shown.push(message.type === 'gameState' ? message.version : -1);
}

beforeEach(() => {
  vi.useFakeTimers();
  play = sitting({ table: crowd });
  shown = [];
  parade = new Parade(show, (last, next) => pause(play, last, next, PACE_MS.brisk));
});
afterEach(() => vi.useRealTimers());

describe('bots at a human pace', () => {
  it('shows your own move at once and then one bot after another', () => {
    for (const message of [move(2, 0), move(3, 1), move(4, 2)]) parade.add(message);
    expect(shown).toEqual([2]);
    vi.advanceTimersByTime(PACE_MS.brisk);
    expect(shown).toEqual([2, 3]);
    vi.advanceTimersByTime(PACE_MS.brisk - 1);
    expect(shown).toEqual([2, 3]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual([2, 3, 4]);
  });

  it('says that it is your turn only when the bots before you were seen', () => {
    for (const message of [move(2, 0), move(3, 1), move(4, 2, { legal: [legal('take wug')] })]) parade.add(message);
    vi.advanceTimersByTime(PACE_MS.brisk);
    expect(play.legal).toHaveLength(0);
    parade.skip();
    expect(shown).toEqual([2, 3, 4]);
    expect(play.legal).toHaveLength(1);
    expect(parade.length).toBe(0);
  });

  it('holds back nothing that is no turn, such as a hint that is noted', () => {
    parade.add(move(2, 1));
    parade.add({ ...move(3, 0), by: null, events: [] });
    expect(shown).toEqual([2, 3]);
    expect(parade.length).toBe(0);
  });

  it('never holds back what you do, however soon', () => {
    parade.add(move(2, 1));
    vi.advanceTimersByTime(100);
    parade.add(move(3, 0));
    expect(shown).toEqual([2, 3]);
  });

  it('lets chat pass and starts afresh when the whole table is told', () => {
    for (const message of [move(2, 0), move(3, 1), chat]) parade.add(message);
    expect(play.chat).toHaveLength(1);
    parade.add(full({ table: crowd, version: 7 }));
    vi.advanceTimersByTime(10_000);
    expect(play.version).toBe(7);
    expect(shown).not.toContain(3);
  });

  it('takes no time from a clock', () => {
    const clocks = { kind: 'increment' as const, increment_ms: 0, remaining_ms: [9, 9, 9], running: 1, at_ms: 0 };
    play = sitting({ clocks, table: crowd });
    for (const message of [move(2, 0, { clocks }), move(3, 1, { clocks }), move(4, 2, { clocks })]) parade.add(message);
    expect(shown).toEqual([2, 3, 4]);
  });

  it('shows people as soon as they move', () => {
    play = sitting();
    for (const message of [move(2, 0), move(3, 1)]) parade.add(message);
    expect(shown).toEqual([2, 3]);
  });
});

describe('the last round', () => {
  it('can be told again, and ends where it was', () => {
    const round = new LastRound();
    for (const message of [move(2, 0), move(3, 1), move(4, 2, { legal: [legal('take wug')] })]) {
      receive(play, message, 0);
      round.note(play, message);
    }
    expect(round.length).toBe(2);
    const again = round.rewind(play);
    expect(play.version).toBe(2);
    expect(play.legal).toEqual([]);
    for (const message of again) receive(play, message, 0);
    expect(play.version).toBe(4);
    expect(play.legal).toHaveLength(1);
    expect(play.view?.turn).toBe(4);
  });

  it('begins anew with your next turn, and is not gathered for those who watch', () => {
    const round = new LastRound();
    for (const message of [move(2, 1), move(3, 0)]) {
      receive(play, message, 0);
      round.note(play, message);
    }
    expect(round.length).toBe(0);
    play = sitting({ table: crowd, you: null, seats_held: [] });
    const seen = move(2, 1, { you: null });
    receive(play, seen, 0);
    round.note(play, seen);
    expect(round.length).toBe(0);
  });
});
