/** What was said, in this reader's language. */

import { getMeta } from '../api';
import type { Phrase } from '../http';
import type { ChatEntry } from '../protocol';
import { settings } from '../settings.svelte';

const known: { phrases: Phrase[] } = $state({ phrases: [] });
getMeta().then(
  (meta) => (known.phrases = meta.phrases),
  () => undefined,
);

export function phrases(): Phrase[] {
  return known.phrases;
}

/** Somebody's own words as they are, a phrase in the reader's. */
export function chatInWords({ text, phrase }: ChatEntry): string {
  return text ?? known.phrases.find(({ id }) => id === phrase)?.[settings.lang] ?? phrase;
}
