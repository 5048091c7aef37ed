/** Games that are being played, in words and figures. */

import { botTitle } from '../bots.svelte';
import { tr } from '../i18n';
import type { LiveGame, LiveSeat } from '../people/types';
import type { ClockInfo } from '../protocol';
import { perCents } from './figures';
import { ww } from './words';

export const called = ({ bot, name }: LiveSeat): string => (bot ? botTitle(bot) : (name ?? tr().nameHint));

export const names = ({ seats }: LiveGame): string => tr().list(seats.map(called));

export function chancesSpoken(game: LiveGame): string {
  const shares = perCents(game.chances ?? []);
  return ww().chancesOf(tr().list(game.seats.map((seat, i) => ww().chanceOf(called(seat), shares[i] ?? 0))));
}

export function clockOf(clock: ClockInfo | null): string {
  if (!clock) return ww().untimed;
  if (clock.kind === 'days') return (clock.days ?? 1) === 1 ? ww().dayATurn : ww().daysATurn(clock.days ?? 1);
  return tr().minutes((clock.base_s ?? 0) / 60, clock.increment_s ?? 0);
}
