/** The page's languages, found by the names of their files: `fr.ts` here is French, and `fr.ts`
 *  beside each part of the page has that part's words. A catalogue has every key of the English one,
 *  with the same parameters: a missing or stray key is a type error. */

import type en from './en';

export const ENGLISH = 'en';

export type Widened<T> = T extends (...args: infer A) => string
  ? (...args: A) => string
  : T extends string
    ? string
    : T extends readonly string[]
      ? string[]
      : { [K in keyof T]: Widened<T[K]> };

export type Catalogue = Widened<typeof en>;

/** Words by the name of their file, each read when it is wanted. */
export type Pages<Words> = Record<string, () => Promise<Words>>;

/** The language that a file's name ends with: `./fr.ts`, `rules.fr.md`. */
export const languageOf = (path: string): string => /([a-z]{2})\.\w+$/.exec(path)?.[1] ?? '';

export const CATALOGUES = import.meta.glob<Catalogue>('./??.ts', { import: 'default' });

/** Their codes, English first. */
export const LANGUAGES: readonly string[] = Object.keys(CATALOGUES)
  .map(languageOf)
  .sort((a, b) => Number(b === ENGLISH) - Number(a === ENGLISH) || a.localeCompare(b));

/** What those who speak it call it: 中文. */
export function ownName(lang: string): string {
  return new Intl.DisplayNames([lang], { type: 'language', fallback: 'code' }).of(lang) ?? lang;
}

/** The language after that one; the button in the top bar goes round. */
export function languageAfter(lang: string): string {
  return LANGUAGES[(LANGUAGES.indexOf(lang) + 1) % LANGUAGES.length] ?? ENGLISH;
}

/** The first of these wishes (`zh-TW`) that we speak, or English. */
export function languageFor(wishes: readonly string[]): string {
  const spoken = wishes.map((wish) => wish.toLowerCase().split('-')[0] ?? '');
  return spoken.find((lang) => LANGUAGES.includes(lang)) ?? ENGLISH;
}
