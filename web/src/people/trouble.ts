import { Refused } from '../api';
import { said } from '../i18n';
import { isWavedAway } from './credentials';
import { pw } from './words';

/** Why a way in didn't work, for its reader; whatever else went wrong is thrown on. */
export function troubleOf(error: unknown): string {
  if (error instanceof Refused) return said(error.words);
  if (isWavedAway(error)) return pw().passkeyFailed;
  throw error;
}
