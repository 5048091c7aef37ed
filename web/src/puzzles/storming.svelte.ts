/** Storm: as many puzzles as you can in three minutes. Only the first move of each counts. */

import { Refused } from '../api';
import type { TableInfo, Words } from '../protocol';
import { StudyTurn } from '../studio/turn.svelte';
import * as api from './api';
import type { PuzzleAsked } from './api';
import { askedTable } from '../asking/table';

export const STORM_SECONDS = 180;
export const STORM_PENALTY = 10;
const FIRST_RATING = 1100;
const STEP_RATING = 40;

export class Storming {
  stage: 'ready' | 'running' | 'over' = $state('ready');
  score = $state(0);
  left = $state(STORM_SECONDS);
  puzzle: PuzzleAsked | null = $state.raw(null);
  table: TableInfo | null = $state.raw(null);
  last: 'right' | 'wrong' | 'skipped' | null = $state(null);
  trouble: Words | null = $state.raw(null);
  readonly turn = new StudyTurn((moves) => this.#try(moves));
  #over: (score: number) => void;
  #ends = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #seen: string[] = [];
  #coming: Promise<PuzzleAsked> | null = null;

  constructor(over: (score: number) => void) {
    this.#over = over;
  }

  async start(seen: readonly string[] = []): Promise<void> {
    this.#seen = [...seen];
    this.score = 0;
    this.last = null;
    this.left = STORM_SECONDS;
    this.#coming = this.#fetch();
    await this.#next();
    if (!this.puzzle) return;
    this.stage = 'running';
    this.#ends = performance.now() + STORM_SECONDS * 1000;
    this.#timer = setInterval(() => this.#tick(), 250);
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.stage !== 'running') return;
    this.stage = 'over';
    this.turn.reset();
    this.turn.play.legal = [];
    this.#over(this.score);
  }

  #tick(): void {
    this.left = Math.max(0, Math.ceil((this.#ends - performance.now()) / 1000));
    if (this.left === 0) this.stop();
  }

  #fetch(): Promise<PuzzleAsked> {
    return api.getNext(FIRST_RATING + STEP_RATING * this.score, null, this.#seen.slice(-300));
  }

  async #next(): Promise<void> {
    try {
      const puzzle = await (this.#coming ?? this.#fetch());
      this.#seen.push(puzzle.id);
      this.puzzle = puzzle;
      this.table = askedTable(puzzle);
      this.turn.show(this.table, puzzle.start, [], true);
      this.turn.play.you = puzzle.seat;
      this.turn.play.held = [puzzle.seat];
      this.turn.reset();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble = error.words;
      this.stop();
      return;
    }
    this.#coming = this.#fetch();
    this.#coming.catch(() => (this.#coming = null));
  }

  skip(): Promise<void> {
    return this.#missed('skipped');
  }

  async #missed(how: 'wrong' | 'skipped'): Promise<void> {
    this.last = how;
    this.#ends -= STORM_PENALTY * 1000;
    this.#tick();
    if (this.stage === 'running') await this.#next();
  }

  async #try(moves: string[]): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.stage !== 'running') return;
    const tried = await api.tryPuzzle(puzzle.id, 0, moves, false);
    if (puzzle !== this.puzzle || this.stage !== 'running') return;
    if (tried.grade === 'wrong') return this.#missed('wrong');
    this.last = 'right';
    this.score += 1;
    await this.#next();
  }
}
