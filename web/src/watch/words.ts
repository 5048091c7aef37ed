/** The words of games that are looked at; loaded only with them. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type { en } from './en';

export type WatchWords = Widened<typeof en>;

export const ww = await wordbook<WatchWords>({
  en: async () => (await import('./en')).en,
  zh: async () => (await import('./zh')).zh,
});
