/** Why something cannot be done, where the page can say it better than a rule does: with what is
 *  missing in colours, with every reason that matters, and without a card's code. */

import { present, total } from './gems';
import { RESERVE_LIMIT } from './generated/rules';
import type { Catalogue } from './i18n/catalogue';
import type { Problem, Words } from './protocol';
import type { Play } from './state';

/** The sentence for a person who asked for these moves; what the page says itself, it says in the
 *  language of `t` only. */
export function why(t: Catalogue, play: Play, moves: string[], problem: Problem): Words {
  const [verb, code = ''] = moves[0]?.split(' ') ?? [];
  if (problem.code !== 'buy-too-dear' || verb !== 'buy') return problem.sentence;
  return tooDear(t, play, code) ?? problem.sentence;
}

function tooDear(t: Catalogue, play: Play, code: string): Words | null {
  const facts = play.facts?.cards[code];
  if (!facts) return null;
  const reserved = play.view?.hands[play.you ?? -1]?.reserved ?? [];
  const held = reserved.some(({ card }) => card === code);
  const full = !held && reserved.length >= RESERVE_LIMIT;
  const gold = facts.missing < total(facts.short) ? facts.missing : null;
  const gems = t.list(present(facts.short).map(([g, n]) => t.count(n, t.gem[g])));
  const text = t.tooDear(gems, gold, full);
  return { en: text, zh: text };
}
