/** The words around a finished game; loaded only with its review. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type AfterWords = Widened<typeof en>;

export const aw = await wordbook(import.meta.glob<AfterWords>('./??.ts', { import: 'default' }));
