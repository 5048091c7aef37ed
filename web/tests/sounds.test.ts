import { describe, expect, it } from 'vitest';
import { SOUNDS, soundsOf, STROKES } from '../src/sounds';
import type { Change } from '../src/state';
import { sitting } from './positions';

function change(events: string[], nobles: string[] = []): Change {
  const before = sitting().view!;
  const hands = before.hands.map((hand, seat) => (seat === 0 ? { ...hand, nobles } : hand));
  return { version: 2, by: 0, events, before, after: { ...before, hands } };
}

describe('sounds', () => {
  it('belong to what happens', () => {
    expect(soundsOf(change(['take wug', 'return w']))).toEqual(['tokens']);
    expect(soundsOf(change(['reserve deck2']))).toEqual(['cards']);
    expect(soundsOf(change(['buy 1w1 =rrk', 'deal 1w5'], ['rk4']))).toEqual(['cards', 'nobles']);
    expect(soundsOf(change([]))).toEqual([]);
  });

  it('are short and never loud', () => {
    for (const name of SOUNDS) {
      const strokes = STROKES[name];
      expect(Math.max(...strokes.map(({ at, rings }) => at + rings))).toBeLessThan(2);
      expect(Math.max(...strokes.map(({ loud }) => loud))).toBeLessThan(0.2);
    }
  });
});
