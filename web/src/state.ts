/** One table as this browser knows it: one plain object, changed only by the functions here and in
 *  `staging.ts`. No rules: what is legal, what it costs and why not comes from the server. */

import type {
  ChatEntry,
  ClockTimes,
  FactsChange,
  GameFull,
  GameState,
  LegalMove,
  LogLine,
  RematchInfo,
  Result,
  State,
  TableInfo,
  TableMessage,
  TakebackInfo,
  ViewChange,
  Words,
} from './protocol';
import { nothingStaged, type Staged } from './staging';
import { isInTeams } from './variants';

export type View = Required<ViewChange>;
export type Facts = Required<FactsChange>;

/** How the line to the server is: `lost` means that we are trying to get it back. */
export type Link = 'connecting' | 'live' | 'lost' | 'refused';

export interface Play {
  link: Link;
  seq: number;
  version: number;
  table: TableInfo | null;
  status: State;
  you: number | null;
  held: number[];
  view: View | null;
  facts: Facts | null;
  legal: LegalMove[];
  log: LogLine[];
  chat: ChatEntry[];
  clocks: ClockTimes | null;
  /** Server time minus ours, in milliseconds. */
  skew: number;
  takeback: TakebackInfo | null;
  rematch: RematchInfo | null;
  result: Result | null;
  seed: string | null;
  /** Seats that are away, and when by our clock they may be claimed, in milliseconds (null: not). */
  away: Record<number, number | null>;
  staged: Staged;
  /** The id of the move that was sent and not yet answered. */
  sending: string | null;
  /** Why the last thing asked for may not be done. */
  refusal: Words | null;
  /** The last change, for the eye: what happened and by whom. */
  change: Change | null;
}

export interface Change {
  version: number;
  by: number | null;
  events: string[];
  before: View;
  after: View;
}

export function newPlay(): Play {
  return {
    link: 'connecting',
    seq: 0,
    version: 0,
    table: null,
    status: 'open',
    you: null,
    held: [],
    view: null,
    facts: null,
    legal: [],
    log: [],
    chat: [],
    clocks: null,
    skew: 0,
    takeback: null,
    rematch: null,
    result: null,
    seed: null,
    away: {},
    staged: nothingStaged(),
    sending: null,
    refusal: null,
    change: null,
  };
}

/** Take in one message. A message that was already handled does no harm. */
export function receive(play: Play, message: TableMessage, now: number): void {
  switch (message.type) {
    case 'gameFull':
      receiveFull(play, message, now);
      break;
    case 'gameState':
      receiveState(play, message);
      break;
    case 'seats':
      play.table = message.table;
      play.status = message.table.state;
      break;
    case 'chatLine':
      if (!play.chat.some((line) => line.seq === message.seq)) {
        const { seq, seat, phrase, at_ms, text } = message;
        play.chat.push({ seq, seat, phrase, at_ms, ...(text === undefined ? {} : { text }) });
      }
      break;
    case 'presence':
      receivePresence(play, message.seat, message.here, message.claim_in_s, now);
      break;
    case 'takeback':
      play.takeback = message.takeback;
      break;
    case 'rematch':
      play.rematch = message.rematch;
      break;
    case 'gameFinish':
      play.result = message.result;
      play.seed = message.seed;
      play.table = message.table;
      play.status = 'finished';
      break;
  }
  play.seq = Math.max(play.seq, message.seq);
}

function receiveFull(play: Play, message: GameFull, now: number): void {
  const moved = play.version !== message.version || play.you !== message.you;
  play.version = message.version;
  play.table = message.table;
  play.status = message.status;
  play.you = message.you;
  play.held = message.seats_held;
  play.view = message.view as View | null;
  play.facts = (message.facts ?? null) as Facts | null;
  play.legal = message.legal as LegalMove[];
  play.log = message.log;
  play.chat = message.chat;
  play.clocks = message.clocks;
  play.skew = message.now_ms - now;
  play.takeback = message.takeback;
  play.rematch = message.rematch;
  play.result = message.result;
  play.seed = message.seed;
  play.away = {};
  for (const chair of message.table.chairs) {
    if (chair.kind === 'human' && !chair.here) play.away[chair.seat] = null;
  }
  if (moved) play.staged = nothingStaged();
}

