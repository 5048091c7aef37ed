/** The words of the lessons; loaded only with them. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type Lessons = Widened<typeof en>;

export const lessons = await wordbook(import.meta.glob<Lessons>('./??.ts', { import: 'default' }));
