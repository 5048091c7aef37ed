import type { GraphWords } from './words';

const zh: GraphWords = {
  pickTurn: '步数',
  turnValue: (turn, of, chances) => `第 ${turn} 步，共 ${of} 步：${chances}`,
  atStart: (chances) => `开局：${chances}`,
  chanceOf: (name, n) => `${name} ${n}%`,
  markAt: (turn, verdict) => `第 ${turn} 步：${verdict}`,
};

export default zh;
