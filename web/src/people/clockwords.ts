/** How much time a game gives, in a few letters: "10 + 5". */

import { tr } from '../i18n';
import type { ClockInfo } from '../protocol';
import { pw } from './words';

export function clockShort(clock: ClockInfo | null): string {
  if (!clock) return pw().untimed;
  if (clock.kind === 'days') return (clock.days ?? 1) === 1 ? pw().dayATurn : pw().daysATurn(clock.days ?? 1);
  return tr().minutes((clock.base_s ?? 0) / 60, clock.increment_s ?? 0);
}