function receiveState(play: Play, message: GameState): void {
  if (!play.view || message.version <= play.version) return;
  const before = play.view;
  // Somebody who leaves or comes back changes the version and nothing else: plans stay.
  const moved =
    Object.keys(message.view).length > 0 || play.you !== message.you || message.legal.length === 0;
  play.view = { ...before, ...message.view } as View;
  if (play.facts && message.facts) play.facts = { ...play.facts, ...message.facts } as Facts;
  play.version = message.version;
  play.you = message.you;
  play.status = message.status;
  play.legal = message.legal as LegalMove[];
  play.log = [...play.log.slice(0, message.log_from), ...message.log];
  play.clocks = message.clocks;
  play.takeback = null;
  if (moved) {
    play.staged = nothingStaged();
    play.refusal = null;
  }
  play.change = {
    version: message.version,
    by: message.by,
    events: message.events,
    before,
    after: play.view,
  };
}

function receivePresence(play: Play, seat: number, here: boolean, claim: number | null, now: number): void {
  if (here) delete play.away[seat];
  else play.away[seat] = claim === null ? null : now + claim * 1000;
  const chair = play.table?.chairs[seat];
  if (chair) chair.here = here;
}

/** Whether this browser must decide something now. */
export function isYourTurn(play: Play): boolean {
  return play.legal.length > 0;
}

/** Whether your seat is out of the game, which a bot then plays to the end. */
export function isOut(play: Play): boolean {
  return play.table?.chairs[play.you ?? -1]?.out ?? false;
}

/** How many players, or teams, are still in the game. */
export function sidesLeft(play: Play): number {
  const chairs = (play.table?.chairs ?? []).filter(({ out }) => !out);
  return isInTeams(play.table?.variant) ? new Set(chairs.map(({ seat }) => seat % 2)).size : chairs.length;
}

/** The seats after yours in turn order (for a watcher: all but the one shown below). */
export function others(play: Play): number[] {
  const seats = play.table?.seats ?? 0;
  const own = below(play);
  return Array.from({ length: Math.max(0, seats - 1) }, (_, i) => (own + 1 + i) % seats);
}

/** The seat whose hand lies at the lower edge: yours, or the first for a watcher. */
export function below(play: Play): number {
  return play.you ?? 0;
}

/** The lines of the last round: what happened since the seat to act decided last. */
export function lastRound(play: Play): LogLine[] {
  const view = play.view;
  if (!view) return [];
  const seats = play.table?.seats ?? 2;
  const first = view.turn - seats + (view.phase === 'over' || view.phase === 'act' ? 0 : 1);
  return play.log.filter((line) => line.turn >= first && line.turn < view.turn);
}

/** What others did last, by place: `bank-w`, `card-2u5`, `noble-rk4` → the seat that did it. */
export function marks(play: Play): Record<string, number> {
  const found: Record<string, number> = {};
  for (const line of lastRound(play)) {
    const seat = line.seat;
    if (seat === null || seat === play.you) continue;
    for (const gem of line.kind === 'take' ? (line.gems ?? '') : '') found[`bank-${gem}`] = seat;
    if (line.gold) found['bank-o'] = seat;
    if (line.dealt && line.source !== 'deck') found[`card-${line.dealt}`] = seat;
    if (line.source === 'deck' && line.level) found[`deck-${line.level}`] = seat;
    if (line.noble) found[`noble-${line.noble}`] = seat;
  }
  return found;
}

/** Whether a seat of this browser holds a card that the others at the device must not see. */
export function hasSecrets(play: Play): boolean {
  return play.held.some((seat) => play.view?.hands[seat]?.reserved.some(({ blind, card }) => blind || !card));
}

/** Whose turn this browser takes back: its own, or at a device that is passed round that of whoever
 *  moved last. */
export function lastMover(play: Play): number | null {
  if (play.held.length < 2) return play.you;
  const done = play.log.findLast(({ seat, kind }) => seat !== null && play.held.includes(seat) && DECISIONS.has(kind));
  return done?.seat ?? play.you;
}
const DECISIONS: ReadonlySet<string> = new Set(['take', 'reserve', 'buy', 'return', 'noble', 'pass']);

/** The newest line of that seat. */
export function lastLine(play: Play, seat: number): LogLine | undefined {
  return play.log.findLast((line) => line.seat === seat);
}

/** Milliseconds that the seat has left now, or null where no clock runs. */
export function timeLeft(play: Play, seat: number, now: number): number | null {
  const clocks = play.clocks;
  const left = clocks?.remaining_ms[seat];
  if (!clocks || left === undefined) return null;
  const running = clocks.running === seat && play.status === 'running';
  return Math.max(0, running ? left - (now + play.skew - clocks.at_ms) : left);
}
