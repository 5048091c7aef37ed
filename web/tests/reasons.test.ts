import { expect, it } from 'vitest';

import { reasonParts } from '../src/studio/reasonparts';

it('leaves a place for the card that a reason names', () => {
  expect(reasonParts('Makes 3w4 (white, 5 points) affordable.', '3w4')).toEqual({ before: 'Makes ', card: '3w4', after: ' affordable.' });
  expect(reasonParts('之后就买得起 3w4（白色，5 分）。', '3w4')).toEqual({ before: '之后就买得起 ', card: '3w4', after: '。' });
});

it('keeps a sentence without a card whole', () => {
  expect(reasonParts('Brings a gold.', undefined)).toEqual({ before: 'Brings a gold.', card: null, after: '' });
  expect(reasonParts('Brings a gold.', '3w4')).toEqual({ before: 'Brings a gold.', card: null, after: '' });
});
