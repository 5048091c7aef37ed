/** Going through mistakes one by one: the games they are from, the try on the board, its verdict. */

import { getKeySeats, getTable, post, Refused } from '../api';
import { keysOf, tablesHeld } from '../keyring';
import { getMistakes } from '../people/api';
import { me } from '../people/me.svelte';
import type { TableInfo, Words } from '../protocol';
import { runEngine } from '../studio/api';
import { Reviewing } from '../studio/reviewing.svelte';
import { StudyTurn } from '../studio/turn.svelte';
import type { Analysis, Review, StudyTree } from '../studio/types';
import * as drill from './drill';
import type { Mistake, Verdict } from './drill';
import * as schedule from './schedule';

/** One finished game of this browser. */
export interface Game {
  table: TableInfo;
  tree: StudyTree;
  review: Review;
  /** The seats whose mistakes are asked for, and whether they are yours. */
  seats: number[];
  yours: boolean;
}

export interface Exercise extends Mistake {
  game: Game;
}

export type Stage = 'loading' | 'live' | 'asking' | 'checking' | 'wrong' | 'good' | 'done' | 'nothing' | 'noGames' | 'failed';

const MOST_GAMES = 12;
const VISITS = 6000;
const LINES = 5;

export class Drilling {
  stage: Stage = $state('loading');
  trouble: Words | null = $state.raw(null);
  exercises: Exercise[] = $state.raw([]);
  at = $state(0);
  verdict: Verdict | null = $state.raw(null);
  /** The answer was asked for, not found. */
  shown = $state(false);
  /** 0 none, 1 what kind of move, 2 where. */
  hints = $state(0);
  tries = $state(0);
  firstTry = $state(0);
  /** The best analysis of the position so far. */
  analysis: Analysis | null = $state.raw(null);
  gamesSeen = $state(0);
  gamesOf = $state(0);
  readonly reviewing = new Reviewing();
  readonly turn = new StudyTurn((moves) => this.#tried(moves[0] ?? ''));
  #stop = new AbortController();
  #solved = new Set<number>();

  get now(): Exercise | null {
    return this.exercises[this.at] ?? null;
  }

  isSolved(i: number): boolean {
    return this.#solved.has(i);
  }

  close(): void {
    this.#stop.abort();
    this.reviewing.stop();
  }

  // ---- finding the mistakes

  /** Of one game. */
  async openGame(id: string, at = 0): Promise<void> {
    try {
      const game = await this.#game(id);
      if (!game) return;
      this.#take(this.#mistakes(game));
      if (at) this.go(Math.min(at, this.exercises.length - 1));
    } catch (error) {
      this.#fail(error);
    }
    if (this.stage === 'loading') this.stage = 'nothing';
  }

  /** Of all finished games whose seats are yours, by the keys of this browser or by your name: the first
   *  is asked while others load. */
  async openAll(): Promise<void> {
    const known = await sharedPractice();
    const theirs = known ? await learnable() : [];
    const ids = [...new Set([...schedule.dueTables(schedule.loadBoxes(), new Date()), ...tablesHeld(), ...theirs])].slice(0, MOST_GAMES);
    const solved = drill.solvedBefore();
    const boxes = schedule.loadBoxes();
    const today = new Date();
    /** What was solved before there were boxes is not asked again. */
    const isWanted = (name: string): boolean => schedule.isDue(boxes[name], today) && !(solved.has(name) && !boxes[name]);
    this.gamesOf = ids.length;
    let games = 0;
    for (const id of ids) {
      if (this.#stop.signal.aborted) return;
      const game = await this.#gameIfThere(id);
      this.gamesSeen += 1;
      if (!game) continue;
      games += 1;
      this.#take(this.#mistakes(game).filter((mistake) => isWanted(drill.nameOf(mistake))));
    }
    if (this.stage === 'loading') this.stage = games ? 'nothing' : 'noGames';
  }

  async #gameIfThere(id: string): Promise<Game | null> {
    try {
      const game = await this.#game(id);
      if (this.stage === 'live') this.stage = 'loading';
      return game;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return null;
    }
  }

  async #game(id: string): Promise<Game | null> {
    const keys = keysOf(id);
    const { table, seats } = await seatsAt(id, keys);
    if (table.state !== 'finished') {
      this.stage = 'live';
      return null;
    }
    const yours = seats.length > 0;
    const asked = yours ? seats : table.chairs.filter(({ kind }) => kind === 'human').map(({ seat }) => seat);
    const viewer = asked.length === 1 ? String(asked[0]) : 'all';
    const tree = await post<StudyTree>('/studies/open', { table: id, viewer }, keys);
    await this.reviewing.ask({ table: id }, 'quick', 'own', keys);
    if (this.reviewing.trouble) this.trouble = this.reviewing.trouble;
    const review = this.reviewing.review;
    if (!review?.summary) {
      if (!this.exercises.length) this.stage = 'failed';
      return null;
    }
    return { table, tree, review, seats: asked, yours };
  }

