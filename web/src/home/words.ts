/** The words of what a busy server adds to the first page; loaded only with it. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type HomeWords = Widened<typeof en>;

export const hw = await wordbook(import.meta.glob<HomeWords>('./??.ts', { import: 'default' }));
