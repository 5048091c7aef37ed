/** The words around a table of friends: waiting, inviting, talking. Loaded only with those. */

import type { Widened } from '../i18n/catalogue';
import { wordbook } from '../i18n/spoken.svelte';
import type en from './en';

export type FriendWords = Widened<typeof en>;

export const fw = await wordbook(import.meta.glob<FriendWords>('./??.ts', { import: 'default' }));
