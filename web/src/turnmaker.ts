/** What a person does with a turn that is put together: at a table, or in the studio. */

import type { Letter } from './gems';
import { settings } from './settings.svelte';
import * as staging from './staging';
import type { Play } from './state';

export abstract class TurnMaker {
  abstract readonly play: Play;

  /** Whether nothing can be chosen now. */
  protected abstract isWaiting(): boolean;

  /** Say why these moves can't be staged. */
  protected abstract explain(moves: string[]): Promise<void>;

  /** Play these moves; a refusal is shown. */
  protected abstract send(moves: string[]): Promise<void>;

  /** Something was staged; where it could not be, say why. */
  async #settle(question: staging.Question): Promise<void> {
    if (question !== null) return this.explain(question);
    const sure = staging.wanted(this.play) === 'confirm' && this.play.staged.action !== null;
    if (!settings.confirm && sure && !staging.isOpenEnded(this.play)) await this.confirm();
  }

  async tapToken(letter: Letter): Promise<void> {
    if (!this.isWaiting()) await this.#settle(staging.tapToken(this.play, letter));
  }

  dropToken(letter: Letter): void {
    staging.dropToken(this.play, letter);
  }

  async tapCard(code: string, reserved = false): Promise<void> {
    if (!this.isWaiting()) await this.#settle(staging.tapCard(this.play, code, reserved));
  }

  buy(code: string): Promise<void> {
    return this.#settle(staging.stageBuy(this.play, code));
  }

  /** A card's code, or `deck1` … `deck3`. */
  async reserve(target: string): Promise<void> {
    if (!this.isWaiting()) await this.#settle(staging.stageReserve(this.play, target));
  }

  pass(): Promise<void> {
    return this.#settle(staging.stagePass(this.play));
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

  /** Play the staged turn. For an incomplete one, it is said what is missing. */
  async confirm(): Promise<void> {
    const play = this.play;
    const moves = staging.moves(play);
    if (play.sending || !moves.length) return;
    if (staging.wanted(play) === 'more') return this.explain(moves);
    if (staging.wanted(play) !== 'confirm') return;
    play.sending = 'move';
    try {
      await this.send(moves);
    } finally {
      play.sending = null;
    }
  }
}
