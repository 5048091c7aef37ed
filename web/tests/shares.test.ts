import { beforeEach, describe, expect, it } from 'vitest';
import type { SharesInfo, TableInfo } from '../src/protocol';
import { matchesSeal } from '../src/seal';
import { sha256 } from '../src/sha256';
import { answers, hashOf, isInDeal, keepShare, newShare, pledge } from '../src/shares';
import { table } from './positions';

const stored = new Map<string, string>();
globalThis.localStorage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
} as unknown as Storage;

let number = 0;
const fresh = (): string => `table${(number += 1)}`;

function asking(id: string, shares: Partial<SharesInfo>): TableInfo {
  const all = { round: 1, hashes: [null, null], pledge: [], reveal: [], by_ms: null, shares: null, ...shares };
  return { ...table, id, commitment: 'promise', shares: all };
}

beforeEach(() => stored.clear());

describe('sha256', () => {
  const theirs = async (text: string): Promise<string> => {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  };

  it('is the one that everybody else has', async () => {
    for (const text of ['', 'abc', 'cabochon share 1\n', '棋', 'x'.repeat(55), 'x'.repeat(56), 'y'.repeat(64), 'é'.repeat(500)]) {
      expect(sha256(text)).toBe(await theirs(text));
    }
  });

  it('knows a seal', () => {
    const promise = '85d1ea2ca0ba89255f193272bf49be2d4518d6de262fd710029104f7b48a34bf';
    expect(matchesSeal('cabochon', promise)).toBe(true);
    expect(matchesSeal('other', promise)).toBe(false);
  });
});

describe('shares', () => {
  it('are random, 128 bits, and told by their hash', () => {
    const { share, hash } = newShare();
    expect(share).toMatch(/^[0-9a-f]{32}$/);
    expect(hash).toBe(hashOf(share));
    expect(newShare().share).not.toBe(share);
    expect(hashOf('0'.repeat(32))).toBe('aa948273f2b74ebc9e70ed2357a417a81b1e8cc3688e27697ff804b1a9838d89');
  });

  it('are revealed only by who made them, and only when asked', () => {
    const id = fresh();
    const hash = pledge(id);
    const hashes = [hash, 'other'];
    expect(answers(asking(id, { hashes }), [0])).toEqual([]);
    expect(answers(asking(id, { hashes, reveal: [0, 1] }), [1])).toEqual([]);
    const [answer] = answers(asking(id, { hashes, reveal: [0, 1] }), [0]);
    expect(answer?.action).toBe('reveal');
    expect(hashOf(answer!.value)).toBe(hash);
    expect(answers({ ...table, id }, [0])).toEqual([]);
  });

  it('are made anew when somebody held one back', () => {
    const id = fresh();
    const first = pledge(id);
    const [answer] = answers(asking(id, { round: 2, pledge: [0] }), [0]);
    expect(answer?.action).toBe('pledge');
    expect(answer?.value).not.toBe(first);
    const told = asking(id, { hashes: [answer!.value, null], reveal: [0] });
    expect(hashOf(answers(told, [0])[0]!.value)).toBe(answer!.value);
  });

  it('made at the last table serve its rematch', () => {
    const hash = pledge(fresh());
    expect(answers(asking(fresh(), { hashes: [null, hash], reveal: [1] }), [1])).toHaveLength(1);
  });
});

describe('the deal', () => {
  const own = newShare();
  const other = newShare();
  const hashes = [own.hash, other.hash];

  function revealed(): string {
    const id = fresh();
    keepShare(id, own);
    answers(asking(id, { hashes, reveal: [0, 1] }), [0]);
    return id;
  }

  it('has our share if nothing was changed after we told it', () => {
    const over = asking(revealed(), { hashes, shares: [own.share, other.share] });
    expect(isInDeal(over)).toBe(true);
  });

  it('has not if a hash, a share or the promise was changed, or ours is missing', () => {
    const third = newShare();
    const shares = [own.share, other.share];
    expect(isInDeal(asking(revealed(), { hashes: [own.hash, third.hash], shares: [own.share, third.share] }))).toBe(false);
    expect(isInDeal(asking(revealed(), { hashes, shares: [own.share, third.share] }))).toBe(false);
    expect(isInDeal(asking(revealed(), { hashes, shares: null }))).toBe(false);
    expect(isInDeal({ ...asking(revealed(), { hashes, shares }), commitment: 'another' })).toBe(false);
    expect(isInDeal({ ...table, id: revealed() })).toBe(false);
  });

  it('has not if the hashes were changed after we told ours, also when we are asked once more', () => {
    const id = revealed();
    const third = newShare();
    const swapped = [own.hash, third.hash];
    answers(asking(id, { hashes: swapped, reveal: [0, 1] }), [0]);
    expect(isInDeal(asking(id, { hashes: swapped, shares: [own.share, third.share] }))).toBe(false);
    expect(isInDeal(asking(id, { hashes, shares: [own.share, other.share] }))).toBe(true);
  });

  it('is not spoken of where this browser gave nothing', () => {
    expect(isInDeal(asking(fresh(), { hashes, shares: [own.share, other.share] }))).toBe(null);
  });
});
