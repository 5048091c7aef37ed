/** The words of pages about people; loaded only with them. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type PeopleWords = Widened<typeof en>;

export const pw = await wordbook(import.meta.glob<PeopleWords>('./??.ts', { import: 'default' }));
