import { describe, expect, it } from 'vitest';
import {
  add,
  addressOf,
  back,
  branchOf,
  canPromote,
  childLike,
  cursorAt,
  first,
  forward,
  grow,
  isAside,
  isEdited,
  last,
  lineFrom,
  lookAt,
  lookBefore,
  mainLine,
  node,
  promote,
  remark,
  remove,
  ROOT,
  sideways,
  wayTo,
  written,
  type Tree,
} from '../src/studio/tree';
import type { Written } from '../src/studio/types';
import { step, study, told } from './studies';

const called = (tree: Tree, event: string): number => [...tree.nodes.values()].find((it) => it.step.event === event)!.id;
const events = (nodes: { step: { event: string | null } }[]): (string | null)[] => nodes.map((it) => it.step.event);
const move = (event: string, variations: Written[][] = []): Written => ({ event, dealt: null, comment: '', variations });

describe('a study', () => {
  it('becomes a tree whose first children are the game', () => {
    const tree = grow(study());
    expect(events(mainLine(tree))).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect(events(node(tree, called(tree, 'm1')).children.map((id) => node(tree, id)))).toEqual(['m2', 'b1', 'c1']);
    expect(events(node(tree, called(tree, 'b1')).children.map((id) => node(tree, id)))).toEqual(['b2', 'x1']);
    expect(events(lineFrom(tree, called(tree, 'x1')))).toEqual(['x1', 'x2']);
    expect([...tree.nodes.values()].filter(({ game }) => game)).toHaveLength(5);
  });

  it('knows what was played and what was only thought of after the end', () => {
    const tree = grow(study({ played: 3 }));
    expect(mainLine(tree).map(({ game }) => game)).toEqual([true, true, true, false]);
    expect(remove(tree, called(tree, 'm4')).nodes.size).toBe(tree.nodes.size - 1);
  });

  it('is written down as it was told', () => {
    const tree = grow(study());
    const deep = [move('b1'), move('b2', [[move('x1'), move('x2')]]), move('b3')];
    expect(written(tree)).toEqual([move('m1'), move('m2', [deep, [move('c1')]]), move('m3'), move('m4')]);
  });

  it('keeps its variations when told, written and told again', () => {
    const again = (line: Written[]): ReturnType<typeof told>[] =>
      line.map(({ event, comment, variations }) => ({ ...told(event ?? '', variations.map(again)), comment }));
    const tree = remark(grow(study()), 3, 'a plan');
    expect(written(grow(study({ lines: again(written(tree)) })))).toEqual(written(tree));
  });
});

describe('the cursor', () => {
  it('walks a line and stays at its ends', () => {
    const tree = grow(study());
    let at = first(tree);
    expect(back(tree, at)).toEqual(at);
    for (let i = 0; i < 9; i++) at = forward(tree, at);
    expect(at).toEqual({ at: called(tree, 'm4'), next: null });
    expect(back(tree, at)).toEqual({ at: called(tree, 'm3'), next: called(tree, 'm4') });
    expect(last(tree, first(tree))).toEqual(at);
  });

  it('goes between the ways to decide, and from the end of one back to its fork', () => {
    const tree = grow(study());
    const fork = lookAt(tree, called(tree, 'm1'));
    const other = sideways(tree, fork, 1);
    expect(other.next).toBe(called(tree, 'b1'));
    expect(sideways(tree, fork, -1).next).toBe(called(tree, 'c1'));
    expect(forward(tree, other).at).toBe(called(tree, 'b1'));
    expect(sideways(tree, lookAt(tree, called(tree, 'c1')), -1).next).toBe(called(tree, 'b1'));
    expect(last(tree, other).at).toBe(called(tree, 'b3'));
    expect(sideways(tree, first(grow(study({ lines: [told('m1')] }))), 1)).toEqual({ at: ROOT, next: 1 });
  });

  it('comes back to the same line that it left', () => {
    const tree = grow(study());
    const inside = lookAt(tree, called(tree, 'x2'));
    expect(back(tree, back(tree, inside)).next).toBe(called(tree, 'x1'));
    expect(lookBefore(tree, ROOT)).toEqual(first(tree));
  });
});

