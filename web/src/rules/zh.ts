import type { RuleWords } from './words';

const zh: RuleWords = {
  contents: '本页内容',
  cardCaption: '一张发展牌。左上角是分数，右边是它永久提供的加成，下面是价格；最底下写着你要付多少，或还差什么。',
  points: '分数',
  bonus: '加成',
  price: '价格',
  backsCaption: '三个牌堆，数字是各自剩余的张数。',
  tokensCaption: '筹码，各处都按这个顺序排列。黄金可当任何颜色。',
  nobleCaption: '一位贵族：需要哪些加成，你已有多少。',
  threeCaption: '三枚不同颜色',
  twoCaption: '两枚同色，银行须有四枚',
  reserveCaption: '保留，并得一枚黄金',
  buyCaption: '购买：价格减去加成',
  tenCaption: '十一枚筹码：归还一枚。',
};

export default zh;
