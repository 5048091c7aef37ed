/** Card faces in a window of 132 x 96: level I rough, II cut, III set. Veils of black and white
 *  only, so that the points on the left stay readable. */

import type { Card, Level } from '../cards';
import { COLOURS } from '../gems';
import { around, fixed, polygon, ring, seeded } from './draw';

const CX = 84;
const CY = 49;
type Draw = () => number;

const veil = (path: string, light: number): string =>
  `<path d="${path}" fill="${light > 0 ? '#fff' : '#000'}" fill-opacity="${Math.abs(light).toFixed(2)}"/>`;

/** Strata of the mother rock, broken by cleavage planes. */
function rough(draw: Draw): string {
  let out = '';
  const tilt = (draw() - 0.5) * 34;
  for (let i = 0; i < 5; i++) {
    const y = 12 + i * 18 + draw() * 8;
    let path = 'M-4 100';
    for (let x = -4; x <= 140; x += 18 + draw() * 10) {
      path += `L${fixed(x)} ${fixed(y + ((x - 66) / 66) * tilt + (draw() - 0.5) * 15)}`;
    }
    out += veil(`${path}L140 100Z`, i % 2 ? 0.05 + draw() * 0.05 : -0.09);
  }
  for (let i = 0; i < 4; i++) {
    const [x, y] = [46 + draw() * 84, 8 + draw() * 78];
    const [w, h] = [10 + draw() * 16, 8 + draw() * 14];
    out += veil(polygon([x, y], [x + w, y + h * 0.3], [x + w * 0.5, y + h]), 0.1);
  }
  return out;
}

/** A lapidary's facet plan: mirrored planes around the stone. */
function cut(draw: Draw): string {
  const n = 14 + Math.floor(draw() * 3) * 2;
  const turn = draw() * 360;
  const near = ring(n, 34 + draw() * 6, turn + 180 / n, CX, CY);
  const [middle, far] = [ring(n, 62, turn, CX, CY), ring(n, 130, turn, CX, CY)];
  let out = '';
  for (let i = 0; i < n; i++) {
    const k = 0.04 + draw() * 0.1;
    const [a, b] = [around(middle, i), around(middle, i + 1)];
    out += veil(polygon(around(near, i), a, b), i % 2 ? k : -k * 0.8);
    out += veil(polygon(a, around(far, i), around(far, i + 1)), i % 2 ? -k * 0.8 : k * 0.7);
    out += veil(polygon(a, b, around(far, i + 1)), draw() * 0.07);
  }
  const line = (path: string, strength: number): string =>
    `<path d="${path}" fill="none" stroke="#fff" stroke-opacity="${strength}" stroke-width=".8"/>`;
  return out + line(polygon(...near), 0.28) + line(polygon(...middle), 0.12);
}

/** An engine-turned rosette and a ring of gold beads. */
function set(draw: Draw): string {
  const rays = 30 + Math.floor(draw() * 4) * 6;
  const lobes = 5 + Math.floor(draw() * 4);
  const deep = 5 + draw() * 5;
  let out = '';
  for (let radius = 46; radius < 140; radius += 7.5) out += rosette(radius, lobes, deep);
  const rim = ring(rays, 130, 0, CX, CY);
  for (let i = 1; i < rays; i += 2) {
    out += veil(polygon([CX, CY], around(rim, i), around(rim, i + 1)), 0.05);
  }
  for (const [x, y] of ring(20, 38.5, draw() * 18, CX, CY)) {
    out += `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="2.1" fill="var(--o2)" stroke="var(--o4)" stroke-width=".8"/>`;
  }
  return out;
}

function rosette(radius: number, lobes: number, deep: number): string {
  const phase = radius % 17 ? 0 : Math.PI;
  const points = Array.from({ length: 96 }, (_, k) => {
    const angle = (k / 96) * Math.PI * 2;
    const reach = radius + deep * Math.cos(angle * lobes + phase);
    return [CX + reach * Math.cos(angle), CY + reach * Math.sin(angle)] as const;
  });
  const strength = (0.3 - radius / 640).toFixed(2);
  return `<path d="${polygon(...points)}" fill="none" stroke="#fff" stroke-opacity="${strength}"/>`;
}

const STROKES: Record<Level, (draw: Draw) => string> = { 1: rough, 2: cut, 3: set };
const drawn = new Map<string, string>();

/** What lies between the ground and the stone of this card. */
export function strokes(card: Card): string {
  let art = drawn.get(card.code);
  if (art === undefined) drawn.set(card.code, (art = STROKES[card.level](seeded(seedOf(card)))));
  return art;
}

/** Level, bonus, points and price: the card's own data, spelled as in `render/art/cards.py`. */
export function seedOf(card: Card): string {
  const price = COLOURS.flatMap((colour, i) => {
    const n = card.cost[i];
    return n ? [`${colour.toUpperCase()}${n}`] : [];
  });
  return `${card.level}${card.bonus.toUpperCase()}${card.points}${price.join(' ')}`;
}
