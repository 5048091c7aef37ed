import { expect, it } from 'vitest';

import { reasonParts } from '../src/studio/reasonparts';

it('leaves a place for the card that a reason names', () => {
  expect(reasonParts('Makes 3w4 (white, 5 points) affordable.')).toEqual(['Makes ', '3w4', ' affordable.']);
  expect(reasonParts('之后就买得起 3w4（白色，5 分）。')).toEqual(['之后就买得起 ', '3w4', '。']);
  expect(reasonParts('Put 2w1 there.')).toEqual(['Put ', '2w1', ' there.']);
});

it('finds every card of several sentences', () => {
  const told = 'Its bonus makes 3r3 (red, 4 points) one token cheaper. Then 1u5 (blue) is free.';
  expect(reasonParts(told)).toEqual(['Its bonus makes ', '3r3', ' one token cheaper. Then ', '1u5', ' is free.']);
});

it('keeps a sentence without a card whole', () => {
  expect(reasonParts('Brings a gold.')).toEqual(['Brings a gold.']);
  expect(reasonParts('There is no 3r99.')).toEqual(['There is no 3r99.']);
});
