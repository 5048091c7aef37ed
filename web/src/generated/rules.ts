/** Written by scripts/write_page_data.py from cabochon.rules. */

export const LETTERS = ["w", "u", "g", "r", "k", "o"] as const;

export const COLOURS = ["w", "u", "g", "r", "k"] as const;

export const LEVELS = [1, 2, 3] as const;

export const TOKEN_LIMIT = 10 as const;

export const RESERVE_LIMIT = 3 as const;

export const TOKENS_OF_COLOUR = {"2": 4, "3": 5, "4": 7} as const;

export const TAKE_DIFFERENT = 3 as const;

export const NOBLE_POINTS = 3 as const;

export const TARGETS = {"standard": 15, "quick": 10, "teams": 15, "quick-teams": 10} as const;

export const PRESETS = {"standard": {"target": 15, "row_width": 4, "teams": false}, "quick": {"target": 10, "row_width": 3, "teams": false}, "teams": {"target": 15, "row_width": 4, "teams": true}, "quick-teams": {"target": 10, "row_width": 3, "teams": true}} as const;

export const PARTNERS = [2, 3, 0, 1] as const;

export const CARDS = [
  {"code": "1w1", "level": 1, "bonus": "w", "points": 0, "cost": [0, 0, 0, 2, 1]},
  {"code": "1w2", "level": 1, "bonus": "w", "points": 0, "cost": [0, 1, 1, 1, 1]},
  {"code": "1w3", "level": 1, "bonus": "w", "points": 0, "cost": [0, 1, 2, 1, 1]},
  {"code": "1w4", "level": 1, "bonus": "w", "points": 0, "cost": [0, 2, 0, 0, 2]},
  {"code": "1w5", "level": 1, "bonus": "w", "points": 0, "cost": [0, 2, 2, 0, 1]},
  {"code": "1w6", "level": 1, "bonus": "w", "points": 0, "cost": [0, 3, 0, 0, 0]},
  {"code": "1w7", "level": 1, "bonus": "w", "points": 0, "cost": [3, 1, 0, 0, 1]},
  {"code": "1w8", "level": 1, "bonus": "w", "points": 1, "cost": [0, 0, 4, 0, 0]},
  {"code": "1u1", "level": 1, "bonus": "u", "points": 0, "cost": [0, 0, 0, 0, 3]},
  {"code": "1u2", "level": 1, "bonus": "u", "points": 0, "cost": [0, 0, 2, 0, 2]},
  {"code": "1u3", "level": 1, "bonus": "u", "points": 0, "cost": [0, 1, 3, 1, 0]},
  {"code": "1u4", "level": 1, "bonus": "u", "points": 0, "cost": [1, 0, 0, 0, 2]},
  {"code": "1u5", "level": 1, "bonus": "u", "points": 0, "cost": [1, 0, 1, 1, 1]},
  {"code": "1u6", "level": 1, "bonus": "u", "points": 0, "cost": [1, 0, 1, 2, 1]},
  {"code": "1u7", "level": 1, "bonus": "u", "points": 0, "cost": [1, 0, 2, 2, 0]},
  {"code": "1u8", "level": 1, "bonus": "u", "points": 1, "cost": [0, 0, 0, 4, 0]},
  {"code": "1g1", "level": 1, "bonus": "g", "points": 0, "cost": [0, 0, 0, 3, 0]},
  {"code": "1g2", "level": 1, "bonus": "g", "points": 0, "cost": [0, 1, 0, 2, 2]},
  {"code": "1g3", "level": 1, "bonus": "g", "points": 0, "cost": [0, 2, 0, 2, 0]},
  {"code": "1g4", "level": 1, "bonus": "g", "points": 0, "cost": [1, 1, 0, 1, 1]},
  {"code": "1g5", "level": 1, "bonus": "g", "points": 0, "cost": [1, 1, 0, 1, 2]},
  {"code": "1g6", "level": 1, "bonus": "g", "points": 0, "cost": [1, 3, 1, 0, 0]},
  {"code": "1g7", "level": 1, "bonus": "g", "points": 0, "cost": [2, 1, 0, 0, 0]},
  {"code": "1g8", "level": 1, "bonus": "g", "points": 1, "cost": [0, 0, 0, 0, 4]},
  {"code": "1r1", "level": 1, "bonus": "r", "points": 0, "cost": [0, 2, 1, 0, 0]},
  {"code": "1r2", "level": 1, "bonus": "r", "points": 0, "cost": [1, 0, 0, 1, 3]},
  {"code": "1r3", "level": 1, "bonus": "r", "points": 0, "cost": [1, 1, 1, 0, 1]},
  {"code": "1r4", "level": 1, "bonus": "r", "points": 0, "cost": [2, 0, 0, 2, 0]},
  {"code": "1r5", "level": 1, "bonus": "r", "points": 0, "cost": [2, 0, 1, 0, 2]},
  {"code": "1r6", "level": 1, "bonus": "r", "points": 0, "cost": [2, 1, 1, 0, 1]},
  {"code": "1r7", "level": 1, "bonus": "r", "points": 0, "cost": [3, 0, 0, 0, 0]},
  {"code": "1r8", "level": 1, "bonus": "r", "points": 1, "cost": [4, 0, 0, 0, 0]},
  {"code": "1k1", "level": 1, "bonus": "k", "points": 0, "cost": [0, 0, 1, 3, 1]},
  {"code": "1k2", "level": 1, "bonus": "k", "points": 0, "cost": [0, 0, 2, 1, 0]},
  {"code": "1k3", "level": 1, "bonus": "k", "points": 0, "cost": [0, 0, 3, 0, 0]},
  {"code": "1k4", "level": 1, "bonus": "k", "points": 0, "cost": [1, 1, 1, 1, 0]},
  {"code": "1k5", "level": 1, "bonus": "k", "points": 0, "cost": [1, 2, 1, 1, 0]},
  {"code": "1k6", "level": 1, "bonus": "k", "points": 0, "cost": [2, 0, 2, 0, 0]},
  {"code": "1k7", "level": 1, "bonus": "k", "points": 0, "cost": [2, 2, 0, 1, 0]},
  {"code": "1k8", "level": 1, "bonus": "k", "points": 1, "cost": [0, 4, 0, 0, 0]},
  {"code": "2w1", "level": 2, "bonus": "w", "points": 1, "cost": [0, 0, 3, 2, 2]},
  {"code": "2w2", "level": 2, "bonus": "w", "points": 1, "cost": [2, 3, 0, 3, 0]},
  {"code": "2w3", "level": 2, "bonus": "w", "points": 2, "cost": [0, 0, 0, 5, 0]},
  {"code": "2w4", "level": 2, "bonus": "w", "points": 2, "cost": [0, 0, 0, 5, 3]},
  {"code": "2w5", "level": 2, "bonus": "w", "points": 2, "cost": [0, 0, 1, 4, 2]},
  {"code": "2w6", "level": 2, "bonus": "w", "points": 3, "cost": [6, 0, 0, 0, 0]},
  {"code": "2u1", "level": 2, "bonus": "u", "points": 1, "cost": [0, 2, 2, 3, 0]},
  {"code": "2u2", "level": 2, "bonus": "u", "points": 1, "cost": [0, 2, 3, 0, 3]},
  {"code": "2u3", "level": 2, "bonus": "u", "points": 2, "cost": [0, 5, 0, 0, 0]},
  {"code": "2u4", "level": 2, "bonus": "u", "points": 2, "cost": [2, 0, 0, 1, 4]},
  {"code": "2u5", "level": 2, "bonus": "u", "points": 2, "cost": [5, 3, 0, 0, 0]},
  {"code": "2u6", "level": 2, "bonus": "u", "points": 3, "cost": [0, 6, 0, 0, 0]},
  {"code": "2g1", "level": 2, "bonus": "g", "points": 1, "cost": [2, 3, 0, 0, 2]},
  {"code": "2g2", "level": 2, "bonus": "g", "points": 1, "cost": [3, 0, 2, 3, 0]},
  {"code": "2g3", "level": 2, "bonus": "g", "points": 2, "cost": [0, 0, 5, 0, 0]},
  {"code": "2g4", "level": 2, "bonus": "g", "points": 2, "cost": [0, 5, 3, 0, 0]},
  {"code": "2g5", "level": 2, "bonus": "g", "points": 2, "cost": [4, 2, 0, 0, 1]},
  {"code": "2g6", "level": 2, "bonus": "g", "points": 3, "cost": [0, 0, 6, 0, 0]},
  {"code": "2r1", "level": 2, "bonus": "r", "points": 1, "cost": [0, 3, 0, 2, 3]},
  {"code": "2r2", "level": 2, "bonus": "r", "points": 1, "cost": [2, 0, 0, 2, 3]},
  {"code": "2r3", "level": 2, "bonus": "r", "points": 2, "cost": [0, 0, 0, 0, 5]},
  {"code": "2r4", "level": 2, "bonus": "r", "points": 2, "cost": [1, 4, 2, 0, 0]},
  {"code": "2r5", "level": 2, "bonus": "r", "points": 2, "cost": [3, 0, 0, 0, 5]},
  {"code": "2r6", "level": 2, "bonus": "r", "points": 3, "cost": [0, 0, 0, 6, 0]},
  {"code": "2k1", "level": 2, "bonus": "k", "points": 1, "cost": [3, 0, 3, 0, 2]},
  {"code": "2k2", "level": 2, "bonus": "k", "points": 1, "cost": [3, 2, 2, 0, 0]},
  {"code": "2k3", "level": 2, "bonus": "k", "points": 2, "cost": [0, 0, 5, 3, 0]},
  {"code": "2k4", "level": 2, "bonus": "k", "points": 2, "cost": [0, 1, 4, 2, 0]},
  {"code": "2k5", "level": 2, "bonus": "k", "points": 2, "cost": [5, 0, 0, 0, 0]},
  {"code": "2k6", "level": 2, "bonus": "k", "points": 3, "cost": [0, 0, 0, 0, 6]},
  {"code": "3w1", "level": 3, "bonus": "w", "points": 3, "cost": [0, 3, 3, 5, 3]},
  {"code": "3w2", "level": 3, "bonus": "w", "points": 4, "cost": [0, 0, 0, 0, 7]},
  {"code": "3w3", "level": 3, "bonus": "w", "points": 4, "cost": [3, 0, 0, 3, 6]},
  {"code": "3w4", "level": 3, "bonus": "w", "points": 5, "cost": [3, 0, 0, 0, 7]},
  {"code": "3u1", "level": 3, "bonus": "u", "points": 3, "cost": [3, 0, 3, 3, 5]},
  {"code": "3u2", "level": 3, "bonus": "u", "points": 4, "cost": [6, 3, 0, 0, 3]},
  {"code": "3u3", "level": 3, "bonus": "u", "points": 4, "cost": [7, 0, 0, 0, 0]},
  {"code": "3u4", "level": 3, "bonus": "u", "points": 5, "cost": [7, 3, 0, 0, 0]},
  {"code": "3g1", "level": 3, "bonus": "g", "points": 3, "cost": [5, 3, 0, 3, 3]},
  {"code": "3g2", "level": 3, "bonus": "g", "points": 4, "cost": [0, 7, 0, 0, 0]},
  {"code": "3g3", "level": 3, "bonus": "g", "points": 4, "cost": [3, 6, 3, 0, 0]},
  {"code": "3g4", "level": 3, "bonus": "g", "points": 5, "cost": [0, 7, 3, 0, 0]},
  {"code": "3r1", "level": 3, "bonus": "r", "points": 3, "cost": [3, 5, 3, 0, 3]},
  {"code": "3r2", "level": 3, "bonus": "r", "points": 4, "cost": [0, 0, 7, 0, 0]},
  {"code": "3r3", "level": 3, "bonus": "r", "points": 4, "cost": [0, 3, 6, 3, 0]},
  {"code": "3r4", "level": 3, "bonus": "r", "points": 5, "cost": [0, 0, 7, 3, 0]},
  {"code": "3k1", "level": 3, "bonus": "k", "points": 3, "cost": [3, 3, 5, 3, 0]},
  {"code": "3k2", "level": 3, "bonus": "k", "points": 4, "cost": [0, 0, 0, 7, 0]},
  {"code": "3k3", "level": 3, "bonus": "k", "points": 4, "cost": [0, 0, 3, 6, 3]},
  {"code": "3k4", "level": 3, "bonus": "k", "points": 5, "cost": [0, 0, 0, 7, 3]},
] as const;

