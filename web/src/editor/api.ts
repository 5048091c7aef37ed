/** What the editor asks the server. */

import { post } from '../api';
import type { NewTable } from '../http';
import type { Words } from '../protocol';
import type { Setup } from './setup';

/** One thing that is wrong, and where: `bank.w`, `rows.2.3`, `hands.0.tokens.w`. */
export interface SetupFault {
  code: string;
  where: string;
  text: Words;
  repair: { text: Words; setup: Record<string, unknown> } | null;
}

export interface PositionCheck {
  /** The position's text; null while a fault stands. */
  position: string | null;
  setup: Record<string, unknown> | null;
  faults: SetupFault[];
}

export const checkSetup = (setup: Setup): Promise<PositionCheck> => post('/positions/check', { setup });

export const checkText = (text: string): Promise<PositionCheck> => post('/positions/check', { text });

/** A freshly dealt position for two. */
export async function dealPosition(): Promise<string> {
  const { start } = await post<{ start: { position: string } }>('/studies/open', {});
  return start.position;
}

export type PositionTable = NewTable & { position: string };
