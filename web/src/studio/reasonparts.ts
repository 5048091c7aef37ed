/** A sentence that names cards, taken apart so that they can be drawn. */

import { isCard } from '../cards';

/** A card's code, and its words in brackets. */
const NAMED = /\b([123][wugrk]\d+)\b ?(?:\([^)]*\)|（[^）]*）)?/;

/** By turns what is said, and the code of a card between. */
export function reasonParts(sentence: string): string[] {
  const found = NAMED.exec(sentence);
  if (!found || !isCard(found[1] ?? '')) return [sentence];
  const after = sentence.slice(found.index + found[0].length);
  const before = sentence.slice(0, found.index);
  return [before, found[1] ?? '', ...reasonParts(found[0].endsWith(' ') ? ` ${after}` : after)];
}
