/** When a mistake is asked again: Leitner's boxes. Found at the first try it moves up a box and
 *  comes back later; otherwise it comes back tomorrow. After the last box you have it. */

export interface Scheduled {
  box: number;
  /** The day it is due, as 2026-11-20. */
  due: string;
  /** When it was answered: of two devices the later one is right. */
  at_ms?: number;
}

/** Days until it comes back, by box. */
export const BOX_DAYS: readonly number[] = [1, 3, 7, 16, 35];
const LEARNT = BOX_DAYS.length + 1;
const STORED = 'cabochon.mistakes.boxes';
const MOST = 600;

export type Boxes = Record<string, Scheduled>;

export function dayAfter(now: Date, days: number): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

export function loadBoxes(store: Storage = localStorage): Boxes {
  try {
    return JSON.parse(store.getItem(STORED) ?? '{}') as Boxes;
  } catch {
    return {};
  }
}

export function saveBoxes(boxes: Boxes, store: Storage = localStorage): void {
  const newest = Object.entries(boxes).slice(-MOST);
  try {
    store.setItem(STORED, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Without storage it may be asked once more.
  }
}

/** Where it goes from its box. */
export function moved(before: Scheduled | undefined, found: boolean, now: Date): Scheduled {
  const box = found ? Math.min((before?.box ?? 0) + 1, LEARNT) : 0;
  return { box, due: dayAfter(now, BOX_DAYS[Math.max(0, box - 1)] ?? 0), at_ms: now.getTime() };
}

/** What two devices know: of each mistake the later answer. */
export function joinedBoxes(one: Boxes, other: Boxes): Boxes {
  const both = { ...one };
  for (const [name, box] of Object.entries(other)) {
    const before = both[name];
    if (!before || (box.at_ms ?? 0) > (before.at_ms ?? 0)) both[name] = box;
  }
  return Object.fromEntries(Object.entries(both).sort(([, a], [, b]) => (a.at_ms ?? 0) - (b.at_ms ?? 0)));
}

/** Whether it is in the last box, answered: then it is yours. */
export function isLearnt(one: Scheduled): boolean {
  return one.box >= LEARNT;
}

/** Whether it is to be asked: never asked before, or its day has come. */
export function isDue(one: Scheduled | undefined, now: Date): boolean {
  return one === undefined || (!isLearnt(one) && one.due <= dayAfter(now, 0));
}

export function answered(name: string, found: boolean, now: Date, store: Storage = localStorage): void {
  const boxes = loadBoxes(store);
  saveBoxes({ ...boxes, [name]: moved(boxes[name], found, now) }, store);
}

/** How many that were asked before are due now. */
export function dueCount(now: Date): number {
  return Object.values(loadBoxes()).filter((one) => isDue(one, now)).length;
}

/** The tables of mistakes that are due, those that have waited longest first. */
export function dueTables(boxes: Boxes, now: Date): string[] {
  const due = Object.entries(boxes).filter(([, one]) => isDue(one, now));
  due.sort(([, a], [, b]) => (a.due < b.due ? -1 : 1));
  return [...new Set(due.map(([name]) => name.split(':')[0] ?? ''))].filter(Boolean);
}
