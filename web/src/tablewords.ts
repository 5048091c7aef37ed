/** What a table plays, in words. */

import { tr } from './i18n';
import type { ClockInfo } from './protocol';
import type { Variant } from './variants';

export function variantName(variant: string): string {
  return tr().variant[variant as Variant] ?? variant;
}

export function clockInWords(clock: ClockInfo | null): string {
  if (!clock) return tr().untimed;
  if (clock.kind === 'days') return tr().days(clock.days ?? 1);
  return tr().minutesLong((clock.base_s ?? 0) / 60, clock.increment_s ?? 0);
}