  #mistakes(game: Game): Exercise[] {
    return drill.mistakesIn(game.tree, game.review, game.seats).map((mistake) => ({ ...mistake, game }));
  }

  #take(found: Exercise[]): void {
    const first = this.exercises.length === 0;
    this.exercises = [...this.exercises, ...found];
    if (first && found.length) this.go(0);
  }

  #fail(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.trouble = error.words;
    this.stage = 'failed';
  }

  // ---- one mistake

  go(at: number): void {
    this.at = at;
    this.tries = 0;
    this.hints = 0;
    this.analysis = this.now?.decision.analysis ?? null;
    this.#ask();
  }

  #ask(): void {
    const now = this.now;
    this.verdict = null;
    this.shown = false;
    if (!now) {
      this.stage = 'done';
      return;
    }
    this.stage = 'asking';
    this.#show(now, true);
  }

  /** The position on the board; what is staged there is put back. */
  #show(now: Exercise, may: boolean): void {
    const way = [now.game.tree.start, ...now.game.tree.lines.slice(0, now.index).map(({ step }) => step)];
    this.turn.show(now.game.table, now.step, way, may);
    this.turn.play.held = now.game.yours && now.game.seats.length === 1 ? [now.turn.seat] : [0, 1];
    this.turn.reset();
  }

  async #tried(move: string): Promise<void> {
    const now = this.now;
    if (!now || this.stage !== 'asking') return;
    this.tries += 1;
    const known = this.analysis;
    const same = move === now.decision.move;
    if (!known || (!same && !drill.isKnown(known, move))) {
      this.stage = 'checking';
      await this.#lookDeeper(now);
    }
    if (this.now !== now) return;
    const verdict = drill.judge(now, move, this.analysis ?? known ?? emptyAnalysis(now));
    this.verdict = verdict;
    const right = drill.isAnswer(verdict.grade);
    if (right) this.#solve(now);
    this.stage = right ? 'good' : 'wrong';
    this.turn.play.legal = [];
  }

  #solve(now: Exercise): void {
    if (this.tries === 1 && !this.hints && !this.#solved.has(this.at)) this.firstTry += 1;
    if (!this.#solved.has(this.at)) this.#keep(now, this.tries === 1 && !this.hints);
    this.#solved.add(this.at);
    drill.rememberSolved(now);
  }

  /** When it comes back, here and on your other devices. */
  #keep(now: Exercise, found: boolean): void {
    schedule.answered(drill.nameOf(now), found, new Date());
    void sharedPractice();
  }

  /** What the review did not look at, the engine looks at now. It may be busy: then we go by what we know. */
  async #lookDeeper(now: Exercise): Promise<void> {
    const asked = { position: now.step.position, lines: LINES, visits: VISITS, knowledge: 'own' as const };
    try {
      for await (const { analysis } of runEngine(asked, this.#stop.signal, keysOf(now.table))) this.analysis = merged(this.analysis, analysis);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  again(): void {
    this.#ask();
  }

  hint(): void {
    this.hints = Math.min(2, this.hints + 1);
    if (this.stage === 'wrong') this.#ask();
  }

  showAnswer(): void {
    const now = this.now;
    if (!now) return;
    this.shown = true;
    if (!this.#solved.has(this.at)) this.#keep(now, false);
    this.#solved.add(this.at);
    this.verdict = { grade: 'best', move: now.decision.best, value: drill.chancesOf(now).best };
    this.stage = 'good';
    this.#show(now, false);
  }

  next(): void {
    this.go(this.at + 1);
  }

  restart(): void {
    this.#solved.clear();
    this.firstTry = 0;
    this.go(0);
  }
}

/** What your other devices know; fetched apart, as the first question can be read without it. */
async function sharedPractice(): Promise<boolean> {
  return (await import('../puzzles/practice')).sharedPractice();
}

/** The tables of your last games with mistakes, from whatever device they were played. */
async function learnable(): Promise<string[]> {
  try {
    return (await getMistakes()).tables.map(({ table }) => table);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [];
  }
}

/** Your seats there: by the keys of this browser, or else by who you are. */
async function seatsAt(id: string, keys: string[]): Promise<{ table: TableInfo; seats: number[] }> {
  if (!keys.length) {
    const table = await getTable(id);
    const mine = table.chairs.filter(({ person }) => person !== undefined && person === me.person?.id);
    return { table, seats: mine.map(({ seat }) => seat) };
  }
  const { table, seats } = await getKeySeats(id, keys);
  return { table, seats: [...new Set(seats.filter((seat) => seat !== null))] };
}

/** The deeper look wins; moves that only the first one knew stay. */
function merged(before: Analysis | null, now: Analysis): Analysis {
  const others = before?.moves.filter(({ move }) => !now.moves.some((line) => line.move === move)) ?? [];
  return { ...now, moves: [...now.moves, ...others] };
}

function emptyAnalysis({ decision }: Mistake): Analysis {
  return { chances: [], best: decision.best, moves: [], variation: [], visits: 0 };
}
