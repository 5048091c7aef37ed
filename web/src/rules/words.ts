/** The rules for people, and the words of the pictures; loaded only with the rules. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type RuleWords = Widened<typeof en>;

export const rw = await wordbook(import.meta.glob<RuleWords>('./??.ts', { import: 'default' }));

export const rulesText = await wordbook(
  import.meta.glob<string>('../../../src/cabochon/words/rules.??.md', { query: '?raw', import: 'default' }),
);
