/** One puzzle after another: the try on the board, what follows it, hints, the answer. */

import { Refused } from '../api';
import type { StudyStep } from '../generated/api';
import { dueCount } from '../mistakes/schedule';
import type { TableInfo, Words } from '../protocol';
import { settings } from '../settings.svelte';
import { StudyTurn } from '../studio/turn.svelte';
import * as api from './api';
import type { MyPuzzles, PuzzleAsked, PuzzleHint, PuzzleRated, PuzzleSolution, PuzzleTried, Theme } from './api';
import * as keep from './progress';
import type { Progress, ProgressKeeper } from './progress';
import { askedTable } from '../asking/table';
import { sharedPractice } from './practice';
import { standing } from './standing';

export type Mode = 'daily' | 'level' | 'one';
export type Stage = 'loading' | 'asking' | 'playing' | 'wrong' | 'solved' | 'shown' | 'failed';

/** How long a step of a line has the board to itself. */
const STEP_MS = { calm: 1500, brisk: 850, once: 0 };

export class Solving {
  stage: Stage = $state('loading');
  mode: Mode = $state('daily');
  theme: Theme | null = $state(null);
  puzzle: PuzzleAsked | null = $state.raw(null);
  /** Which answer is wanted: the first is 0. */
  step = $state(0);
  tried: PuzzleTried | null = $state.raw(null);
  solution: PuzzleSolution | null = $state.raw(null);
  hint: PuzzleHint | null = $state.raw(null);
  /** Wrong tries at this puzzle. */
  wrongs = $state(0);
  hints = $state(0);
  trouble: Words | null = $state.raw(null);
  progress: Progress = $state.raw({ rating: keep.START_RATING, rated: 0, seen: [], days: [], storm: 0 });
  /** Where one stands, for somebody whom the server knows. */
  mine: MyPuzzles | null = $state.raw(null);
  /** How many mistakes that were asked before are due again. */
  due = $state(dueCount(new Date()));
  /** The rating before and after, once the puzzle has counted. */
  change: [number, number] | null = $state.raw(null);
  readonly turn = new StudyTurn((moves) => this.#try(moves));
  table: TableInfo | null = $state.raw(null);
  #keeper: ProgressKeeper;
  #way: StudyStep[] = [];
  #here: StudyStep | null = null;
  #asking = $state(0);
  #asked = 0;
  #closed = false;
  #known: Promise<void>;

  constructor(keeper: ProgressKeeper = keep.browserProgress) {
    this.#keeper = keeper;
    this.progress = keeper.load();
    this.#known = this.#recognise();
    void this.#share();
  }

  /** Days and storms of other devices are these, too. */
  async #share(): Promise<void> {
    if (!(await sharedPractice())) return;
    const { days, storm } = this.#keeper.load();
    this.progress = { ...this.progress, days, storm };
    this.due = dueCount(new Date());
  }

  async #recognise(): Promise<void> {
    this.mine = await standing(this.progress, (brought) => this.#keep({ ...this.progress, brought }));
  }

  get rating(): number {
    return this.mine?.rating.value ?? this.progress.rating;
  }

  /** Whether the rating is hardly known yet. */
  get provisional(): boolean {
    return this.mine?.rating.provisional ?? this.progress.rated < 20;
  }

  get today(): string {
    return keep.dayOf(new Date());
  }

  /** The turn that is asked about. */
  get askedTurn(): number {
    return this.#asking;
  }

  get firstTry(): boolean {
    return this.wrongs === 0 && this.hints === 0;
  }

  close(): void {
    this.#closed = true;
    this.#asked += 1;
  }

  // ---- which puzzle

  openDaily(): Promise<void> {
    this.mode = 'daily';
    return this.#open(() => api.getDaily(this.today));
  }

  openOne(id: string): Promise<void> {
    this.mode = 'one';
    return this.#open(() => api.getPuzzle(id));
  }

