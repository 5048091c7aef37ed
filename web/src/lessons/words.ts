/** The words of the course; loaded only with it. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type CourseWords = Widened<typeof en>;

export const cw = await wordbook(import.meta.glob<CourseWords>('./??.ts', { import: 'default' }));
