/** The words of the chosen language: `tr().confirm`. */

import type { Words } from '../protocol';
import { settings } from '../settings.svelte';
import type { Catalogue } from './catalogue';
import { wordbook } from './spoken.svelte';

let words: (() => Catalogue) | undefined;

/** Before the page is shown. */
export async function learnToSpeak(): Promise<void> {
  words = await wordbook<Catalogue>({
    en: async () => (await import('./en')).en,
    zh: async () => (await import('./zh')).zh,
  });
}

export function tr(): Catalogue {
  if (!words) throw new Error('no words have been loaded');
  return words();
}

/** A sentence that the server gives in every language. */
export function said(words: Words): string {
  return words[settings.lang];
}
