/** What was said, in this reader's language. */

import { getMeta } from '../api';
import type { Phrase } from '../http';
import { said } from '../i18n';
import type { ChatEntry } from '../protocol';

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
  if (text) return text;
  const found = known.phrases.find(({ id }) => id === phrase);
  return found ? said(found) : phrase;
}
