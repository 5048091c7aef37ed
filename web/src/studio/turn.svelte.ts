/** A turn that is put together on the board of the studio, for whoever is to move. */

import { Refused } from '../api';
import type { TableInfo } from '../protocol';
import * as staging from '../staging';
import { newPlay, type Facts, type Play, type View } from '../state';
import { TurnMaker } from '../turnmaker';
import { playMoves } from './api';
import type { StudyStep } from './types';

export class StudyTurn extends TurnMaker {
  readonly play: Play = $state(newPlay());
  #onplay: (moves: string[]) => Promise<void>;
  #position = '';

  constructor(onplay: (moves: string[]) => Promise<void>) {
    super();
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

  protected override isWaiting(): boolean {
    return !this.play.legal.length;
  }

  protected override explain(moves: string[]): Promise<void> {
    return this.#heard(playMoves(this.#position, moves, null));
  }

  protected override send(moves: string[]): Promise<void> {
    return this.#heard(this.#onplay(moves));
  }

  async #heard(answer: Promise<unknown>): Promise<void> {
    try {
      await answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.play.refusal = error.words;
    }
  }
}
