/** The words of the chosen language: `tr().confirm`. */

import type { Words } from '../protocol';
import { settings } from '../settings.svelte';
import { CATALOGUES, ENGLISH, type Catalogue } from './catalogue';
import { wordbook } from './spoken.svelte';

let words: (() => Catalogue) | undefined;

/** Before the page is shown. */
export async function learnToSpeak(): Promise<void> {
  words = await wordbook(CATALOGUES);
}

export function tr(): Catalogue {
  if (!words) throw new Error('no words have been loaded');
  return words();
}

/** A sentence that the server gives in every language it speaks. */
export function said(words: Words): string {
  return (words as Record<string, string>)[settings.lang] ?? words[ENGLISH];
}
