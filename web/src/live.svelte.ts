/** A table this browser is at: the state, the line to the server, and what a person can do. */

import { Connection, type Greeting } from './connection';
import { tr } from './i18n';
import { keepStaged, recallStaged } from './keeping';
import { keysOf, watchCodeOf } from './keyring';
import { LastRound, Parade, PACE_MS, pause } from './pace';
import type { Answer, Effect, Problem, TableMessage, Words } from './protocol';
import { why } from './refusing';
import { settings } from './settings.svelte';
import { answers, pledge } from './shares';
import * as staging from './staging';
import { isYourTurn, lastMover, newPlay, receive, type Play } from './state';
import { TurnMaker } from './turnmaker';

/** As many as a hello may bring. */
const MOST_KEYS = 16;

type Waiting = { answer: (answer: Answer) => void; message: object };

export class LiveTable extends TurnMaker {
  readonly id: string;
  readonly play: Play = $state(newPlay());
  /** How many messages wait to be shown, because a bot's turn before them is still looked at. */
  behind = $state(0);
  /** Why the server lets nobody in here, as a code. */
  refused = $state<string | null>(null);
  /** How many turns there are to show again. */
  since = $state(0);
  #parade = new Parade(
    (message) => this.#shown(message),
    (last, next) => this.#pause(last, next),
  );
  #round = new LastRound();
  /** What was staged before the last round was shown again. */
  #laidAside: staging.Staged | null = null;
  #newest = 0;
  #line: Connection;
  #waiting = new Map<string, Waiting>();
  #number = 0;
  /** The questions for a share that were answered. */
  #shared = new Set<string>();

  constructor(id: string) {
    super();
    this.id = id;
    addEventListener('pagehide', this.#keep);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.#line = new Connection(`${scheme}://${location.host}/api/tables/${id}/socket`, {
      greeting: () => this.#greeting(),
      message: (message) => this.#heard(message),
      answer: (answer) => this.#answered(answer),
      live: () => this.#live(),
      lost: () => (this.play.link = 'lost'),
      refused: (answer) => this.#refused(answer),
    });
  }

  close(): void {
    this.#parade.clear();
    removeEventListener('pagehide', this.#keep);
    this.#line.close();
  }

  /** Look again with other keys, for instance after sitting down. */
  reopen(): LiveTable {
    this.close();
    return new LiveTable(this.id);
  }

  #greeting(): Greeting {
    const since = this.play.table ? this.play.seq : null;
    return { keys: keysOf(this.id).slice(-MOST_KEYS), watch: watchCodeOf(this.id), since, lang: settings.lang };
  }

  #heard(message: TableMessage): void {
    if ('version' in message) this.#newest = message.version;
    this.#parade.add(message);
    this.behind = this.#parade.length;
  }

  #keep = (): void => keepStaged(sessionStorage, this.id, this.play);

  #shown(message: TableMessage): void {
    const first = this.play.table === null;
    receive(this.play, message, Date.now());
    if (first) recallStaged(sessionStorage, this.id, this.play);
    this.#round.note(this.play, message);
    this.since = this.#round.length;
    this.behind = this.#parade.length;
    if (!this.behind) this.#pickUp();
    if (this.play.status === 'open') this.#addToDeal();
  }

  /** Nobody watches a hidden window; what is shown again is always shown slowly. */
  #pause(last: TableMessage | null, next: TableMessage): number {
    if (this.#laidAside) return PACE_MS[settings.pace] || PACE_MS.brisk;
    return document.hidden ? 0 : pause(this.play, last, next, PACE_MS[settings.pace]);
  }

  /** Show at once what is still to come. */
  skip(): void {
    this.#parade.skip();
    this.behind = 0;
    this.#pickUp();
  }

  /** Show once more what happened since your last turn; a staged turn is there again after it. */
  showAgain(): void {
    this.skip();
    if (!this.since) return;
    this.#laidAside = this.play.staged;
    this.play.staged = staging.nothingStaged();
    this.#parade.hold();
    for (const message of this.#round.rewind(this.play)) this.#parade.add(message);
    this.behind = this.#parade.length;
  }

  #pickUp(): void {
    if (this.#laidAside && this.play.version === this.#newest) this.play.staged = this.#laidAside;
    this.#laidAside = null;
  }

  /** Give the hash of a share, or the share, when the table asks: nobody has to click for it. */
  #addToDeal(): void {
    const { table, held } = this.play;
    const shares = table?.shares;
    if (!table || !shares) return;
    const question = (seat: number): string => `${shares.round} ${seat} ${shares.hashes[seat] ?? 'hash'}`;
    const asked = held.filter((seat) => [...shares.pledge, ...shares.reveal].includes(seat) && !this.#shared.has(question(seat)));
    for (const answer of answers(table, asked)) {
      this.#shared.add(question(answer.seat));
      void this.#say('share', answer);
    }
  }

  #live(): void {
    this.play.link = 'live';
    for (const { message } of this.#waiting.values()) this.#line.send(message);
  }

  #refused(answer: Answer): void {
    this.play.link = 'refused';
    if (answer.type !== 'refused') return;
    this.play.refusal = answer.problem.sentence;
    this.refused = answer.problem.code;
  }

  #answered(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    waiting?.answer(answer);
  }

  /** Say something and hear the answer; what was not answered is said again after a break. */
  #say(type: string, fields: object): Promise<Answer> {
    const id = `${Date.now().toString(36)}-${(this.#number += 1)}-${Math.random().toString(36).slice(2, 10)}`;
    const seat = this.play.you;
    const message = { type, id, ...(seat === null ? {} : { seat }), ...fields };
    return new Promise((answer) => {
      this.#waiting.set(id, { answer, message });
      this.#line.send(message);
    });
  }

  // ---- staging

  protected override isWaiting(): boolean {
    if (isYourTurn(this.play)) return false;
    this.play.refusal = null;
    return true;
  }

  protected override async explain(moves: string[]): Promise<void> {
    const { problem } = await this.check(moves);
    if (problem) this.play.refusal = why(tr(), this.play, moves, problem);
  }

  protected override async send(moves: string[]): Promise<void> {
    const answer = await this.#say('move', { moves, version: this.#newest });
    if (answer.type === 'refused') this.play.refusal = answer.problem.sentence;
  }

  /** Moves as a person writes them, separated by commas. Whether they can be staged. */
  async type(text: string): Promise<boolean> {
    const moves = text.split(/[,;，；]/).map((part) => part.trim()).filter(Boolean);
    if (!moves.length) return false;
    const { after, problem } = await this.check(moves);
    if (problem) this.play.refusal = problem.sentence;
    if (after) staging.stageTyped(this.play, moves, after);
    return after !== null;
  }

  // ---- speaking to the server

  async check(moves: string[]): Promise<{ after: Effect | null; problem: Problem | null }> {
    const answer = await this.#say('check', { moves });
    if (answer.type === 'checked') return { after: answer.after, problem: answer.problem };
    if (answer.type === 'refused') return { after: null, problem: answer.problem };
    return { after: null, problem: null };
  }

  resign = (): Promise<void> => this.#command('resign');
  leave = (): Promise<void> => this.#command('leave');
  say = (phrase: string): Promise<void> => this.#command('chat', { phrase });
  write = (text: string): Promise<void> => this.#command('chat', { text });
  texting = (on: boolean): Promise<void> => this.#command('texting', { on });
  /** Give an open chair to a bot, or take it from the bot again. */
  fill = (chair: number, bot: string | null): Promise<void> => this.#command('fill', { chair, bot });
  takeback = (action: 'ask' | 'agree' | 'decline'): Promise<void> =>
    this.#command('takeback', { action, ...(action === 'ask' && { seat: lastMover(this.play) }) });
  rematch = (action: 'offer' | 'accept' | 'decline'): Promise<void> =>
    this.#command('rematch', action === 'decline' ? { action } : { action, share_hash: pledge(this.id) });
  claim = (gone: number): Promise<void> => this.#command('claim', { gone });

  async #command(type: string, fields: object = {}): Promise<void> {
    const answer = await this.#say(type, fields);
    if (answer.type === 'refused') this.play.refusal = answer.problem.sentence;
  }

  set refusal(words: Words | null) {
    this.play.refusal = words;
  }
}
