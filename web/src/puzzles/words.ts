/** The words of this page; loaded only with it. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type PuzzleWords = Widened<typeof en>;

export const pw = await wordbook(import.meta.glob<PuzzleWords>('./??.ts', { import: 'default' }));
