/** A hint: the engine's turn, staged on the board, with its reason. Loaded with the first one. */

import { post, Refused } from './api';
import { countsOf } from './gems';
import type { HintGiven } from './http';
import { said, tr } from './i18n';
import { keysOf } from './keyring';
import type { LiveTable } from './live.svelte';
import type { Words } from './protocol';
import { cardInShort } from './speech';
import * as staging from './staging';
import type { Play } from './state';
import { reasonParts } from './studio/reasonparts';

/** What the engine would do at that version, and why. */
export interface Advice {
  version: number;
  moves: string[];
  why: Words[];
  /** Of winning after it, in percent. */
  chance: number;
}

/** Ask and stage it; the same question is not asked twice. Null when there is no answer. */
export async function advise(live: LiveTable, known: Advice | null): Promise<Advice | null> {
  const version = live.play.version;
  const advice = known?.version === version ? known : await ask(live, version);
  if (advice && live.play.version === version) stage(live.play, advice.moves);
  return advice;
}

async function ask(live: LiveTable, version: number): Promise<Advice | null> {
  try {
    const given = await post<HintGiven>(`/tables/${live.id}/hint`, { version, seat: live.play.you }, keysOf(live.id));
    return { version, moves: given.moves, why: given.why.map(({ text }) => text), chance: Math.round(100 * given.chance) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    live.refusal = error.words;
    return null;
  }
}

/** As if a person had chosen these moves; nothing is sent. */
export function stage(play: Play, moves: string[]): void {
  staging.reset(play);
  for (const move of moves) {
    const [verb, what = '', paid = ''] = move.split(' ');
    if (verb === 'take') play.staged.action = { kind: 'take', gems: countsOf(what) };
    else if (verb === 'reserve') staging.stageReserve(play, what);
    else if (verb === 'pass') staging.stagePass(play);
    else if (verb === 'noble') staging.chooseNoble(play, what);
    else if (verb === 'return') play.staged.give = countsOf(what);
    else if (verb === 'buy' && staging.stageBuy(play, what) === null && paid) staging.pay(play, countsOf(paid.replace(/[=-]/g, '')));
  }
}

/** For those who hear it: cards by what they are, not by their codes. */
export const inWords = (advice: Advice): string =>
  advice.why.map((why) => reasonParts(said(why)).map((part, i) => (i % 2 ? cardInShort(part) : part)).join('')).join(tr().betweenSentences);
