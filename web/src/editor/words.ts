/** The words of the editor; loaded only with it. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type EditorWords = Widened<typeof en>;

export const words = await wordbook(import.meta.glob<EditorWords>('./??.ts', { import: 'default' }));
