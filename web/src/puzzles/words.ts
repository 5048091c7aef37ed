/** The words of this page; loaded only with it. */

import { settings } from '../settings.svelte';
import { en } from './en';
import { zh } from './zh';

type Widened<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : { [K in keyof T]: Widened<T[K]> };

export type PuzzleWords = Widened<typeof en>;

export function pw(): PuzzleWords {
  return settings.lang === 'zh' ? zh : en;
}
