/** A game and its variations as a tree of positions: plain values, every change gives a new tree.
 *
 *  The first child of a node continues its line; the others are variations. What was really played
 *  (`game`) always stays the first and cannot be deleted. */

import type { StudyNode, StudyStep, StudyTree, Written } from './types';

export interface TreeNode {
  readonly id: number;
  readonly parent: number | null;
  readonly step: StudyStep;
  readonly comment: string;
  readonly children: readonly number[];
  /** Played in the game, not thought of later. */
  readonly game: boolean;
}

export interface Tree {
  readonly nodes: ReadonlyMap<number, TreeNode>;
  /** The number of the next node. */
  readonly fresh: number;
}

/** Where one looks: a position, and which of its decisions is looked at. */
export interface Cursor {
  readonly at: number;
  /** Null at the end of a line. */
  readonly next: number | null;
}

export const ROOT = 0;

// ---- building

/** The tree that the server describes. In a bare position nothing was played yet. */
export function grow(study: StudyTree): Tree {
  const root = { id: ROOT, parent: null, step: study.start, comment: study.comment, children: [], game: true };
  const nodes = new Map<number, TreeNode>([[ROOT, root]]);
  const hang = (line: readonly StudyNode[], parent: number, played: number): void => {
    for (const [i, { step, comment, variations }] of line.entries()) {
      const id = nodes.size;
      nodes.set(id, { id, parent, step, comment, children: [], game: i < played });
      const above = nodes.get(parent)!;
      nodes.set(parent, { ...above, children: [...above.children, id] });
      for (const variation of variations) hang(variation, parent, 0);
      parent = id;
    }
  };
  hang(study.lines, ROOT, study.played);
  return { nodes, fresh: nodes.size };
}

/** The tree as it is written down in a record. */
export function written(tree: Tree): Written[] {
  const line = (first: number | undefined): Written[] => {
    const found: Written[] = [];
    for (let id = first; id !== undefined; id = node(tree, id).children[0]) {
      const { step, comment, parent } = node(tree, id);
      const others = parent === null || id !== node(tree, parent).children[0] ? [] : node(tree, parent).children.slice(1);
      const variations = others.map((other) => line(other));
      found.push({ event: step.event, dealt: step.dealt, comment, variations });
    }
    return found;
  };
  return line(node(tree, ROOT).children[0]);
}

// ---- looking

export function node(tree: Tree, id: number): TreeNode {
  const found = tree.nodes.get(id);
  if (!found) throw new Error(`no node ${id}`);
  return found;
}

/** The node and what follows it by first children; without the root, the main line. */
export function lineFrom(tree: Tree, id: number): TreeNode[] {
  const found: TreeNode[] = [];
  for (let next: number | undefined = id; next !== undefined; next = node(tree, next).children[0]) {
    found.push(node(tree, next));
  }
  return found;
}

export const mainLine = (tree: Tree): TreeNode[] => lineFrom(tree, ROOT).slice(1);

/** From the root to the node, both included. */
export function wayTo(tree: Tree, id: number): TreeNode[] {
  const way: TreeNode[] = [];
  for (let up: number | null = id; up !== null; up = node(tree, up).parent) way.unshift(node(tree, up));
  return way;
}

/** Whether the node lies in a line that branches off somewhere. */
export function isAside(tree: Tree, id: number): boolean {
  return wayTo(tree, id).some(({ id: here, parent }) => parent !== null && node(tree, parent).children[0] !== here);
}

/** Whether anything was added to the game: a variation, a move, a comment. */
export function isEdited(tree: Tree): boolean {
  return [...tree.nodes.values()].some(({ id, game, comment }) => (id !== ROOT && !game) || comment !== '');
}

// ---- the cursor

export function lookAt(tree: Tree, at: number, next: number | null = null): Cursor {
  const { children } = node(tree, at);
  return { at, next: next !== null && children.includes(next) ? next : (children[0] ?? null) };
}

/** Look at the decision that the node is: the position before it. */
export function lookBefore(tree: Tree, id: number): Cursor {
  const { parent } = node(tree, id);
  return parent === null ? lookAt(tree, ROOT) : lookAt(tree, parent, id);
}

export const forward = (tree: Tree, { at, next }: Cursor): Cursor => lookAt(tree, next ?? at);

export function back(tree: Tree, { at, next }: Cursor): Cursor {
  return node(tree, at).parent === null ? { at, next } : lookBefore(tree, at);
}

/** The decision above or below among those at this position; at the end of a line, back to where it
 *  branches off. */
