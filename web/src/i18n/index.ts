/** The words of the chosen language: `tr().confirm`. */

import type { Words } from '../protocol';
import { settings } from '../settings.svelte';
import type { Catalogue, Language } from './catalogue';
import { en } from './en';
import { zh } from './zh';

const CATALOGUES: Record<Language, Catalogue> = { en, zh };

export function tr(): Catalogue {
  return CATALOGUES[settings.lang];
}

/** A sentence that the server gives in every language. */
export function said(words: Words): string {
  return words[settings.lang];
}
