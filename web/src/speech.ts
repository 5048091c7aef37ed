/** Things said in whole words: for names of buttons, for the live region, for titles. */

import { botTitle } from './bots.svelte';
import { card, isCard, isNoble, noble } from './cards';
import { LETTERS, present, type Counts } from './gems';
import { PARTNERS } from './generated/rules';
import { said, tr } from './i18n';
import type { CardFacts, ChairInfo, LogLine } from './protocol';
import type { Play } from './state';
import { isInTeams } from './variants';

export function gemsInWords(counts: Counts): string {
  const words = present(counts).map(([letter, n]) => tr().count(n, tr().gem[letter]));
  return words.length ? tr().list(words) : tr().nothing;
}

export function lettersInWords(letters: string): string {
  return gemsInWords(LETTERS.map((letter) => letters.split(letter).length - 1));
}

interface Note {
  staged?: 'buy' | 'reserve' | null;
  markName?: string;
}

/** "Level 2, blue bonus, 2 points, costs 5 white, you need 1 white more" */
export function cardInWords(code: string, facts?: CardFacts, note: Note = {}): string {
  const it = card(code);
  const cost = gemsInWords(it.cost);
  const parts = [tr().cardName(it.level, tr().gem[it.bonus], it.points, cost)];
  if (facts) parts.push(priceInWords(facts));
  if (note.staged) parts.push(note.staged === 'buy' ? tr().stagedToBuy : tr().stagedToReserve);
  if (note.markName) parts.push(tr().markedBy(note.markName));
  return tr().list(parts);
}

function priceInWords(facts: CardFacts): string {
  if (facts.pay) {
    const paid = present(facts.pay).length > 0;
    return paid ? tr().youCanBuyFor(gemsInWords(facts.pay)) : tr().youCanBuyFree;
  }
  const short = gemsInWords(facts.short);
  const before = facts.short.reduce((sum, n) => sum + n, 0);
  return facts.missing < before ? tr().youMissWithGold(short, facts.missing) : tr().youMiss(short);
}

export function nobleName(code: string): string {
  return said(noble(code).name);
}

/** The name that a seat goes by for this reader. */
export function seatName(play: Play, seat: number): string {
  if (seat === play.you && play.held.length <= 1) return tr().you;
  const chairs = play.table?.chairs ?? [];
  const name = chairName(chairs[seat], seat);
  const namesakes = chairs.filter((chair) => chairName(chair, chair.seat) === name);
  const number = namesakes.findIndex((chair) => chair.seat === seat) + 1;
  return namesakes.length > 1 ? `${name} ${number}` : name;
}

/** That it is your turn; by name at a device that is passed round. */
export function yourTurn(play: Play): string {
  return play.held.length > 1 && play.you !== null ? tr().yourTurnAs(seatName(play, play.you)) : tr().yourTurn;
}

/** Who sits there: a person's name, a bot's title, or the number of the seat. */
export function chairName(chair: ChairInfo | undefined, seat: number): string {
  if (chair?.bot === 'tutor') return tr().tutor;
  if (chair?.kind === 'bot' && chair.bot) return botTitle(chair.bot);
  return chair?.name ?? tr().seat(seat + 1);
}

/** A line of the log as a sentence: "Mira: took 1 white, 1 blue." */
export function lineInWords(play: Play, line: LogLine): string {
  const name = line.seat === null ? '' : seatName(play, line.seat);
  return tr().sentence(name, deedInWords(line));
}

/** What was done. Cards are described, since their codes say nothing to an ear. */
function deedInWords(line: LogLine): string {
  const known = line.card ?? line.dealt;
  const parts: string[] = [];
  if (line.kind === 'take') parts.push(`${tr().took} ${lettersInWords(line.gems ?? '')}`);
  else if (line.kind === 'return') parts.push(`${tr().gaveBack} ${lettersInWords(line.gems ?? '')}`);
  else if (line.kind === 'buy') parts.push(tr().sayBought(cardInShort(known ?? ''), line.payment ? lettersInWords(line.payment) : ''));
  else if (line.kind === 'reserve' && known) parts.push(tr().sayReserved(cardInShort(known)));
  else if (line.kind === 'reserve') parts.push(tr().sayReservedUnseen(line.level ?? 1));
  else if (line.kind !== 'noble') return said(line.text);
  if (line.gold) parts.push(tr().sayGold);
  if (line.noble) parts.push(tr().sayNoble(nobleName(line.noble)));
  return tr().list(parts);
}

export function cardInShort(code: string): string {
  const it = card(code);
  return tr().sayCard(it.level, tr().gem[it.bonus], it.points);
}

/** What is staged: "take 1 white, 1 blue, 1 green". */
export function stagedInWords(moves: string[]): string {
  return tr().list(moves.map(moveInWords));
}

function moveInWords(move: string): string {
  const [verb = '', what = '', paid = ''] = move.split(' ');
  if (verb === 'take') return tr().stageTake(lettersInWords(what));
  if (verb === 'return') return tr().stageReturn(lettersInWords(what));
  if (verb === 'reserve' && what.startsWith('deck')) return tr().stageReserveUnseen(Number(what.slice(4)));
  if (verb === 'reserve') return tr().stageReserve(cardInShort(what));
  const letters = paid.replace(/[=-]/g, '');
  if (verb === 'buy' && isCard(what)) return tr().stageBuy(cardInShort(what), letters && lettersInWords(letters));
  if (verb === 'noble' && isNoble(what)) return tr().stageNoble(nobleName(what));
  return move;
}

/** Who plays with that seat in a game of two against two. */
export const partnerOf = (seat: number): number => PARTNERS[seat] ?? seat;

/** How the game ended, for this reader: "You win, 16 to 15". */
export function verdict(play: Play): string {
  const result = play.result;
  if (!result) return '';
  if (!result.winners.length) return tr().nobodyWins;
  const won = (seat: number): boolean => result.winners.includes(seat);
  const best = Math.max(...result.winners.map((seat) => result.points[seat] ?? 0));
  const others = result.points.map((_, seat) => seat).filter((seat) => !won(seat));
  const stayed = others.filter((seat) => !play.table?.chairs[seat]?.out);
  const next = Math.max(0, ...(stayed.length ? stayed : others).map((seat) => result.points[seat] ?? 0));
  const played = result.reason === 'target' || result.reason === 'stalled';
  const teams = isInTeams(play.table?.variant);
  const together = result.winners.length === 2 && teams;
  if (play.you !== null && won(play.you) && play.held.length < 2) {
    if (!played) return tr().youWinAlone;
    if (together) return tr().youWinTogether(seatName(play, partnerOf(play.you)), best, next);
    return result.winners.length > 1 ? tr().youShare(best) : tr().youWin(best, next);
  }
  const names = tr().names(result.winners.map((seat) => seatName(play, seat)));
  if (!played) return tr().theyWinAlone(names, result.winners.length);
  if (together) return tr().theyWinTogether(names, best, next);
  return result.winners.length > 1 ? tr().theyWinMany(names, best) : tr().theyWin(names, best, next);
}