export function sideways(tree: Tree, cursor: Cursor, step: 1 | -1): Cursor {
  const { children } = node(tree, cursor.at);
  if (cursor.next !== null && children.length > 1) {
    const to = children.indexOf(cursor.next) + step;
    return { at: cursor.at, next: children[(to + children.length) % children.length] ?? cursor.next };
  }
  const fork = wayTo(tree, cursor.at).findLast(({ id, parent }) => parent !== null && id !== ROOT && node(tree, parent).children.length > 1);
  return fork ? sideways(tree, lookBefore(tree, fork.id), step) : cursor;
}

export const first = (tree: Tree): Cursor => lookAt(tree, ROOT);

/** The end of the line that is looked at. */
export const last = (tree: Tree, { at, next }: Cursor): Cursor => lookAt(tree, lineFrom(tree, next ?? at).at(-1)!.id);

// ---- addresses: `36` is after 36 decisions; `35.1` looks at the first variation there; `35.1.2` is
//      that variation and two decisions more

export function addressOf(tree: Tree, { at, next }: Cursor): string {
  const parts: number[] = [0];
  const branch = (parent: number, child: number): number => node(tree, parent).children.indexOf(child);
  for (const { id, parent } of wayTo(tree, at).slice(1)) {
    const number = branch(parent ?? ROOT, id);
    if (number === 0) parts.push((parts.pop() ?? 0) + 1);
    else parts.push(number, 0);
  }
  const chosen = next === null ? 0 : branch(at, next);
  if (chosen > 0) parts.push(chosen);
  return parts.join('.');
}

/** As far as the address leads; a stale one ends where the tree does. */
export function cursorAt(tree: Tree, address: string): Cursor {
  let at = ROOT;
  for (const [i, part] of address.split('.').map(Number).entries()) {
    const { children } = node(tree, at);
    if (!Number.isInteger(part) || part < 0) break;
    if (i % 2) {
      const next = children[part];
      if (next === undefined) break;
      if (i === address.split('.').length - 1) return lookAt(tree, at, next);
      at = next;
    } else at = lineFrom(tree, at).slice(0, part + 1).at(-1)!.id;
  }
  return lookAt(tree, at);
}

// ---- changing

function replace(tree: Tree, ...changed: TreeNode[]): Tree {
  return { ...tree, nodes: new Map([...tree.nodes, ...changed.map((it) => [it.id, it] as const)]) };
}

/** The child that was decided and dealt like this. */
export function childLike(tree: Tree, at: number, event: string, dealt?: string | null): TreeNode | undefined {
  return node(tree, at)
    .children.map((id) => node(tree, id))
    .find(({ step }) => step.event === event && (dealt === undefined || step.dealt === dealt));
}

/** Follow the steps from there: along what is there already, then as a new line. */
export function add(tree: Tree, at: number, steps: readonly StudyStep[]): { tree: Tree; at: number } {
  for (const step of steps) {
    const known = childLike(tree, at, step.event ?? '', step.dealt);
    if (known) {
      at = known.id;
      continue;
    }
    const id = tree.fresh;
    const parent = node(tree, at);
    const grown = replace(
      tree,
      { ...parent, children: [...parent.children, id] },
      { id, parent: at, step, comment: '', children: [], game: false },
    );
    tree = { ...grown, fresh: id + 1 };
    at = id;
  }
  return { tree, at };
}

/** Where the variation that the node is in begins; null in the game itself. */
export function branchOf(tree: Tree, id: number): TreeNode | null {
  return wayTo(tree, id).findLast(({ id: here, parent }) => parent !== null && node(tree, parent).children[0] !== here) ?? null;
}

export function canPromote(tree: Tree, id: number): boolean {
  const { parent, game } = node(tree, id);
  const children = parent === null ? [] : node(tree, parent).children;
  const above = children[children.indexOf(id) - 1];
  return !game && above !== undefined && !node(tree, above).game;
}

/** The line moves up by one among its siblings, but never above what was played. */
export function promote(tree: Tree, id: number): Tree {
  if (!canPromote(tree, id)) return tree;
  const parent = node(tree, node(tree, id).parent!);
  const i = parent.children.indexOf(id);
  const children = [...parent.children.slice(0, i - 1), id, parent.children[i - 1]!, ...parent.children.slice(i + 1)];
  return replace(tree, { ...parent, children });
}

/** The node and all that follows it are gone; a move of the game stays. */
export function remove(tree: Tree, id: number): Tree {
  const { parent, game } = node(tree, id);
  if (parent === null || game) return tree;
  const above = node(tree, parent);
  const pruned = replace(tree, { ...above, children: above.children.filter((child) => child !== id) });
  const nodes = new Map(pruned.nodes);
  const drop = (gone: number): void => {
    node(tree, gone).children.forEach(drop);
    nodes.delete(gone);
  };
  drop(id);
  return { ...pruned, nodes };
}

export function remark(tree: Tree, id: number, comment: string): Tree {
  return replace(tree, { ...node(tree, id), comment });
}
