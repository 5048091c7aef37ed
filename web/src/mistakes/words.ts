/** The words of this page; loaded only with it. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type { en } from './en';

export type MistakeWords = Widened<typeof en>;

export const mw = await wordbook<MistakeWords>({
  en: async () => (await import('./en')).en,
  zh: async () => (await import('./zh')).zh,
});
