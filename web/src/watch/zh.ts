/** 观战用语。 */

import type { WatchWords } from './words';

const zh: WatchWords = {
  title: '观战',
  featured: '焦点对局',
  botsAtPlay: '机器人对战',
  liveNow: '正在进行',
  allGames: (n) => `全部 ${n} 局`,
  alwaysOn: '随时可看',
  watchThem: '观战',
  seats: (n) => ['', '', '双人', '三人', '四人'][n] ?? `${n} 人`,
  seatsAndClock: (n, clock) => `${['', '', '双人', '三人', '四人'][n] ?? n}，${clock}`,
  round: (n) => `第 ${n} 轮`,
  watching: (n) => `${n} 人观战`,
  later: (s) => `延迟 ${s} 秒`,
  untimed: '不限时',
  dayATurn: '每步一天',
  daysATurn: (n) => `每步 ${n} 天`,
  openTable: '进入牌桌',
  moreGames: '更多对局',
  filter: '哪些对局',
  all: '全部',
  two: '双人',
  more: '三至四人',
  bots: '机器人',
  lastTurn: '上一步',
  reserved: '保留',
  noneYet: '还没有',
  chancesOf: (parts) => `胜率：${parts}`,
  chanceOf: (name, n) => `${name} ${n}%`,
  nothingHere: '现在没有人在下。',
  noneSuch: '现在没有这样的对局。',
  startOne: '自己下一局',
  board: (names) => `${names} 的牌桌`,
  watchGame: (names) => `观战 ${names}`,
  over: '这一局已经结束。',
  score: (name, points) => `${name} ${points} 分`,
  thinking: '思考中',
};

export default zh;
