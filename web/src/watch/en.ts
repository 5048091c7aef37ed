/** English words of games that are looked at. */

const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

const en = {
  title: 'Watch',
  featured: 'Featured game',
  botsAtPlay: 'Bots at play',
  liveNow: 'Live now',
  allGames: (n: number) => `All ${plural(n, 'game', 'games')}`,
  alwaysOn: 'always on',
  watchThem: 'Watch',
  seats: (n: number) => plural(n, 'player', 'players'),
  seatsAndClock: (n: number, clock: string) => `${plural(n, 'player', 'players')}, ${clock}`,
  round: (n: number) => `round ${n}`,
  watching: (n: number) => `${n} watching`,
  later: (s: number) => `delayed by ${s} seconds`,
  untimed: 'untimed',
  dayATurn: 'a day per turn',
  daysATurn: (n: number) => `${n} days per turn`,
  openTable: 'Open the table',
  moreGames: 'More games',
  filter: 'Which games',
  all: 'All',
  two: '2',
  more: '3–4',
  bots: 'Bots',
  lastTurn: 'Last turn',
  reserved: 'Reserved',
  noneYet: 'none yet',
  chancesOf: (parts: string) => `Win chances: ${parts}`,
  chanceOf: (name: string, n: number) => `${name} ${n}%`,
  nothingHere: 'Nobody is playing at the moment.',
  noneSuch: 'No games like that at the moment.',
  startOne: 'Play one yourself',
  board: (names: string) => `The table of ${names}`,
  watchGame: (names: string) => `Watch ${names}`,
  over: 'This game is over.',
  score: (name: string, points: number) => `${name} ${points}`,
  thinking: 'is thinking',
};

export default en;
