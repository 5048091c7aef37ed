/** The words of the graph; loaded only with it. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type GraphWords = Widened<typeof en>;

export const gw = await wordbook(import.meta.glob<GraphWords>('./??.ts', { import: 'default' }));
