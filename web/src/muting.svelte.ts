/** Whom this browser does not want to hear: kept for the series, so a rematch is quiet too. */

import type { Play } from './state';

const STORED = 'cabochon.muted';
const MOST = 200;

function stored(): string[] {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '[]') as string[];
  } catch {
    return [];
  }
}

const muted: { whom: string[] } = $state({ whom: stored() });

/** Names differ at a table; seats change from game to game. */
function whois(play: Play, seat: number): string {
  return `${play.table?.series.id} ${play.table?.chairs[seat]?.name}`;
}

export function isMuted(play: Play, seat: number): boolean {
  return muted.whom.includes(whois(play, seat));
}

export function mute(play: Play, seat: number, on: boolean): void {
  const who = whois(play, seat);
  muted.whom = [...muted.whom.filter((one) => one !== who), ...(on ? [who] : [])].slice(-MOST);
  try {
    localStorage.setItem(STORED, JSON.stringify(muted.whom));
  } catch {
    // Then it holds as long as the page.
  }
}
