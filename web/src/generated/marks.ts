/** Written by scripts/write_page_data.py from cabochon.review. */

export const MARK = {"!": {"en": "the only good move, and hard to see", "zh": "唯一的好棋，而且不容易发现"}, "?!": {"en": "an inaccuracy", "zh": "不精确"}, "?": {"en": "a mistake", "zh": "失误"}, "??": {"en": "a serious mistake", "zh": "严重失误"}} as const;

export const MARKS = {"?!": {"en": "inaccuracies", "zh": "不精确"}, "?": {"en": "mistakes", "zh": "失误"}, "??": {"en": "serious mistakes", "zh": "严重失误"}} as const;
