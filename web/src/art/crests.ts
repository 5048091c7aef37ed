/** Crests: the blazon is the price, hatched as engravers do. Sigils: a round shield, four ways. */

import type { Noble } from '../cards';
import { COLOURS, type Colour } from '../gems';
import { CROWNS, IN_THREE, IN_TWO } from '../generated/art';
import { around, seeded } from './draw';

export interface Blazon {
  fields: { path: string; colour: Colour }[];
  shield: number;
  crown: string;
}

/** The parts of a noble's crest: the same name always bears the same arms. */
export function blazon(noble: Noble): Blazon {
  const draw = seeded(noble.name.en);
  const colours = COLOURS.filter((_, i) => noble.cost[i]);
  const partings: readonly (readonly string[])[] = colours.length === 2 ? IN_TWO : IN_THREE;
  const paths = around(partings, Math.floor(draw() * partings.length));
  const shield = Math.floor(draw() * 3);
  const crown = around(CROWNS, Math.floor(draw() * 4));
  return { fields: colours.map((colour, i) => ({ path: around(paths, i), colour })), shield, crown };
}
