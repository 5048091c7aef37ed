/** The words of the lessons; loaded only with them. */

import { settings } from '../settings.svelte';
import { en } from './en';
import { zh } from './zh';

type Widened<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : T extends readonly string[]
      ? string[]
      : { [K in keyof T]: Widened<T[K]> };

export type Lessons = Widened<typeof en>;

export function lessons(): Lessons {
  return settings.lang === 'zh' ? zh : en;
}