export const NOBLES = [
  {"code": "rk4", "name": {"en": "Henry VIII", "zh": "亨利八世"}, "points": 3, "cost": [0, 0, 0, 4, 4]},
  {"code": "grk3", "name": {"en": "Francis I of France", "zh": "法兰西的弗朗索瓦一世"}, "points": 3, "cost": [0, 0, 3, 3, 3]},
  {"code": "gr4", "name": {"en": "Mary Stuart", "zh": "玛丽·斯图亚特"}, "points": 3, "cost": [0, 0, 4, 4, 0]},
  {"code": "ugr3", "name": {"en": "Catherine of Medici", "zh": "凯瑟琳·德·美第奇"}, "points": 3, "cost": [0, 3, 3, 3, 0]},
  {"code": "ug4", "name": {"en": "Suleiman the Magnificent", "zh": "苏莱曼大帝"}, "points": 3, "cost": [0, 4, 4, 0, 0]},
  {"code": "wrk3", "name": {"en": "Charles V", "zh": "查理五世"}, "points": 3, "cost": [3, 0, 0, 3, 3]},
  {"code": "wuk3", "name": {"en": "Elisabeth of Austria", "zh": "奥地利的伊丽莎白"}, "points": 3, "cost": [3, 3, 0, 0, 3]},
  {"code": "wug3", "name": {"en": "Anne of Brittany", "zh": "布列塔尼的安妮"}, "points": 3, "cost": [3, 3, 3, 0, 0]},
  {"code": "wk4", "name": {"en": "Isabella of Castile", "zh": "卡斯蒂利亚的伊莎贝拉"}, "points": 3, "cost": [4, 0, 0, 0, 4]},
  {"code": "wu4", "name": {"en": "Machiavelli", "zh": "马基雅维利"}, "points": 3, "cost": [4, 4, 0, 0, 0]},
] as const;
