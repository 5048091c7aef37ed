/** A turn that is being put together: nothing here is sent before it is confirmed.
 *
 *  Every function changes the staged turn only into something that can still become one of the
 *  server's legal moves. Where a person asks for something else, the moves to ask the server about
 *  are returned, so that it can say in words why not. */

import { countsOf, LETTERS, lettersOf, minus, plus, total, type Letter } from './gems';
import type { Effect, LegalMove } from './protocol';
import type { Play } from './state';

export type Action =
  | { kind: 'take'; gems: number[] }
  | { kind: 'reserve'; target: string }
  | { kind: 'buy'; card: string; payment: number[] }
  | { kind: 'pass' }
  | { kind: 'typed'; moves: string[]; after: Effect };

export interface Staged {
  action: Action | null;
  noble: string | null;
  give: number[];
}

/** What is still wanted before the turn can be sent. */
export type Wanted = 'action' | 'more' | 'noble' | 'return' | 'confirm';

/** The moves to ask the server about when something cannot be staged; null when it was staged. */
export type Question = string[] | null;

export function nothingStaged(): Staged {
  return { action: null, noble: null, give: [0, 0, 0, 0, 0, 0] };
}

export function reset(play: Play): void {
  play.staged = nothingStaged();
  play.refusal = null;
}

function stage(play: Play, action: Action): null {
  play.staged = { ...nothingStaged(), action };
  play.refusal = null;
  return null;
}

// ---- what the server allows

function legalMove(play: Play, text: string): LegalMove | undefined {
  return play.legal.find(({ move }) => move === text);
}

function legalBuy(play: Play, code: string): LegalMove | undefined {
  return play.legal.find(({ move }) => move.startsWith(`buy ${code} `));
}

export function canReserve(play: Play, target: string): boolean {
  return legalMove(play, `reserve ${target}`) !== undefined;
}

export function canBuy(play: Play, code: string): boolean {
  return legalBuy(play, code) !== undefined;
}

export function mustPass(play: Play): boolean {
  return legalMove(play, 'pass') !== undefined;
}

function takes(play: Play): number[][] {
  return play.legal.flatMap(({ move }) =>
    move.startsWith('take ') ? [countsOf(move.slice(5))] : [],
  );
}

function within(part: readonly number[], whole: readonly number[]): boolean {
  return part.every((n, i) => n <= (whole[i] ?? 0));
}

// ---- putting a turn together

/** A tap on a colour of the bank: one more of it, or (when that cannot be) none of it. */
export function tapToken(play: Play, letter: Letter): Question {
  const action = play.staged.action;
  const gems = action?.kind === 'take' ? action.gems : [0, 0, 0, 0, 0, 0];
  const more = plus(gems, countsOf(letter));
  if (takes(play).some((take) => within(more, take))) return stage(play, { kind: 'take', gems: more });
  const held = gems[LETTERS.indexOf(letter)] ?? 0;
  const alone = held === total(gems);
  if (held > 0 && (!alone || held > 1)) return dropToken(play, letter);
  return [`take ${lettersOf(more)}`];
}

/** Put that colour back. */
export function dropToken(play: Play, letter: Letter): Question {
  const action = play.staged.action;
  if (action?.kind !== 'take') return null;
  const gems = action.gems.map((n, i) => (LETTERS[i] === letter ? 0 : n));
  if (total(gems)) return stage(play, { kind: 'take', gems });
  reset(play);
  return null;
}

/** A tap on a card: buy it if it can be bought, else reserve it; a second tap puts it back. */
export function tapCard(play: Play, code: string, reserved: boolean): Question {
  const action = play.staged.action;
  const staged =
    (action?.kind === 'buy' && action.card === code) ||
    (action?.kind === 'reserve' && action.target === code);
  if (staged) {
    reset(play);
    return null;
  }
  if (canBuy(play, code)) return stageBuy(play, code);
  if (!reserved && canReserve(play, code)) return stageReserve(play, code);
  return [`buy ${code}`];
}

export function stageBuy(play: Play, code: string): Question {
  const payment = play.facts?.cards[code]?.pay;
  if (!payment || !canBuy(play, code)) return [`buy ${code}`];
  return stage(play, { kind: 'buy', card: code, payment: [...payment] });
}

/** A card of the market, or `deck1` … `deck3`. */
export function stageReserve(play: Play, target: string): Question {
  const action = play.staged.action;
  if (action?.kind === 'reserve' && action.target === target) {
    reset(play);
    return null;
  }
  if (!canReserve(play, target)) return [`reserve ${target}`];
  return stage(play, { kind: 'reserve', target });
}

export function stagePass(play: Play): Question {
  return mustPass(play) ? stage(play, { kind: 'pass' }) : ['pass'];
}

/** Moves that were typed and that the server has found legal. */
export function stageTyped(play: Play, moves: string[], after: Effect): void {
  stage(play, { kind: 'typed', moves, after });
}

/** The payments that differ from the staged one by a single gold for that colour. */
export function otherPayment(play: Play, letter: Letter, gold: 1 | -1): number[] | null {
  const action = play.staged.action;
  if (action?.kind !== 'buy') return null;
  const wanted = action.payment.map((n, i) => {
    if (LETTERS[i] === letter) return n - gold;
    return LETTERS[i] === 'o' ? n + gold : n;
  });
  const offered = play.facts?.cards[action.card]?.payments ?? [];
  return offered.find((mix) => mix.every((n, i) => n === wanted[i])) ?? null;
}

