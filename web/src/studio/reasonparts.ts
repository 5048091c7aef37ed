/** A sentence that names a card, taken apart so that the card can be drawn. */

interface ReasonParts {
  before: string;
  card: string | null;
  after: string;
}

/** What stands before and after the card and its words in brackets. */
export function reasonParts(sentence: string, card: string | undefined): ReasonParts {
  const named = card ? new RegExp(`${card} ?(\\([^)]*\\)|（[^）]*）)?`).exec(sentence) : null;
  if (!card || !named) return { before: sentence, card: null, after: '' };
  return { before: sentence.slice(0, named.index), card, after: sentence.slice(named.index + named[0].length) };
}
