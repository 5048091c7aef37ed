/** Days in a row, the best storm and the mistakes that come back, on all devices of somebody whom the
 *  server knows. What is kept in this browser is a copy of theirs, and of nobody else's. */

import { get, put, Refused } from '../api';
import type { MyPractice } from '../generated/api';
import { joinedBoxes, loadBoxes, saveBoxes } from '../mistakes/schedule';
import { loadMe, me } from '../people/me.svelte';
import { browserProgress, joinedProgress, told, unknown } from './progress';

/** Whose days, storms and mistakes are kept in this browser. */
const OWNER = 'cabochon.practice';

function ownerHere(): string | null {
  try {
    return localStorage.getItem(OWNER);
  } catch {
    return null;
  }
}

function own(person: string): void {
  try {
    localStorage.setItem(OWNER, person);
  } catch {
    // Without storage nothing is kept here anyway.
  }
}

/** This device and the server learn what the other has. Whether there is somebody whom it knows. */
export async function sharedPractice(): Promise<boolean> {
  await loadMe();
  const person = me.person?.id;
  if (!person) return false;
  const isTheirs = [null, person].includes(ownerHere());
  try {
    let all = await get<MyPractice>('/me/practice');
    const news = isTheirs ? unknown(told(browserProgress.load(), loadBoxes()), all) : [];
    for (const part of news) all = await put<MyPractice>('/me/practice', part);
    keep(all, isTheirs);
    own(person);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
  return true;
}

/** Also what was done here meanwhile; but not what somebody else did here before. */
function keep({ days = [], storm = 0, mistakes = {} }: MyPractice, isTheirs: boolean): void {
  const progress = browserProgress.load();
  const before = isTheirs ? progress : { ...progress, days: [], storm: 0 };
  browserProgress.save(joinedProgress(before, { days, storm }));
  saveBoxes(joinedBoxes(mistakes, isTheirs ? loadBoxes() : {}));
}
