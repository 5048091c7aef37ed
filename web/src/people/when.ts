/** Moments in words of the language. */

import { tr } from '../i18n';

const locale = (): string => tr().locale;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** "3 hours ago". */
export function ago(at: number): string {
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
  const minutes = Math.min(0, Math.round((at - Date.now()) / MINUTE));
  if (minutes > -60) return words.format(minutes, 'minute');
  if (minutes > -24 * 60) return words.format(Math.round(minutes / 60), 'hour');
  return words.format(Math.round(minutes / 60 / 24), 'day');
}

/** The day of a game: today, yesterday, a weekday, a date. */
export function day(at: number): string {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const days = Math.ceil((midnight - at) / DAY);
  if (days <= 1) return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(-Math.max(0, days), 'day');
  if (days < 7) return new Intl.DateTimeFormat(locale(), { weekday: 'long' }).format(at);
  return date(at);
}

export function date(at: number): string {
  const year = new Date(at).getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', ...year }).format(at);
}

export function month(at: number): string {
  return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(at);
}
