/** A turn that is put together on the board of the studio, for whoever is to move. */

import { Refused } from '../api';
import type { Letter } from '../gems';
import type { TurnMaker } from '../live.svelte';
import type { TableInfo } from '../protocol';
import { settings } from '../settings.svelte';
import * as staging from '../staging';
import { newPlay, type Facts, type Play, type View } from '../state';
import { playMoves } from './api';
import type { StudyStep } from './types';

export class StudyTurn implements TurnMaker {
  readonly play: Play = $state(newPlay());
  #onplay: (moves: string[]) => Promise<void>;
  #position = '';

  constructor(onplay: (moves: string[]) => Promise<void>) {
    this.#onplay = onplay;
  }

  /** Show that position: whoever is to move moves, if anybody may. */
  show(table: TableInfo, step: StudyStep, way: readonly StudyStep[], may: boolean): void {
    const play = this.play;
    const view = step.view as View;
    play.table = table;
    play.view = view;
    play.facts = step.facts as Facts;
    play.legal = may ? step.legal : [];
    play.you = view.seat;
    // Everybody goes by a name: no seat is "you".
    play.held = [0, 1];
    play.status = view.phase === 'over' ? 'finished' : 'running';
    play.log = way.flatMap(({ log }) => (log ? [log] : []));
    if (step.position !== this.#position) staging.reset(play);
    this.#position = step.position;
  }

  get staging(): boolean {
    return this.play.staged.action !== null || this.play.refusal !== null || this.play.staged.noble !== null || this.#due();
  }

  /** In the middle of a turn something must be chosen before anything else. */
  #due(): boolean {
    return this.play.legal.length > 0 && this.play.view?.phase !== 'act';
  }

  async #try(question: staging.Question): Promise<void> {
    if (question === null) {
      const sure = staging.wanted(this.play) === 'confirm' && this.play.staged.action !== null;
      if (!settings.confirm && sure && !staging.isOpenEnded(this.play)) await this.confirm();
      return;
    }
    try {
      await playMoves(this.#position, question, null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.play.refusal = error.words;
    }
  }

  #may(): boolean {
    return this.play.legal.length > 0;
  }

  tapToken(letter: Letter): Promise<void> {
    return this.#may() ? this.#try(staging.tapToken(this.play, letter)) : Promise.resolve();
  }

  dropToken(letter: Letter): void {
    staging.dropToken(this.play, letter);
  }

  tapCard(code: string, reserved = false): Promise<void> {
    return this.#may() ? this.#try(staging.tapCard(this.play, code, reserved)) : Promise.resolve();
  }

  buy(code: string): Promise<void> {
    return this.#try(staging.stageBuy(this.play, code));
  }

  reserve(target: string): Promise<void> {
    return this.#may() ? this.#try(staging.stageReserve(this.play, target)) : Promise.resolve();
  }

  pass(): Promise<void> {
    return this.#try(staging.stagePass(this.play));
  }

  pay(payment: number[]): void {
    staging.pay(this.play, payment);
  }

  chooseNoble(code: string): void {
    staging.chooseNoble(this.play, code);
  }

  async give(letter: Letter): Promise<void> {
    staging.tapGive(this.play, letter);
    if (!settings.confirm && staging.wanted(this.play) === 'confirm') await this.confirm();
  }

  reset(): void {
    staging.reset(this.play);
  }

  async confirm(): Promise<void> {
    const moves = staging.moves(this.play);
    if (this.play.sending || !moves.length) return;
    if (staging.wanted(this.play) === 'more') return this.#try(moves);
    if (staging.wanted(this.play) !== 'confirm') return;
    this.play.sending = 'move';
    try {
      await this.#onplay(moves);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.play.refusal = error.words;
    } finally {
      this.play.sending = null;
    }
  }
}
