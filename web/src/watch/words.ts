/** The words of games that are looked at; loaded only with them. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type WatchWords = Widened<typeof en>;

export const ww = await wordbook(import.meta.glob<WatchWords>('./??.ts', { import: 'default' }));
