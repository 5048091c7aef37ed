/** Things travel from where they were to where they go. The board is right before anything has
 *  landed: what flies is a shadow above it. Nothing queues: a seat's next move cuts its last one
 *  short, and two seats' moves may be in the air together. */

import type { Change, View } from '../state';

const MOVE_MS = 320;
const DEAL_MS = 420;
const NOBLE_MS = 720;
const EASE = 'cubic-bezier(.6, 0, .2, 1)';
const LAND = 'cubic-bezier(.3, 1.35, .5, 1)';

type Spot = { rect: DOMRect; node: HTMLElement };
export type Spots = Map<string, Spot>;

interface Flight {
  seat: number;
  end: () => void;
}

const flying = new Set<Flight>();
let mover = 0;

/** Where everything is now; call before the screen changes. Phones and desks show some things in
 *  two places, of which one is visible. */
export function spots(root: HTMLElement): Spots {
  const found: Spots = new Map();
  for (const node of root.querySelectorAll<HTMLElement>('[data-at]')) {
    const rect = node.getBoundingClientRect();
    if (rect.width > 0 && node.dataset.at) found.set(node.dataset.at, { rect, node });
  }
  return found;
}

/** Copies of the cards that are about to leave, as they look now. */
export function shadows(before: Spots): Map<string, HTMLElement> {
  const copies = new Map<string, HTMLElement>();
  for (const [at, { node }] of before) {
    if (at.startsWith('place-') || /reserved-\d$/.test(at) || at.startsWith('noble-')) {
      copies.set(at, node.cloneNode(true) as HTMLElement);
    }
  }
  return copies;
}

/** Bring down what is in the air, or only what one seat has sent up. */
export function land(seat?: number): void {
  for (const flight of [...flying]) {
    if (seat !== undefined && flight.seat !== seat) continue;
    flight.end();
    flying.delete(flight);
  }
}

/** Let one change of the table be seen. */
export function fly(change: Change, before: Spots, copies: Map<string, HTMLElement>, after: Spots): void {
  const seat = change.by;
  if (seat === null) return;
  land(seat);
  mover = seat;
  let delay = 0;
  for (const event of change.events) {
    const [verb = '', what = '', paid = ''] = event.split(' ');
    if (verb === 'take') tokens(what, `bank-`, `seat-${seat}-`, before, after, delay, 60);
    if (verb === 'return') tokens(what, `seat-${seat}-`, `bank-`, before, after, delay, 60);
    if (verb === 'buy') buy(change, seat, what, paid, before, copies, after);
    if (verb === 'reserve') reserve(change, seat, what, before, copies, after);
    if (verb === 'deal') delay = deal(change, delay, before, after);
  }
  visit(change, seat, before, copies, after);
}

function tokens(letters: string, from: string, to: string, before: Spots, after: Spots, delay: number, gap: number): void {
  [...letters].forEach((g, i) => {
    const source = before.get(from + g)?.rect;
    const goal = after.get(to + g)?.rect;
    if (source && goal) token(g, source, goal, delay + i * gap);
  });
}

function token(g: string, from: DOMRect, to: DOMRect, delay: number): void {
  const ghost = document.createElement('span');
  ghost.className = 'flying-token';
  ghost.style.setProperty('--light', `var(--${g}2)`);
  ghost.style.setProperty('--body', `var(--${g}3)`);
  ghost.innerHTML = `<svg viewBox="0 0 64 64"><use href="#gem-${g}-letter"/></svg>`;
  const size = Math.min(58, Math.max(30, Math.min(from.width, from.height)));
  const scale = Math.min(to.width, to.height) / size;
  place(ghost, from.left + Math.min(from.width, size) / 2 - size / 2, from.top, size, size);
  const x = to.left + to.width / 2 - (from.left + Math.min(from.width, size) / 2);
  const y = to.top + to.height / 2 - (from.top + size / 2);
  run(ghost, [
    { transform: 'none', easing: EASE },
    { transform: `translate(${x}px, ${y}px) scale(${scale * 0.92})`, offset: 0.84, easing: LAND },
    { transform: `translate(${x}px, ${y}px) scale(${scale})` },
  ], MOVE_MS + 60, delay);
}

function placeOf(view: View, code: string): string | null {
  for (const [i, row] of view.rows.entries()) {
    const column = row.indexOf(code);
    if (column >= 0) return `place-${i + 1}-${column}`;
  }
  return null;
}

function sourceOf(change: Change, seat: number, code: string): string | null {
  const row = placeOf(change.before, code);
  if (row) return row;
  const held = change.before.hands[seat]?.reserved ?? [];
  const known = held.findIndex((info) => info.card === code);
  return `seat-${seat}-reserved-${known >= 0 ? known : 0}`;
}

function buy(change: Change, seat: number, code: string, paid: string, before: Spots, copies: Map<string, HTMLElement>, after: Spots): void {
  tokens(paid.replace(/[=-]/g, ''), `seat-${seat}-`, 'bank-', before, after, 0, 40);
  const at = sourceOf(change, seat, code);
  const goal = after.get(`seat-${seat}-bonus-${code[1]}`);
  if (!at || !goal) return;
  card(copies.get(at), before.get(at)?.rect, goal.rect, 0, false);
  goal.node.animate([{ transform: 'none' }, { transform: 'scale(1.18)' }, { transform: 'none' }], {
    duration: 260,
    delay: MOVE_MS,
  });
}

