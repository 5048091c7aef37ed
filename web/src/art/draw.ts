/** Shared strokes: path data, points on a ring, and numbers that a seed decides. */

export type Point = readonly [number, number];

export const fixed = (x: number): number => +x.toFixed(1);

export function polygon(...points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${fixed(x)} ${fixed(y)}`).join('L')}Z`;
}

export function ring(n: number, radius: number, start = 0, cx = 32, cy = 32): Point[] {
  return Array.from({ length: n }, (_, i) => {
    const angle = ((start + (360 / n) * i) * Math.PI) / 180;
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)] as const;
  });
}

/** The item at an index, counted around. */
export function around<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}

/** Numbers in [0, 1) from a text: the same card looks the same everywhere. */
export function seeded(seed: string): () => number {
  let h = 2166136261;
  for (const char of seed) h = Math.imul(h ^ char.charCodeAt(0), 16777619);
  return () => {
    h = Math.imul(h ^ (h >>> 15), 2246822507);
    h = Math.imul(h ^ (h >>> 13), 3266489909);
    h ^= h >>> 16;
    return (h >>> 0) / 4294967296;
  };
}
