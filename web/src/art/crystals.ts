/** Each level of the bots wears the habit that its mineral grows in, from a soft lump of talc to a
 *  sharp octahedron. Colourless, in four tones (1 is lit, 4 is in shade): no gem hue is spent. */

import { polygon as P } from './draw';

export const LADDER = ['talc', 'gypsum', 'calcite', 'fluorite', 'quartz', 'topaz', 'corundum', 'diamond'] as const;
export type Mineral = (typeof LADDER)[number];

export const isMineral = (bot: string | null | undefined): bot is Mineral => LADDER.includes(bot as Mineral);

export type Facet = readonly [tone: 1 | 2 | 3 | 4, path: string];

export const CRYSTALS: Readonly<Record<string, readonly Facet[]>> = {
  talc: [
    [3, 'M8 40Q5 28 15 22Q22 12 34 15Q47 12 53 24Q62 31 57 43Q52 54 37 53Q22 57 13 51Q7 48 8 40Z'],
    [2, 'M12 36Q18 24 32 26Q45 22 53 31Q46 35 35 35Q22 35 12 36Z'],
    [1, 'M17 25Q25 16 34 18Q43 16 49 24Q41 22 33 23Q24 21 17 25Z'],
    [4, 'M11 45Q24 44 36 45Q48 45 55 42Q51 52 37 51Q22 54 11 45Z'],
  ],
  gypsum: [
    [2, P([22, 6], [50, 14], [42, 54], [14, 46])],
    [1, P([22, 6], [14, 46], [9, 43], [17, 8])],
    [3, P([14, 46], [42, 54], [37, 58], [9, 43])],
    [1, P([25, 14], [33, 16], [25, 48], [18, 46])],
    [4, P([50, 14], [55, 20], [46, 57], [42, 54])],
    [4, P([42, 54], [46, 57], [37, 58])],
  ],
  calcite: [
    [1, P([25, 8], [61, 15], [42, 30], [5, 23])],
    [2, P([5, 23], [42, 30], [38, 57], [3, 48])],
    [4, P([61, 15], [42, 30], [38, 57], [57, 40])],
  ],
  fluorite: [
    [1, P([30, 5], [54, 15], [31, 26], [7, 15])],
    [2, P([7, 15], [31, 26], [31, 56], [7, 44])],
    [4, P([54, 15], [31, 26], [31, 56], [54, 44])],
    [1, P([44, 29], [58, 35], [45, 42], [31, 35])],
    [3, P([31, 35], [45, 42], [45, 60], [31, 52])],
    [4, P([58, 35], [45, 42], [45, 60], [58, 52])],
  ],
  quartz: [
    [1, P([30, 2], [15, 20], [29, 25])],
    [2, P([30, 2], [29, 25], [44, 21])],
    [4, P([30, 2], [44, 21], [49, 16])],
    [1, P([15, 20], [29, 25], [29, 61], [15, 56])],
    [3, P([29, 25], [44, 21], [44, 58], [29, 61])],
    [4, P([44, 21], [49, 16], [49, 53], [44, 58])],
  ],
  topaz: [
    [1, P([23, 4], [40, 4], [46, 14], [18, 14])],
    [2, P([18, 14], [46, 14], [41, 25], [23, 25])],
    [1, P([18, 14], [23, 25], [23, 56], [12, 50], [12, 22])],
    [3, P([23, 25], [41, 25], [41, 56], [23, 56])],
    [4, P([46, 14], [52, 22], [52, 50], [41, 56], [41, 25])],
    [4, P([23, 56], [41, 56], [37, 61], [27, 61])],
  ],
  corundum: [
    [1, P([21, 7], [43, 7], [48, 12], [16, 12])],
    [1, P([16, 12], [26, 14], [22, 34], [6, 31])],
    [2, P([26, 14], [38, 14], [42, 34], [22, 34])],
    [4, P([38, 14], [48, 12], [58, 31], [42, 34])],
    [2, P([16, 12], [48, 12], [38, 14], [26, 14])],
    [2, P([6, 31], [22, 34], [26, 55], [17, 52])],
    [3, P([22, 34], [42, 34], [38, 55], [26, 55])],
    [4, P([42, 34], [58, 31], [47, 52], [38, 55])],
    [4, P([17, 52], [26, 55], [38, 55], [47, 52], [42, 58], [22, 58])],
  ],
  diamond: [
    [1, P([32, 2], [4, 30], [24, 36])],
    [2, P([32, 2], [24, 36], [44, 34])],
    [4, P([32, 2], [44, 34], [60, 29])],
    [2, P([4, 30], [24, 36], [32, 62])],
    [3, P([24, 36], [44, 34], [32, 62])],
    [4, P([44, 34], [60, 29], [32, 62])],
    [1, P([32, 8], [27, 27], [38, 26])],
  ],
};

/** Characters have a sign instead: a stair, two arrows, a crown. */
export const STYLE_MARKS: Readonly<Record<string, string>> = {
  builder: 'M6 52H58M12 52V38H26V52M26 52V24H40V52M40 52V10H54V52',
  rusher: 'M8 14L34 32L8 50M30 14L56 32L30 50',
  hunter: 'M10 20L22 32L32 12L42 32L54 20L49 50H15Z',
};

/** The middle of a crystal, around which its hidden edges are the visible ones turned. */
export function middle(facets: readonly Facet[]): readonly [number, number] {
  const numbers = facets.flatMap(([, d]) => (d.match(/-?[\d.]+/g) ?? []).map(Number));
  const half = (of: number[]): number => (Math.min(...of) + Math.max(...of)) / 2;
  return [half(numbers.filter((_, i) => i % 2 === 0)), half(numbers.filter((_, i) => i % 2 === 1))];
}
