/** The fair deal: the seed told at the end must match what was shown at the start. */

import { sha256 } from './sha256';

export function matchesSeal(seed: string, commitment: string): boolean {
  return sha256(`cabochon commitment 1\n${seed}`) === commitment;
}
