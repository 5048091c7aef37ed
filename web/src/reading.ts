/** Answers to "read me …": the bank, the market, the nobles, me, the others, the last moves. */

import { LEVELS } from './cards';
import { said, tr } from './i18n';
import { cardInWords, gemsInWords, lineInWords, nobleName, seatName } from './speech';
import { below, isYourTurn, lastRound, others, type Play } from './state';

export type Topic = 'bank' | 'market' | 'nobles' | 'me' | 'opponents' | 'last' | 'turn';

export function read(play: Play, topic: Topic): string {
  const view = play.view;
  if (!view) return '';
  switch (topic) {
    case 'bank':
      return tr().readBankIs(gemsInWords(view.bank));
    case 'market':
      return market(play);
    case 'nobles':
      return nobles(play);
    case 'me':
      return hand(play, below(play));
    case 'opponents':
      return others(play).map((seat) => hand(play, seat)).join(' ');
    case 'last':
      return lastRound(play).map((line) => lineInWords(play, line)).join(' ') || tr().readNoLog;
    case 'turn':
      return turn(play);
  }
}

function market(play: Play): string {
  const view = play.view!;
  const rows = LEVELS.toReversed().map((level) => {
    const cards = (view.rows[level - 1] ?? []).map((code) =>
      code ? cardInWords(code, play.facts?.cards[code]) : tr().emptyPlace,
    );
    return tr().readRow(level, cards.join('; '));
  });
  const [a = 0, b = 0, c = 0] = view.decks;
  return [...rows, tr().readDecks(a, b, c)].join(' ');
}

function nobles(play: Play): string {
  const parts = (play.facts?.nobles ?? []).map(({ code, owner, have }) => {
    const name = nobleName(code);
    if (owner !== null) return `${name}, ${tr().nobleOwner(seatName(play, owner))}`;
    const mine = have[below(play)] ?? [];
    return `${name}, ${tr().nobleHave(gemsInWords(mine))}`;
  });
  return `${tr().nobles}: ${parts.join('; ')}.`;
}

function hand(play: Play, seat: number): string {
  const held = play.view?.hands[seat];
  const facts = play.facts?.hands[seat];
  if (!held || !facts) return '';
  const known = held.reserved.flatMap(({ card }) => (card ? [cardInWords(card, play.facts?.cards[card])] : []));
  const count = held.reserved.length ? tr().reservedCount(held.reserved.length) : tr().noReserved;
  const reserved = seat === play.you && known.length ? `${count}: ${known.join('; ')}` : count;
  return tr().readHand(seatName(play, seat), facts.points, gemsInWords(facts.bonuses), gemsInWords(held.tokens), reserved);
}

export function turn(play: Play): string {
  const view = play.view;
  if (!view || play.status !== 'running') return tr().gameOver;
  if (!isYourTurn(play)) return tr().turnOf(seatName(play, view.seat));
  if (view.phase === 'return') return tr().announceReturn(play.facts?.expected.excess ?? 0);
  if (view.phase === 'noble') return tr().announceNoble;
  const round = play.facts?.round ?? 1;
  return play.held.length > 1 ? tr().announceTurnAs(seatName(play, view.seat), round) : tr().announceTurn(round);
}

/** What is said when the table has changed: the moves of others, then whose turn it is. */
export function changes(play: Play, from: number): string[] {
  const lines = play.log.slice(from).filter((line) => line.seat !== play.you || play.held.length > 1);
  return lines.map((line) => lineInWords(play, line));
}

export function refusal(play: Play): string {
  return play.refusal ? said(play.refusal) : '';
}
