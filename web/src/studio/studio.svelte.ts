/** One study on the desk: the tree, where one looks, the review, the engine, the turn in the making. */

import { chairOf, looseTable, targetOf } from '../asking/table';
import { Refused } from '../api';
import { announce } from '../announce.svelte';
import { botTitle } from '../bots.svelte';
import { tr } from '../i18n';
import type { TableInfo } from '../protocol';
import { formatStudy, keepStudy, playMoves, replaceStudy } from './api';
import { LiveEngine } from './engine.svelte';
import { dropText, keepText, keptStudy } from './kept';
import { Reviewing } from './reviewing.svelte';
import { decisionInWords } from './speaking';
import * as trees from './tree';
import { StudyTurn } from './turn.svelte';
import type { Formatted, Knowledge, StudyStep, StudyTree, Wants } from './types';
import { columnsOf, judgedOf, type Judged } from './verdicts';
import { ws } from './words';

const SAVE_MS = 500;

interface Opened {
  study: StudyTree;
  /** Under which name it is kept in this browser. */
  name: string;
  table: TableInfo | null;
  keys: string[];
  /** The seat that this browser plays there, if any. */
  own: number | null;
  at: string;
}

/** A card that must come before a move can be played on. */
interface Dealing {
  from: number;
  moves: string[];
  wants: Wants;
}

export class Studio {
  readonly study: StudyTree;
  readonly keys: string[];
  readonly table: TableInfo;
  readonly seats: number;
  readonly own: number | null;
  readonly name: string;
  tree: trees.Tree = $state.raw() as trees.Tree;
  cursor: trees.Cursor = $state.raw({ at: trees.ROOT, next: null });
  you: number = $state(0);
  knowledge: Knowledge = $state('own');
  dealing: Dealing | null = $state.raw(null);
  readonly reviewing = new Reviewing();
  readonly engine = new LiveEngine();
  readonly turn = new StudyTurn((moves) => this.play(moves));
  #saving: ReturnType<typeof setTimeout> | undefined;
  #numbers = $derived(new Map(trees.mainLine(this.tree).map(({ id, game }, i) => [id, game ? i : -1])));

  readonly here = $derived(trees.node(this.tree, this.cursor.at));
  readonly next = $derived(this.cursor.next === null ? null : trees.node(this.tree, this.cursor.next));
  readonly step: StudyStep = $derived(this.here.step);
  readonly main = $derived(trees.mainLine(this.tree));
  readonly judged: Judged[] = $derived(judgedOf(this.reviewing.review));
  readonly columns: number[][] = $derived(columnsOf(this.reviewing.review));
  /** How many turns the whole game has. */
  readonly turns: number = $derived(this.#turns());
  readonly aside: boolean = $derived(trees.isAside(this.tree, this.cursor.next ?? this.cursor.at));
  readonly verdict: Judged | null = $derived(this.next ? this.judgedAt(this.next.id) : null);
  readonly address: string = $derived(trees.addressOf(this.tree, this.cursor));

  constructor({ study, name, table, keys, own, at }: Opened) {
    this.study = study;
    this.name = name;
    this.keys = keys;
    this.seats = study.players.length;
    this.table = table ?? bareTable(study);
    this.own = own;
    this.you = own ?? study.start.view.seat ?? 0;
    this.tree = trees.grow(study);
    const asked = at || (study.live ? String(study.lines.length) : '0');
    this.cursor = trees.cursorAt(this.tree, asked);
    this.#show();
  }

  close(): void {
    clearTimeout(this.#saving);
    this.reviewing.stop();
    this.engine.rest();
  }

  #turns(): number {
    const played = this.main.filter(({ game }) => game).at(-1)?.step.turn ?? 0;
    return Math.max(played, this.reviewing.of, this.reviewing.review?.turns.length ?? 0);
  }

  nameOf = (seat: number): string => {
    const chair = this.table.chairs[seat];
    const own = chair?.kind === 'bot' && chair.bot ? botTitle(chair.bot) : chair?.name;
    const known = own ?? this.study.players[seat] ?? '';
    return known && known !== '?' ? botTitle(known) : tr().seat(seat + 1);
  };

  /** What the review says of that decision; null for a variation, and while it is not judged yet. */
  judgedAt(id: number): Judged | null {
    const number = this.#numbers.get(id) ?? -1;
    return number < 0 ? null : (this.judged[number] ?? null);
  }

  roundOf = (step: StudyStep): number => Math.floor((step.log?.turn ?? step.turn) / this.seats) + 1;

  /** The mover's chance after that move, as far as anything was found at the position before it. */
  chanceOf(id: number): number | null {
    const { parent, step } = trees.node(this.tree, id);
    if (parent === null) return null;
    const before = trees.node(this.tree, parent);
    const searched = this.engine.known(before.step.position, this.knowledge);
    const reviewed = before.children[0] === undefined ? null : this.judgedAt(before.children[0])?.decision.analysis;
    for (const analysis of [searched, reviewed]) {
      const line = analysis?.moves.find(({ move }) => move === step.event);
      if (line?.value != null) return line.value;
    }
    return null;
  }

  // ---- going about

  go(cursor: trees.Cursor, aloud = true): void {
    if (cursor.at === this.cursor.at && cursor.next === this.cursor.next) return;
    this.cursor = cursor;
    this.dealing = null;
    this.#show();
    if (aloud) announce(this.spoken());
  }

  goTo = (id: number): void => this.go(trees.lookBefore(this.tree, id));

  /** The first decision of that turn of the game. */
  goToTurn(turn: number): void {
    const found = this.main.find(({ step }) => (step.log?.turn ?? step.turn - 1) >= turn);
    if (found) this.goTo(found.id);
    else this.go(trees.lookAt(this.tree, this.main.at(-1)?.id ?? trees.ROOT));
  }

  /** What somebody who listens is told of where one looks. */
  spoken(): string {
    const shown = this.next ?? (this.cursor.at === trees.ROOT ? null : this.here);
    if (!shown) return ws().startPosition;
    return decisionInWords(this, shown, this.next ? this.verdict : null);
  }

  #show(): void {
    const way = trees.wayTo(this.tree, this.cursor.at).map(({ step }) => step);
    this.turn.show(this.table, this.step, way, !this.study.live);
    void this.look();
  }

