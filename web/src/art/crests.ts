/** Crests: the blazon is the price, hatched as engravers do. Sigils: a round shield, four ways. */

import type { Noble } from '../cards';
import { COLOURS, type Colour } from '../gems';
import { around, seeded } from './draw';

export const HATCHING: Record<Colour, string> = {
  w: '',
  u: 'M0 2H6M0 5H6',
  g: 'M-1 1L1 -1M0 6L6 0M5 7L7 5M-1 4L4 -1M2 7L7 2',
  r: 'M2 0V6M5 0V6',
  k: 'M0 1.5H6M0 4.5H6M1.5 0V6M4.5 0V6',
};

const IN_TWO = [
  ['M0 0H32V80H0Z', 'M32 0H64V80H32Z'],
  ['M0 0H64V36H0Z', 'M0 36H64V80H0Z'],
  ['M0 0H64L0 72Z', 'M64 0V80H0V72Z'],
  ['M0 0H64V52L32 26L0 52Z', 'M0 52L32 26L64 52V80H0Z'],
  ['M0 0H64V12L0 66Z', 'M64 12V80H0V66Z'],
];
const IN_THREE = [
  ['M0 0H21.5V80H0Z', 'M21.5 0H42.5V80H21.5Z', 'M42.5 0H64V80H42.5Z'],
  ['M0 0H64V26H0Z', 'M0 26H64V45H0Z', 'M0 45H64V80H0Z'],
  ['M0 0L32 36V80H0Z', 'M0 0H64L32 36Z', 'M64 0L32 36V80H64Z'],
  ['M0 0H32V36L0 60Z', 'M32 0H64V60L32 36Z', 'M0 60L32 36L64 60V80H0Z'],
];
const CROWNS = [
  'M12 15L10 3L20 10L26 1L32 9L38 1L44 10L54 3L52 15Z',
  'M12 15V6L20 11L32 0L44 11L52 6V15Z',
  'M12 15L9 5Q17 10 20 2Q27 10 32 0Q37 10 44 2Q47 10 55 5L52 15Z',
  'M12 15V9Q12 3 17 8Q22 1 27 8Q32 1 37 8Q42 1 47 8Q52 3 52 9V15Z',
];
export const SHIELDS = [
  'M6 18H58V44Q58 64 32 74Q6 64 6 44Z',
  'M6 18Q19 22 32 18Q45 22 58 18V46Q58 62 32 74Q6 62 6 46Z',
  'M8 18H56Q60 30 56 44Q52 62 32 74Q12 62 8 44Q4 30 8 18Z',
];
export const SIGILS = [
  'M8 0A8 8 0 0 0 8 16Z',
  'M0 8A8 8 0 0 1 16 8Z',
  'M2.34 13.66A8 8 0 0 1 13.66 2.34Z',
  'M8 8V0A8 8 0 0 0 0 8ZM8 8V16A8 8 0 0 0 16 8Z',
];

export interface Blazon {
  fields: { path: string; colour: Colour }[];
  shield: number;
  crown: string;
}

/** The parts of a noble's crest: the same name always bears the same arms. */
export function blazon(noble: Noble): Blazon {
  const draw = seeded(noble.name.en);
  const colours = COLOURS.filter((_, i) => noble.cost[i]);
  const partings = colours.length === 2 ? IN_TWO : IN_THREE;
  const paths = around(partings, Math.floor(draw() * partings.length));
  const shield = Math.floor(draw() * 3);
  const crown = around(CROWNS, Math.floor(draw() * 4));
  return { fields: colours.map((colour, i) => ({ path: around(paths, i), colour })), shield, crown };
}
