import { describe, expect, it } from 'vitest';
import { keepStaged, recallStaged } from '../src/keeping';
import { moves, tapToken } from '../src/staging';
import { sitting } from './positions';

function store(): Storage {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, text: string) => void held.set(key, text),
    removeItem: (key: string) => void held.delete(key),
  } as unknown as Storage;
}

describe('a staged turn', () => {
  it('is there again after a reload', () => {
    const box = store();
    const before = sitting();
    tapToken(before, 'w');
    keepStaged(box, 'abcd', before);
    const after = sitting();
    recallStaged(box, 'abcd', after);
    expect(moves(after)).toEqual(['take w']);
  });

  it('is gone where the table has moved on, and at every other table', () => {
    const box = store();
    const before = sitting();
    tapToken(before, 'w');
    keepStaged(box, 'abcd', before);
    const later = sitting({ version: 2 });
    recallStaged(box, 'abcd', later);
    expect(moves(later)).toEqual([]);
    keepStaged(box, 'abcd', before);
    const elsewhere = sitting();
    recallStaged(box, 'efgh', elsewhere);
    expect(moves(elsewhere)).toEqual([]);
  });

  it('that was put back stays away', () => {
    const box = store();
    const before = sitting();
    tapToken(before, 'w');
    keepStaged(box, 'abcd', before);
    keepStaged(box, 'abcd', sitting());
    const after = sitting();
    recallStaged(box, 'abcd', after);
    expect(moves(after)).toEqual([]);
  });
});
