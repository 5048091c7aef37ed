import type { AfterWords } from './words';

/** Latin names stand apart from the characters around them. */
const apart = (name: string): string => name.replace(/^(?=[!-~])/, ' ').replace(/([!-~])$/, '$1 ');
const N = ['零', '一', '两', '三', '四', '五', '六', '七', '八', '九'];

const zh: AfterWords = {
  played: (names, rounds, minutes) => `对${apart(names).trimEnd()}，${rounds} 轮${minutes ? `，${minutes} 分钟` : ''}。`,
  playedWith: (partner, names, rounds, minutes) => `与${apart(partner)}一队，对${apart(names).trimEnd()}，${rounds} 轮${minutes ? `，${minutes} 分钟` : ''}。`,
  watched: (rounds, minutes) => `${rounds} 轮${minutes ? `，${minutes} 分钟` : ''}。`,
  ended: {
    resign: (name, rounds) => `${apart(name).trimStart()}在第 ${rounds} 轮认输。`,
    time: (name, rounds) => `${apart(name).trimStart()}在第 ${rounds} 轮超时。`,
    abandon: (name, rounds) => `${apart(name).trimStart()}在第 ${rounds} 轮离开。`,
  },
  close: (points) => `只差 ${points} 分，非常接近。`,
  nextTime: '下一局大家重新开始。',
  bot: '机器人',
  reservedBought: '保留，其中买下',
  hints: '用过提示的回合',
  took: '拿了',
  bought: '买了',
  reserved: '保留了',
  reservedFromDeck: (roman) => `从 ${roman} 级牌堆保留了一张`,
  gaveBack: '归还了',
  chose: '选择了',
  passed: '跳过了',
  accuracy: '准确度',
  story: '这一局的走势',
  analyse: '分析整局',
  growing: (done, of) => `引擎正在看这一局：${done} / ${of} 个回合。`,
  waiting: '引擎马上开始看这一局。',
  skill: '技术',
  luck: '运气',
  eachTurn: '，你的每一回合',
  eachTurnOf: (name) => `，${apart(name)}的每一回合`,
  round: (n) => `第 ${n} 轮：`,
  stop: '。',
  biggest: '这是全局最大的转折，',
  cause: {
    luck: '靠的是运气。',
    mistake: '源于一次失误。',
    play: '这一步下得漂亮。',
  },
  cameUp: '随后翻出',
  calm: '没有哪一回合决定胜负，这一局是一步一步赢下来的。',
  show: '看这一步',
  better: (n) => `有${N[n] ?? ` ${n} `}步可以更好`,
  costliest: (n) => `损失最大的${N[n] ?? ` ${n} `}步：`,
  review: (n) => (n === 1 ? '复习这个失误' : `复习这${N[n] ?? ` ${n} `}个失误`),
  looking: '正在寻找更好的行动',
  nothing: '这里没有可改进的',
  nothingNote: '引擎没有发现你有吃亏的行动。',
  tryFoe: (name) => `试试${name}`,
  harder: (foe, next) => `你赢了${foe}。${next}更难一级，不妨试试。`,
  easier: (foe, next) => `${next}容易一级。${foe}随时等你回来。`,
  playFoe: (name) => `与${name}对局`,
  lost: (points) => `胜率 −${points} 个百分点`,
  luckAll: '全局运气',
  kind: { two: '双人等级分', more: '三至四人等级分', quick: '快速等级分', teams: '组队等级分', puzzles: '谜题等级分' },
};

export default zh;
