/** One lesson: its questions one after the other, answers by move or choice, and what is said. */

import { Refused } from '../api';
import { askedTable } from '../asking/table';
import type { StudyStep } from '../generated/api';
import type { TableInfo, Words } from '../protocol';
import { StudyTurn } from '../studio/turn.svelte';
import * as api from './api';
import type { LessonQuestion, LessonTold, LessonTried } from './api';
import { answered, resumeAt } from './progress';
import { sharedProgress } from './sharing';

/** Wrong answers can be followed by another at once, so the table stays open. */
export type LessonStage = 'loading' | 'asking' | 'wrong' | 'right' | 'shown' | 'failed';

export class Learning {
  stage: LessonStage = $state('loading');
  lesson: LessonTold | null = $state.raw(null);
  at = $state(0);
  tried: LessonTried | null = $state.raw(null);
  /** The options that were chosen and wrong. */
  refuted: readonly string[] = $state.raw([]);
  trouble: Words | null = $state.raw(null);
  readonly turn = new StudyTurn((moves) => this.#answer((id, at) => api.tryMoves(id, at, moves)));
  #table: TableInfo | null = null;

  get question(): LessonQuestion | null {
    return this.lesson?.steps[this.at] ?? null;
  }

  get isLast(): boolean {
    return this.at === (this.lesson?.steps.length ?? 0) - 1;
  }

  /** Whether an answer is awaited. */
  get open(): boolean {
    return this.stage === 'asking' || this.stage === 'wrong';
  }

  async begin(id: string): Promise<void> {
    this.stage = 'loading';
    try {
      this.lesson = await api.getLesson(id);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble = error.words;
      this.stage = 'failed';
      return;
    }
    this.go(resumeAt(await sharedProgress(), id, this.lesson.steps.length));
  }

  /** Ask that question. */
  go(at: number): void {
    this.at = at;
    this.tried = null;
    this.refuted = [];
    const { question } = this;
    if (!question) return;
    this.#table = askedTable(question);
    this.stage = 'asking';
    this.#show(question.start, question.options.length === 0);
    this.turn.reset();
  }

  choose(option: string): Promise<void> {
    return this.#answer((id, at) => api.tryOption(id, at, option));
  }

  show(): Promise<void> {
    return this.#answer(api.getAnswer, true);
  }

  async #answer(ask: (id: string, at: number) => Promise<LessonTried>, shown = false): Promise<void> {
    const { lesson, at } = this;
    if (!lesson || !this.open) return;
    const tried = await ask(lesson.id, at);
    if (lesson !== this.lesson || at !== this.at) return;
    this.turn.reset();
    this.tried = tried;
    if (!tried.right) {
      this.stage = 'wrong';
      if (tried.option) this.refuted = [...this.refuted, tried.option];
      return;
    }
    this.stage = shown ? 'shown' : 'right';
    answered(lesson.id, at);
    void sharedProgress();
    const after = tried.steps.at(-1);
    if (after) this.#show(after, false);
  }

  #show(step: StudyStep, may: boolean): void {
    const { question } = this;
    if (!question || !this.#table) return;
    this.turn.show(this.#table, step, [step], may);
    this.turn.play.you = question.seat;
    this.turn.play.held = [question.seat];
  }
}
