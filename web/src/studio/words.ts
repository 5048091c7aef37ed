/** The words of the studio; loaded only with it. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type Studied = Widened<typeof en>;

export const ws = await wordbook(import.meta.glob<Studied>('./??.ts', { import: 'default' }));
