/** 首页上等人对局的用语。 */

import type { HomeWords } from './words';

const zh: HomeWords = {
  playAPerson: '与人对局',
  online: (n) => `${n} 人在线`,
  waiting: (n) => `${n} 人在等`,
  needs: (n) => `缺 ${n} 人`,
  beFirst: '来当第一个',
  anyTime: '随时加入',
  seats: (n) => ['', '', '双人', '三人', '四人'][n] ?? `${n} 人`,
  aDay: '每步一天',
  aTurn: (n) => `${['', '', '双人', '三人', '四人'][n] ?? n}，慢棋`,
  quick: (n) => `${['', '', '双人', '三人', '四人'][n] ?? n}，快速`,
  teams: '二对二',
  inviteFriend: '邀请朋友',
  leftAlone: '有人没来，你已回到队列中原来的位置。',
  looking: '正在找对手',
  lookingMore: (n) => `正在找 ${n} 位对手`,
  near: (n) => `先找接近 ${n} 分的，再逐渐放宽。`,
  nearNew: '先找水平接近的，再逐渐放宽。',
  waited: (time) => `已等 ${time}`,
  stayHere: '请留在这一页，对局会自动打开。',
  stop: '不等了',
  noneYet: '还没有找到。',
  meanwhile: (bot) => `先和${bot}下`,
  meanwhileText: (bot) => `${bot}和你水平相近，现在就有空。`,
  found: '找到了，对局马上打开。',
  guestsFriendly: '访客在这里下友谊局；保留名字后可以下计分对局。',
  keepName: '保留名字',
};

export default zh;