  openNext(theme: Theme | null = this.theme): Promise<void> {
    this.mode = 'level';
    this.theme = theme;
    return this.#open(async () => {
      await this.#known;
      return api.getNext(this.mine ? null : this.progress.rating, theme, this.progress.seen);
    });
  }

  async #open(fetch: () => Promise<PuzzleAsked>): Promise<void> {
    const number = ++this.#asked;
    this.stage = 'loading';
    try {
      const puzzle = await fetch();
      if (number === this.#asked) this.#pose(puzzle);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (number !== this.#asked) return;
      this.trouble = error.words;
      this.stage = 'failed';
    }
  }

  #pose(puzzle: PuzzleAsked): void {
    this.puzzle = puzzle;
    this.table = askedTable(puzzle);
    this.wrongs = this.hints = 0;
    this.change = this.solution = null;
    this.#way = [];
    this.#here = puzzle.start;
    this.step = 0;
    this.ask();
  }

  // ---- the board

  /** The question once more, from where it is asked. */
  ask(): void {
    this.tried = null;
    this.hint = null;
    this.stage = 'asking';
    if (this.#here) this.#show(this.#here, true);
    this.#asking = this.#here?.turn ?? 0;
    this.turn.reset();
  }

  #show(step: StudyStep, may: boolean): void {
    const { puzzle, table } = this;
    if (!puzzle || !table) return;
    this.turn.show(table, step, [...this.#way, step], may);
    this.turn.play.you = puzzle.seat;
    this.turn.play.held = [puzzle.seat];
  }

  async #try(moves: string[]): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.stage !== 'asking') return;
    const tried = await api.tryPuzzle(puzzle.id, this.step, moves);
    if (puzzle !== this.puzzle) return;
    this.tried = tried;
    this.turn.reset();
    await this.#playOut(tried.steps);
    if (this.#closed || puzzle !== this.puzzle) return;
    if (tried.grade === 'wrong') this.#wrong();
    else if (tried.next === null) this.#solved(tried.solution);
    else this.#onward(tried);
  }

  /** One step after the other, long enough to be seen. */
  async #playOut(steps: StudyStep[]): Promise<void> {
    this.stage = 'playing';
    const still = !settings.motion || matchMedia('(prefers-reduced-motion: reduce)').matches;
    const pause = still ? 0 : STEP_MS[settings.pace];
    for (const [i, step] of steps.entries()) {
      if (this.#closed) return;
      this.#show(step, false);
      if (pause && i < steps.length - 1) await new Promise((done) => setTimeout(done, pause));
    }
  }

  #onward(tried: PuzzleTried): void {
    this.#way = [...this.#way, ...tried.steps.slice(0, -1)];
    this.#here = tried.steps.at(-1) ?? this.#here;
    this.step = tried.next ?? 0;
    this.ask();
  }

  #wrong(): void {
    this.stage = 'wrong';
    this.wrongs += 1;
    this.#count(0, this.tried?.rating);
  }

  #solved(solution: PuzzleSolution | null): void {
    this.solution = solution;
    this.stage = 'solved';
    this.#count(this.hints ? 0 : 1, this.tried?.rating);
    const day = this.puzzle?.day;
    if (!day) return;
    this.#keep(keep.solvedDay(this.progress, day));
    void this.#share();
  }

  /** A puzzle counts once, by its first try; one that was met before does not. What the server says of
   *  somebody it knows goes before what is kept here. */
  #count(score: number, told: PuzzleRated | null | undefined): void {
    const { puzzle, mine } = this;
    if (!puzzle) return;
    if (mine) {
      this.#keep(keep.met(this.progress, puzzle.id));
      if (!told || told.rating.games <= mine.rating.games) return;
      this.mine = { ...mine, rating: told.rating };
      this.change = [told.before, told.rating.value];
      return;
    }
    if (this.change || puzzle.retired || this.progress.seen.includes(puzzle.id)) return;
    const before = this.progress.rating;
    this.#keep(keep.met(keep.rated(this.progress, puzzle.rating, score), puzzle.id));
    this.change = [before, this.progress.rating];
  }

  #keep(progress: Progress): void {
    this.progress = progress;
    this.#keeper.save(progress);
  }

  keepStorm(score: number): void {
    this.#keep(keep.stormed(this.progress, score));
    void this.#share();
  }

  // ---- help

  async askHint(): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.hints > 1) return;
    if (this.stage === 'wrong') this.ask();
    const hint = await api.getHint(puzzle.id, this.step, this.hints === 1);
    if (puzzle !== this.puzzle) return;
    this.hints += 1;
    this.hint = hint;
    if (hint.rating) this.#count(0, hint.rating);
  }

  async showAnswer(): Promise<void> {
    const { puzzle } = this;
    if (!puzzle) return;
    const solution = await api.getSolution(puzzle.id);
    if (puzzle !== this.puzzle) return;
    this.solution = solution;
    this.#count(0, solution.rating);
    this.turn.reset();
    await this.#playOut([puzzle.start, ...solution.steps]);
    if (puzzle === this.puzzle && !this.#closed) this.stage = 'shown';
  }
}