describe('an address', () => {
  it('leads to every place of the tree and back', () => {
    const tree = grow(study());
    for (const { id, children } of tree.nodes.values()) {
      for (const cursor of [lookAt(tree, id), ...children.map((next) => lookAt(tree, id, next))]) {
        expect(cursorAt(tree, addressOf(tree, cursor))).toEqual(cursor);
      }
    }
  });

  it('reads like a ply in the game, and names the fork of a variation', () => {
    const tree = grow(study());
    expect(addressOf(tree, lookAt(tree, called(tree, 'm3')))).toBe('3');
    expect(addressOf(tree, lookBefore(tree, called(tree, 'c1')))).toBe('1.2');
    expect(addressOf(tree, lookAt(tree, called(tree, 'x2')))).toBe('1.1.0.1.1');
  });

  it('that is stale leads as far as it can', () => {
    const tree = grow(study());
    expect(cursorAt(tree, '99').at).toBe(called(tree, 'm4'));
    expect(cursorAt(tree, '1.7.2').at).toBe(called(tree, 'm1'));
    expect(cursorAt(tree, 'nonsense')).toEqual(first(tree));
    expect(cursorAt(tree, '-3')).toEqual(first(tree));
  });
});

describe('a move that is tried', () => {
  it('makes a variation, and the old tree stays as it was', () => {
    const before = grow(study());
    const fork = called(before, 'm2');
    const { tree, at } = add(before, fork, [step('n1'), step('n2')]);
    expect(events(lineFrom(tree, called(tree, 'n1')))).toEqual(['n1', 'n2']);
    expect(node(tree, at).step.event).toBe('n2');
    expect(isAside(tree, at)).toBe(true);
    expect(branchOf(tree, at)?.step.event).toBe('n1');
    expect(before.nodes.has(at)).toBe(false);
  });

  it('that is there already is followed, and another deal makes another line', () => {
    const tree = grow(study({ lines: [told('m1', [], { dealt: '2k1' })] }));
    expect(add(tree, ROOT, [step('m1', { dealt: '2k1' })])).toEqual({ tree, at: 1 });
    expect(childLike(tree, ROOT, 'm1')?.id).toBe(1);
    expect(add(tree, ROOT, [step('m1', { dealt: '2u1' })]).at).toBe(2);
  });

  it('in a bare position becomes its main line', () => {
    const tree = add(grow(study({ record: '', lines: [] })), ROOT, [step('n1')]).tree;
    expect(events(mainLine(tree))).toEqual(['n1']);
    expect(isAside(tree, 1)).toBe(false);
    expect(isEdited(tree)).toBe(true);
    expect(isEdited(grow(study({ lines: [told('m1')] })))).toBe(false);
  });
});

describe('promoting and deleting', () => {
  it('moves a variation up, but never above the game', () => {
    const tree = grow(study());
    const second = called(tree, 'c1');
    const up = promote(tree, second);
    expect(events(node(up, called(up, 'm1')).children.map((id) => node(up, id)))).toEqual(['m2', 'c1', 'b1']);
    expect(canPromote(up, second)).toBe(false);
    expect(promote(up, second)).toBe(up);
    expect(events(lineFrom(promote(tree, called(tree, 'x1')), called(tree, 'b1')))).toEqual(['b1', 'x1', 'x2']);
  });

  it('deletes a line with all that hangs on it, and nothing of the game', () => {
    const tree = grow(study());
    const less = remove(tree, called(tree, 'b1'));
    expect(less.nodes.size).toBe(tree.nodes.size - 5);
    expect(written(less)[1]?.variations).toEqual([[move('c1')]]);
    expect(remove(tree, called(tree, 'm2'))).toBe(tree);
    expect(remove(tree, ROOT)).toBe(tree);
  });

  it('never reuses a number', () => {
    const grown = add(grow(study()), ROOT, [step('n1')]);
    const again = add(remove(grown.tree, grown.at), ROOT, [step('n2')]);
    expect(again.at).toBeGreaterThan(grown.at);
  });

  it('keeps remarks with their decision', () => {
    const tree = remark(grow(study()), 2, 'here it turned');
    expect(written(tree)[1]?.comment).toBe('here it turned');
    expect(events(wayTo(tree, 2))).toEqual([null, 'm1', 'm2']);
  });
});
