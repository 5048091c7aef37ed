import { describe, expect, it } from 'vitest';
import { blazon } from '../src/art/crests';
import { seedOf, strokes } from '../src/art/faces';
import { card, noble } from '../src/cards';
import { countsOf, lettersOf, minus, plus, present } from '../src/gems';
import { blocks, spans } from '../src/markdown';

/** Every key with the kind of what stands there. */
function shape(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [`${path}[${value.length}]`];
  if (typeof value === 'function') return [`${path}(${value.length})`];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => shape(inner, `${path}.${key}`));
}

type Texts = Record<string, unknown>;
const WRITTEN = import.meta.glob<Texts>('../src/*/??.ts', { eager: true, import: 'default' });
const PARTS = Object.keys(WRITTEN).flatMap((path) => /src\/(\w+)\/en\.ts$/.exec(path)?.[1] ?? []);
const texts = (part: string, lang: string): Texts => WRITTEN[`../src/${part}/${lang}.ts`] ?? {};

describe('catalogues', () => {
  it.each(PARTS)('of %s have the same keys with the same parameters', (part) => {
    const keys = (lang: string): string[] => shape(texts(part, lang)).map((key) => key.replace(/\(\d\)$/, '()')).sort();
    expect(keys('zh')).toEqual(keys('en'));
  });

  it('leave nothing untranslated', () => {
    const same = Object.entries(texts('i18n', 'zh')).filter(
      ([key, value]) => typeof value === 'string' && value === texts('i18n', 'en')[key],
    );
    expect(same.map(([key]) => key).sort()).toEqual(['brand', 'enter', 'esc']);
  });

  it('set Latin names apart in Chinese, and no others', () => {
    const handOver = texts('i18n', 'zh')['handOver'] as (name: string) => string;
    expect([handOver('Ada'), handOver('安娜')]).toEqual(['请把设备交给 Ada', '请把设备交给安娜']);
  });

  it('name all ten nobles in Chinese', () => {
    for (const code of ['rk4', 'grk3', 'gr4', 'ugr3', 'ug4', 'wrk3', 'wuk3', 'wug3', 'wk4', 'wu4']) {
      expect(noble(code).name.zh).toMatch(/^[一-鿿·]+$/);
    }
  });
});

describe('cards', () => {
  it('are named as in the rules', () => {
    expect(card('1w1')).toMatchObject({ level: 1, bonus: 'w', points: 0, cost: [0, 0, 0, 2, 1] });
    expect(noble('rk4').name.en).toBe('Henry VIII');
    expect(() => card('9z9')).toThrow();
  });

  it('have one face for ever, the same as in the pictures of the package', () => {
    expect(seedOf(card('1w1'))).toBe('1W0R2 K1');
    expect(strokes(card('3k4'))).toBe(strokes(card('3k4')));
    expect(strokes(card('1w1'))).not.toBe(strokes(card('1w2')));
    expect(blazon(noble('rk4')).fields.map(({ colour }) => colour)).toEqual(['r', 'k']);
  });
});

describe('gems', () => {
  it('are counted in the fixed order', () => {
    expect(countsOf('owwr')).toEqual([2, 0, 0, 1, 0, 1]);
    expect(lettersOf([2, 0, 0, 1, 0, 1])).toBe('wwro');
    expect(plus([1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0])).toEqual([2, 1, 0, 0, 0, 0]);
    expect(minus([1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0])).toEqual([0, 1, 0, 0, 0, 0]);
    expect(present([0, 2, 0, 0, 0, 1])).toEqual([['u', 2], ['o', 1]]);
  });
});

describe('markdown', () => {
  it('reads what our texts use', () => {
    expect(blocks('# A\n\none\ntwo\n\n- x\n- **y** `z`\n').map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'list']);
    expect(spans('a **b** *c* `d`').map(({ kind }) => kind)).toEqual(['text', 'strong', 'text', 'em', 'text', 'code']);
  });
});
