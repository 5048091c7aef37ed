/** What is said to those who listen: one polite live region, the newest line last. */

const KEPT = 4;
let number = 0;

export const spoken: { lines: { id: number; text: string }[] } = $state({ lines: [] });

export function announce(text: string): void {
  if (!text) return;
  spoken.lines = [...spoken.lines.slice(1 - KEPT), { id: (number += 1), text }];
}
