import { describe, expect, it } from 'vitest';

import { findsCard } from '../src/editor/finding';
import { CARDS } from '../src/generated/rules';

const found = (text: string): string[] => CARDS.filter(findsCard(text)).map(({ code }) => code);

describe('cards by typed words', () => {
  it('finds by points, colour and price together', () => {
    const codes = found('2 points, red, costs K5');
    expect(codes).toEqual(CARDS.filter((c) => c.points === 2 && c.bonus === 'r' && c.cost[4] === 5).map((c) => c.code));
    expect(codes.length).toBeGreaterThan(0);
  });

  it('says the same in Chinese', () => {
    expect(found('2分 红 黑5')).toEqual(found('2 points, red, K5'));
    expect(found('二级 蓝')).toEqual(found('level 2 blue'));
  });

  it('reads a code or the beginning of one', () => {
    expect(found('2u1')).toEqual(['2u1']);
    expect(found('2u')).toEqual(CARDS.filter((c) => c.code.startsWith('2u')).map((c) => c.code));
  });

  it('takes a number before a colour for points, and after "costs" for the price', () => {
    expect(found('5 white')).toEqual(CARDS.filter((c) => c.points === 5 && c.bonus === 'w').map((c) => c.code));
    expect(found('costs 7 white')).toEqual(CARDS.filter((c) => c.cost[0] === 7).map((c) => c.code));
    expect(found('costs 7 white').length).toBeGreaterThan(1);
  });

  it('gives all cards for nothing typed and none for a word nobody knows', () => {
    expect(found('  ')).toHaveLength(90);
    expect(found('purple')).toEqual([]);
  });
});
