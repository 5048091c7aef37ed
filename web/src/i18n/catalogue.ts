/** A catalogue has every key of the English one, with the same parameters: a missing or stray key
 *  is a type error, so the build fails. */

import type { en } from './en';

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

export type Widened<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : T extends readonly string[]
      ? string[]
      : { [K in keyof T]: Widened<T[K]> };

export type Catalogue = Widened<typeof en>;