function reserve(change: Change, seat: number, what: string, before: Spots, copies: Map<string, HTMLElement>, after: Spots): void {
  const slot = (change.after.hands[seat]?.reserved.length ?? 1) - 1;
  const goal = after.get(`seat-${seat}-reserved-${slot}`)?.rect;
  const deck = what.startsWith('deck');
  const at = deck ? `deck-${what.slice(4)}` : placeOf(change.before, what);
  const source = at ? before.get(at) : undefined;
  if (source && goal) {
    const copy = deck ? (source.node.cloneNode(true) as HTMLElement) : at ? copies.get(at) : undefined;
    card(copy, source.rect, goal, 0, !deck && change.after.viewer !== seat);
  }
  const gold = (change.before.bank[5] ?? 0) > (change.after.bank[5] ?? 0);
  if (gold) tokens('o', 'bank-', `seat-${seat}-`, before, after, 80, 0);
}

/** The place is filled from the deck, after the card has left. */
function deal(change: Change, delay: number, before: Spots, after: Spots): number {
  const filled = change.after.rows.flatMap((row, i) =>
    row.flatMap((code, j) => (code && change.before.rows[i]?.[j] !== code ? [{ level: i + 1, at: `place-${i + 1}-${j}` }] : [])),
  );
  for (const { level, at } of filled) {
    const from = before.get(`deck-${level}`)?.rect;
    const to = after.get(at);
    if (!from || !to) continue;
    const shift = `translate(${from.left - to.rect.left}px, ${from.top - to.rect.top}px)`;
    const narrow = from.width / to.rect.width;
    const animation = to.node.animate(
      [
        { transform: `${shift} scaleX(${narrow})`, opacity: 0.2, transformOrigin: '0 0' },
        { transform: `${shift} scaleX(${narrow})`, opacity: 1, offset: 0.05, transformOrigin: '0 0' },
        { transform: 'none', opacity: 1, transformOrigin: '0 0' },
      ],
      { duration: DEAL_MS, delay: delay + MOVE_MS * 0.7, easing: EASE, fill: 'backwards' },
    );
    const flight = { seat: mover, end: () => animation.cancel() };
    flying.add(flight);
    animation.finished.then(() => flying.delete(flight)).catch(() => undefined);
  }
  return delay;
}

function card(copy: HTMLElement | undefined, from: DOMRect | undefined, to: DOMRect, delay: number, turned: boolean): void {
  if (!copy || !from) return;
  copy.removeAttribute('data-at');
  copy.setAttribute('aria-hidden', 'true');
  const ghost = document.createElement('span');
  ghost.className = 'flying-card';
  ghost.append(copy);
  place(ghost, from.left, from.top, from.width, from.height);
  const scale = Math.min(to.width / from.width, to.height / from.height);
  const x = to.left + to.width / 2 - (from.left + from.width / 2);
  const y = to.top + to.height / 2 - (from.top + from.height / 2);
  const flip = turned ? ' rotateY(88deg)' : '';
  run(ghost, [
    { transform: 'none', opacity: 1 },
    { transform: 'translateY(-6px)', opacity: 1, offset: 0.2 },
    { transform: `translate(${x}px, ${y}px) scale(${scale})${flip}`, opacity: 0.9 },
  ], MOVE_MS + 80, delay);
}

/** The one ceremony: the crest rises, gleams, and travels. */
function visit(change: Change, seat: number, before: Spots, copies: Map<string, HTMLElement>, after: Spots): void {
  const had = new Set(change.before.hands[seat]?.nobles);
  for (const code of change.after.hands[seat]?.nobles ?? []) {
    if (had.has(code)) continue;
    const from = before.get(`noble-${code}`)?.rect;
    const to = (after.get(`seat-${seat}-nobles`) ?? after.get(`seat-${seat}-score`))?.rect;
    const copy = copies.get(`noble-${code}`);
    if (!from || !to || !copy) continue;
    copy.removeAttribute('data-at');
    const ghost = document.createElement('span');
    ghost.className = 'flying-card';
    ghost.append(copy);
    place(ghost, from.left, from.top, from.width, from.height);
    const x = to.left + to.width / 2 - (from.left + from.width / 2);
    const y = to.top + to.height / 2 - (from.top + from.height / 2);
    run(ghost, [
      { transform: 'none', filter: 'none' },
      { transform: 'translateY(-12px)', filter: 'drop-shadow(0 0 0 #fff0b8)', offset: 0.25 },
      { transform: 'translateY(-12px)', filter: 'drop-shadow(0 0 12px #fbd25c) brightness(1.15)', offset: 0.5 },
      { transform: `translate(${x}px, ${y}px) scale(.24)`, filter: 'none' },
    ], NOBLE_MS, 0);
  }
}

function place(ghost: HTMLElement, left: number, top: number, width: number, height: number): void {
  ghost.setAttribute('aria-hidden', 'true');
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

function run(ghost: HTMLElement, frames: Keyframe[], duration: number, delay: number): void {
  document.body.append(ghost);
  const animation = ghost.animate(frames, { duration, delay, easing: EASE, fill: 'both' });
  const flight = { seat: mover, end: () => animation.cancel() };
  flying.add(flight);
  const gone = (): void => {
    ghost.remove();
    flying.delete(flight);
  };
  animation.finished.then(gone).catch(gone);
}
