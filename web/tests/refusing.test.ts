import { describe, expect, it } from 'vitest';
import en from '../src/i18n/en';
import zh from '../src/i18n/zh';
import type { CardFacts, Problem } from '../src/protocol';
import { why } from '../src/refusing';
import type { Play } from '../src/state';
import { sitting } from './positions';

const sentence = { en: 'Card 2u1 costs 3 more than you can pay, gold included.', zh: '…' };
const problem = (code: string): Problem =>
  ({ type: '', title: '', status: 422, detail: '', code, params: {}, sentence }) as Problem;

function short(facts: Partial<CardFacts>, reserved: string[] = []): Play {
  const play = sitting();
  play.facts!.cards['2u1'] = { due: [2, 0, 0, 1, 0], short: [2, 0, 0, 1, 0], missing: 3, pay: null, ...facts };
  play.view!.hands[0]!.reserved = reserved.map((card) => ({ card }) as never);
  return play;
}

describe('a card that is too dear', () => {
  it('says what is missing, without the code', () => {
    const words = why(en, short({}), ['buy 2u1'], problem('buy-too-dear'));
    expect(words.en).toBe('You need 2 white, 1 red more to buy this card.');
    expect(why(zh, short({}), ['buy 2u1'], problem('buy-too-dear')).zh).toBe('买这张牌还差 2 白色，1 红色。');
  });

  it('says too that three reserved cards are held already', () => {
    const words = why(en, short({}, ['1w1', '1w2', '1w3']), ['buy 2u1'], problem('buy-too-dear'));
    expect(words.en).toBe('You need 2 white, 1 red more to buy this card, and you already hold three reserved cards.');
    expect(why(zh, short({}, ['1w1', '1w2', '1w3']), ['buy 2u1'], problem('buy-too-dear')).zh).toContain('已有三张保留牌');
  });

  it('says nothing of the limit about one of the three', () => {
    const words = why(en, short({}, ['1w1', '1w2', '2u1']), ['buy 2u1'], problem('buy-too-dear'));
    expect(words.en).not.toContain('three');
  });

  it('counts gold', () => {
    const words = why(en, short({ missing: 1 }), ['buy 2u1'], problem('buy-too-dear'));
    expect(words.en).toBe('You need 2 white, 1 red more to buy this card; your gold covers all but 1.');
  });

  it('leaves every other reason to the rules', () => {
    expect(why(en, short({}), ['buy 2u1'], problem('not-your-turn'))).toBe(sentence);
    expect(why(en, short({}), ['take www'], problem('buy-too-dear'))).toBe(sentence);
  });
});
