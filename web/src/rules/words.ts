/** The words of the pictures; loaded only with the rules. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type { en } from './en';

export type RuleWords = Widened<typeof en>;

export const rw = await wordbook<RuleWords>({
  en: async () => (await import('./en')).en,
  zh: async () => (await import('./zh')).zh,
});
