/** The lessons in English: each says why, then how. */

import { NOBLE_POINTS, TARGETS } from '../generated/rules';

const en = {
  doTake: 'Take them',
  doBuy: 'Buy it',
  doReserve: 'Reserve it',
  doReturn: 'Give it back',
  doNoble: 'Welcome the noble',
  doPass: 'Pass',
  begin: 'Begin',
  orYours: 'Or make another move on the board: nothing here is forced.',
  tutorTurn: 'Your opponent is thinking. Watch what it takes: you both want the same tokens and cards.',
  finished: 'To the home page',
  advice: 'Next',
  cheaperTitle: 'It makes these cheaper:',
  nobleLack: (name: string, n: number) => `${name}: ${n} ${n === 1 ? 'card' : 'cards'} to go`,
  free: 'free',
  collect: 'You are collecting for',
  seen: (n: number, all: number) => `${n} of ${all} lessons`,
  wonTitle: 'Your first game, and you won',
  lostTitle: 'Your first game, played to the end',
  wonText: 'Well played: you collected with a plan and let cards pay for cards.',
  lostText: 'Well played: you know the whole game now, and that was the hard part.',
  learntTitle: 'What you can do now',
  learnt: {
    goal: 'Play for points',
    take: 'Take three tokens',
    plan: 'Collect for a card',
    buy: 'Buy a card',
    bonus: 'Let bonuses pay',
    two: 'Take two alike',
    reserve: 'Reserve a card',
    gold: 'Pay with gold',
    nobles: 'Win over a noble',
    limit: 'Keep to ten tokens',
    end: 'Play the last round',
  },
  nextTitle: 'Your next opponent:',
  nextWon: `A whole game this time, to ${TARGETS.standard} points.`,
  nextLost: `A whole game to ${TARGETS.standard}, against the gentlest of our bots.`,
  play: (name: string) => `Play ${name}`,
  seeResult: 'See the result',
  hint: {
    take: { title: 'Three more tokens', text: ['They bring you nearer to the card with the ring.'] },
    two: { title: 'Two of one colour again', text: ['That colour is what keeps you from your card, and the bank has enough of it.'] },
    points: { title: 'Time for points', text: ['You can pay for this one, and it counts. Its bonus comes on top.'] },
    cheap: { title: 'Another bonus', text: ['It costs little, and from now on everything of its colour costs you one less.'] },
    reserve: { title: 'Put it aside', text: ['Nobody can take it from you now, and gold comes with it.'] },
    return: { title: 'Back to ten', text: ['Give back what your next card does not need.'] },
    noble: { title: 'A noble at the door', text: ['Your bonuses are enough. The points are yours.'] },
    last: { title: 'One more turn', text: ['This is your last turn: points now, nothing else counts.'] },
    pass: { title: 'No move left', text: ['There is no other move, so you pass. It happens rarely.'] },
  },
  lesson: {
    goal: {
      title: 'Become the richest jeweller',
      text: [
        `Whoever has the most prestige points wins. This first game goes to 7; a usual one to ${TARGETS.standard}.`,
        'A card’s points are in its upper left corner. Each turn you do exactly one thing: take tokens, buy a card, or reserve one.',
      ],
    },
    take: {
      title: 'Start with three different tokens',
      text: [
        'Tokens are what you pay with. Three different colours a turn is the most you can get, so it is the usual way to begin.',
        'Which three? Not at random: look for a cheap card of level I and take what it costs.',
      ],
    },
    plan: {
      title: 'Take with a plan',
      text: [
        'Every token should be on its way to a card. Below each card you see what you still need.',
        'Tokens in your hand are also tokens your opponent can’t have.',
      ],
    },
    buy: {
      title: 'Your first card',
      text: [
        'You can afford a card: it has a ring and says what you pay. The tokens go back to the bank, the card stays with you for good.',
        'A card without points isn’t a waste: this early, its bonus is worth more than points.',
      ],
    },
    bonus: {
      title: 'Why buy a card worth nothing?',
      text: [
        'A card brings you a bonus: you pay one token less of that colour, every time, until the end.',
        'A good habit: cheap cards early make every big card a turn faster later.',
      ],
    },
    two: {
      title: 'Two of one colour',
      text: [
        'If the bank has at least four of a colour you may take two of it at once.',
        'It is one token fewer than three different ones, so save it for when that colour is the one holding you up.',
      ],
    },
    reserve: {
      title: 'Keep a card for yourself',
      text: [
        'This card is worth a lot and your opponent could get it first. Reserve it: it waits in your hand, and nobody else can buy it.',
        'You also get a gold token. You may hold three reserved cards; they count for nothing until you buy them.',
      ],
    },
    gold: {
      title: 'Gold is any colour',
      text: [
        'Gold stands for whatever is missing. The ticket uses as little gold as it can; where you have a choice it shows a switch.',
        'Gold comes only with a reserved card, so spend it where it saves a whole turn.',
      ],
    },
    nobles: {
      title: 'Nobles come by themselves',
      text: [
        `A noble visits whoever owns enough bonuses of the colours on its shield, and brings ${NOBLE_POINTS} points. Tokens don’t count, only bought cards.`,
        'You don’t have to do anything for it, but it pays to choose cards of those colours. One noble per turn; if two could come, you choose.',
      ],
    },
    limit: {
      title: 'Ten tokens, no more',
      text: [
        'At the end of a turn you may keep ten tokens, gold included. Anything above that goes back, and you choose which.',
        'If you are near ten, it is time to buy something.',
      ],
    },
    end: {
      title: 'The last round',
      text: [
        'Once somebody has reached the target, the round is played out so that both have had the same number of turns. Then the most points win; if they are equal, the fewer cards.',
        'Now count the turns: what brings you points in time?',
      ],
    },
  },
};

export default en;