  /** Set the engine on this position, if it is switched on. */
  look(): Promise<void> {
    const open = !this.study.live && this.step.legal.length > 0;
    return this.engine.look(open ? this.step.position : null, this.knowledge, this.keys);
  }

  switchEngine(on = !this.engine.on): void {
    this.engine.on = on;
    void this.look();
  }

  judgeBy(knowledge: Knowledge): void {
    this.knowledge = knowledge;
    void this.look();
    if (this.reviewing.state !== 'idle') void this.review(this.reviewing.depth);
  }

  review(depth: 'quick' | 'deep'): Promise<void> {
    const game = this.study.table ? { table: this.study.table } : { record: this.study.record };
    return this.reviewing.ask(game, depth, this.knowledge, this.keys);
  }

  /** The move to play here, by the engine or else by the review. */
  best(): string | null {
    return this.engine.found?.analysis.best ?? this.verdict?.decision.best ?? null;
  }

  // ---- trying things

  /** Play from here; what is there already is followed. Raises Refused when it is not legal. */
  async play(moves: string[], deal: string | null = null): Promise<void> {
    if (this.study.live) return;
    const from = this.dealing?.from ?? this.cursor.at;
    if (deal === null && this.#follow(from, moves)) return;
    const { position, ply } = trees.node(this.tree, from).step;
    const { steps, wants } = await playMoves(position, moves, deal, ply);
    if (wants) {
      this.dealing = { from, moves, wants };
      return;
    }
    this.#grow(from, steps);
  }

  /** The same move as here, but with another card after it. */
  async redeal(id: number): Promise<void> {
    const { parent, step } = trees.node(this.tree, id);
    if (parent === null || !step.event) return;
    const { position, ply } = trees.node(this.tree, parent).step;
    const { wants } = await playMoves(position, [step.event], null, ply);
    if (wants) this.dealing = { from: parent, moves: [step.event], wants };
  }

  #follow(from: number, moves: string[]): boolean {
    let at: number | undefined = from;
    for (const move of moves) at = at === undefined ? undefined : trees.childLike(this.tree, at, move)?.id;
    if (at === undefined) return false;
    this.go(trees.lookAt(this.tree, at));
    return true;
  }

  #grow(from: number, steps: StudyStep[]): void {
    const before = this.tree.nodes.size;
    const { tree, at } = trees.add(this.tree, from, steps);
    this.tree = tree;
    this.dealing = null;
    this.cursor = trees.lookAt(tree, at);
    this.#show();
    if (tree.nodes.size > before) {
      announce(`${this.aside ? `${ws().added}. ` : ''}${this.spoken()}`);
      this.#save();
    }
  }

  promote(id: number): void {
    this.#change(trees.promote(this.tree, id));
  }

  remove(id: number): void {
    const { parent } = trees.node(this.tree, id);
    const lost = trees.wayTo(this.tree, this.cursor.next ?? this.cursor.at).some((it) => it.id === id);
    const tree = trees.remove(this.tree, id);
    if (tree === this.tree) return;
    if (lost) this.cursor = trees.lookAt(tree, parent ?? trees.ROOT);
    this.#change(tree);
    this.#show();
    announce(ws().removed);
  }

  remark(id: number, comment: string): void {
    this.#change(trees.remark(this.tree, id, comment));
  }

  #change(tree: trees.Tree): void {
    if (tree === this.tree) return;
    this.tree = tree;
    this.#save();
  }

  // ---- writing down

  get edited(): boolean {
    return trees.isEdited(this.tree);
  }

  /** The record with everything that was tried. */
  written(): Promise<Formatted> {
    const { record, start } = this.study;
    return formatStudy(record, record ? null : start.position, trees.written(this.tree), trees.node(this.tree, trees.ROOT).comment);
  }

  /** Kept a moment after the last change, so that a reload finds it. */
  #save(): void {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => void this.#store(), SAVE_MS);
  }

  async #store(): Promise<void> {
    if (!this.edited) return dropText(this.name);
    try {
      keepText(this.name, { text: (await this.written()).text });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** The number under which others can read it. */
  async publish(): Promise<string> {
    const { text } = await this.written();
    const { id, key } = keptStudy(this.name) ?? {};
    if (id && key) {
      await replaceStudy(id, key, text);
      return id;
    }
    const made = await keepStudy(text);
    keepText(this.name, { text, ...made });
    return made.id;
  }
}

/** A table for a record that was played elsewhere. */
const bareTable = ({ players, ruleset }: StudyTree): TableInfo =>
  looseTable(
    ruleset,
    targetOf(ruleset),
    'finished',
    players.map((name, seat) => chairOf(seat, name === '?' ? null : name, null)),
  );
