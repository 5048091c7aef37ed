/** The words of this page, in every language: they come with it. */

import { ENGLISH, languageOf, type Widened } from '../i18n/catalogue';
import { settings } from '../settings.svelte';
import type en from './en';

export type PuzzleWords = Widened<typeof en>;

const WRITTEN = new Map(
  Object.entries(import.meta.glob<PuzzleWords>('./??.ts', { eager: true, import: 'default' })).map(([path, words]) => [languageOf(path), words]),
);

export function pw(): PuzzleWords {
  return WRITTEN.get(settings.lang) ?? WRITTEN.get(ENGLISH)!;
}