export function pay(play: Play, payment: number[]): void {
  const action = play.staged.action;
  if (action?.kind !== 'buy') return;
  play.staged.action = { ...action, payment: [...payment] };
  play.staged.give = [0, 0, 0, 0, 0, 0];
}

export function chooseNoble(play: Play, code: string): void {
  if (offered(play).includes(code)) play.staged.noble = code;
}

/** One more token of that colour to give back; at the excess, or past what is held, none of it. */
export function tapGive(play: Play, letter: Letter): void {
  const index = LETTERS.indexOf(letter);
  const give = [...play.staged.give];
  const most = Math.min(excess(play), tokensAfter(play)[index] ?? 0);
  if (excess(play) === 1) give.fill(0, 0, index).fill(0, index + 1);
  const room = total(give) < excess(play) && (give[index] ?? 0) < most;
  give[index] = room ? (give[index] ?? 0) + 1 : 0;
  play.staged.give = give;
  play.refusal = null;
}

// ---- what has been put together

function acting(play: Play): boolean {
  return play.view?.phase === 'act';
}

/** The server's word on what the staged action leads to. */
export function outcome(play: Play): Effect | null {
  const action = play.staged.action;
  switch (action?.kind) {
    case undefined:
      return null;
    case 'typed':
      return action.after;
    case 'buy':
      return paidEffect(play, action.card, action.payment);
    case 'take':
      return legalMove(play, `take ${lettersOf(action.gems)}`)?.after ?? null;
    case 'reserve':
      return legalMove(play, `reserve ${action.target}`)?.after ?? null;
    case 'pass':
      return legalMove(play, 'pass')?.after ?? null;
  }
}

/** The card or deck that the staged turn is about. */
export function stagedCard(play: Play): { code: string; how: 'buy' | 'reserve' } | null {
  const action = play.staged.action;
  if (action?.kind === 'buy') return { code: action.card, how: 'buy' };
  if (action?.kind === 'reserve') return { code: action.target, how: 'reserve' };
  return null;
}

/** The tokens that a hand of so many gains by the staged turn; none while nothing is staged. */
export function gainedTokens(play: Play, before: readonly number[]): number[] {
  const action = play.staged.action;
  if (action?.kind === 'take') return action.gems;
  const after = outcome(play);
  return after ? LETTERS.map((_, i) => (after.tokens[i] ?? 0) - (before[i] ?? 0)) : [];
}

/** The effect of a purchase with the payment that was chosen instead of the least gold. */
function paidEffect(play: Play, code: string, payment: number[]): Effect | null {
  const after = legalBuy(play, code)?.after;
  if (!after) return null;
  const tokens = minus(handTokens(play), payment);
  return { ...after, tokens, total: total(tokens), gold_needed: payment[5] ?? 0 };
}

function handTokens(play: Play): number[] {
  return play.view?.hands[play.you ?? -1]?.tokens ?? [0, 0, 0, 0, 0, 0];
}

/** What is held before tokens are given back. */
export function tokensAfter(play: Play): number[] {
  return outcome(play)?.tokens ?? handTokens(play);
}

/** How many tokens must be given back. */
export function excess(play: Play): number {
  if (!acting(play)) return play.view?.phase === 'return' ? (play.facts?.expected.excess ?? 0) : 0;
  return outcome(play)?.excess ?? 0;
}

/** The nobles to choose from, when there are several. */
export function offered(play: Play): string[] {
  if (play.view?.phase === 'noble') return play.facts?.expected.offered ?? [];
  if (!acting(play)) return [];
  const nobles = outcome(play)?.nobles ?? [];
  return nobles.length > 1 ? nobles : [];
}

export function wanted(play: Play): Wanted {
  if (acting(play)) {
    if (!play.staged.action) return 'action';
    if (!outcome(play)) return 'more';
  }
  if (offered(play).length && !play.staged.noble) return 'noble';
  if (total(play.staged.give) < excess(play)) return 'return';
  return 'confirm';
}

/** The whole turn as the server reads it. */
export function moves(play: Play): string[] {
  const { action, noble, give } = play.staged;
  const parts: string[] = [];
  if (action) parts.push(...actionTexts(action));
  if (noble) parts.push(`noble ${noble}`);
  if (total(give)) parts.push(`return ${lettersOf(give)}`);
  return parts;
}

function actionTexts(action: Action): string[] {
  switch (action.kind) {
    case 'take':
      return [`take ${lettersOf(action.gems)}`];
    case 'reserve':
      return [`reserve ${action.target}`];
    case 'buy':
      return [`buy ${action.card} =${lettersOf(action.payment) || '-'}`];
    case 'pass':
      return ['pass'];
    case 'typed':
      return action.moves;
  }
}

/** Whether another tap could still change a complete turn: then it is not sent by itself. */
export function isOpenEnded(play: Play): boolean {
  const action = play.staged.action;
  if (action?.kind !== 'take') return false;
  const size = total(action.gems);
  return takes(play).some((take) => total(take) > size && within(action.gems, take));
}
