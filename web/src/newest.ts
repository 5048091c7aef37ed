/** Things by name in this browser's storage, of which only the newest are kept. */

export interface Dated {
  at: number;
}

export function readNewest<Thing extends Dated>(stored: string): Record<string, Thing> {
  try {
    return JSON.parse(localStorage.getItem(stored) ?? '{}') as Record<string, Thing>;
  } catch {
    return {};
  }
}

/** Without storage nothing is kept: what is written lives as long as the page. */
export function writeNewest<Thing extends Dated>(stored: string, things: Record<string, Thing>, most: number): void {
  const newest = Object.entries(things)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, most);
  try {
    localStorage.setItem(stored, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Private windows have none.
  }
}
