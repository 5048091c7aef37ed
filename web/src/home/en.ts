/** English words of the pools on the first page. */

const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

const en = {
  playAPerson: 'Play a person',
  online: (n: number) => `${n} online`,
  waiting: (n: number) => `${n} waiting`,
  needs: (n: number) => `needs ${n} more`,
  beFirst: 'be the first',
  anyTime: 'any time',
  seats: (n: number) => plural(n, 'player', 'players'),
  aDay: 'A day',
  aTurn: (n: number) => `per turn, ${plural(n, 'player', 'players')}`,
  quick: (n: number) => `${plural(n, 'player', 'players')}, quick`,
  teams: 'two against two',
  inviteFriend: 'Invite a friend',
  leftAlone: 'Not everybody came, so you are back in the queue, in your old place.',
  looking: 'Looking for an opponent',
  lookingMore: (n: number) => `Looking for ${plural(n, 'opponent', 'opponents')}`,
  near: (n: number) => `Looking close to your ${n} first, then further away.`,
  nearNew: 'Looking close to your level first, then further away.',
  waited: (time: string) => `waiting ${time}`,
  stayHere: 'Stay on this page: the game opens by itself.',
  stop: 'Stop waiting',
  noneYet: 'Nobody yet.',
  meanwhile: (bot: string) => `Play ${bot} meanwhile`,
  meanwhileText: (bot: string) => `${bot} is about your level, and free right now.`,
  found: 'Found. Your game is opening.',
  guestsFriendly: 'As a guest you play friendly games here. Keep your name to play rated ones.',
  keepName: 'Keep my name',
};

export default en;
