/** Bots answer within milliseconds; people follow one turn after another. What the server tells is
 *  held back here, so that every bot's turn is seen by itself. The server is never slowed. */

import type { GameState, TableMessage } from './protocol';
import type { Play } from './state';

export type Pace = 'once' | 'brisk' | 'calm';

/** How long a bot's turn has the board to itself. */
export const PACE_MS: Record<Pace, number> = { once: 0, brisk: 1000, calm: 1900 };

function isMove(message: TableMessage | null): message is GameState & { by: number } {
  return message?.type === 'gameState' && message.by !== null && message.events.length > 0;
}

function isBots(play: Play, message: TableMessage | null): boolean {
  if (!isMove(message)) return false;
  const chair = play.table?.chairs[message.by];
  return chair?.kind === 'bot' || chair?.stand_in === true;
}

/** How long after the last move the next message is shown. Your own move is never held back, and
 *  where a clock of minutes runs nothing is: that would be your time. */
export function pause(play: Play, last: TableMessage | null, next: TableMessage, ms: number): number {
  if (play.clocks?.kind === 'increment') return 0;
  // A hint that is noted, or somebody who comes, is no turn to look at.
  if (!isMove(next) && next.type !== 'gameFinish') return 0;
  if (isMove(next) && play.held.includes(next.by) && !isBots(play, next)) return 0;
  return isBots(play, last) || (last !== null && isBots(play, next)) ? ms : 0;
}

/** Messages on their way to the screen, each shown when its time has come. */
export class Parade {
  #show: (message: TableMessage) => void;
  #pause: (last: TableMessage | null, next: TableMessage) => number;
  #waiting: TableMessage[] = [];
  #last: TableMessage | null = null;
  #shownAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    show: (message: TableMessage) => void,
    pause: (last: TableMessage | null, next: TableMessage) => number,
  ) {
    this.#show = show;
    this.#pause = pause;
  }

  /** How many messages are still to be shown. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Chat passes the queue; the whole table, told anew, replaces it. */
  add(message: TableMessage): void {
    if (message.type === 'chatLine') {
      this.#show(message);
      return;
    }
    if (message.type === 'gameFull') this.clear();
    this.#waiting.push(message);
    this.#step();
  }

  /** Show all that waits, now. */
  skip(): void {
    clearTimeout(this.#timer);
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#tell(next);
  }

  /** Let what is on the screen now be seen as long as a move. */
  hold(): void {
    this.#shownAt = Date.now();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#last = null;
  }

  #step(): void {
    clearTimeout(this.#timer);
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const left = this.#shownAt + this.#pause(this.#last, next) - Date.now();
      if (left > 0) {
        this.#timer = setTimeout(() => this.#step(), left);
        return;
      }
      this.#waiting.shift();
      this.#tell(next);
    }
  }

  #tell(message: TableMessage): void {
    if (isMove(message)) {
      this.#last = message;
      this.#shownAt = Date.now();
    }
    this.#show(message);
  }
}

type Kept = Pick<Play, 'view' | 'facts' | 'version' | 'status' | 'log' | 'clocks' | 'takeback'>;

/** What happened since your last turn, to be shown once more. */
export class LastRound {
  #from: Kept | null = null;
  #told: GameState[] = [];

  get length(): number {
    return this.#told.filter(isMove).length;
  }

  /** Call with every message that was shown. */
  note(play: Play, message: TableMessage): void {
    const own = isMove(message) && play.held.includes(message.by);
    if (message.type === 'gameFull' || own) {
      this.#told = [];
      this.#from = kept(play);
    } else if (message.type === 'gameState' && play.you !== null) {
      this.#told.push(message);
    }
  }

  /** Put the table back to the end of your last turn; what is to be told again. */
  rewind(play: Play): GameState[] {
    if (!this.#from) return [];
    Object.assign(play, this.#from, { legal: [], change: null, refusal: null });
    const told = this.#told;
    this.#told = [];
    return told;
  }
}

function kept(play: Play): Kept {
  const { view, facts, version, status, log, clocks, takeback } = play;
  return { view, facts, version, status, log, clocks, takeback };
}
