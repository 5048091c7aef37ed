"""What the nobles are called, in English and in Chinese."""

from __future__ import annotations

from cabochon.notation.writing import writer
from cabochon.rules import Noble
from cabochon.rules.errors import wrong
from cabochon.rules.sentences import LANGUAGES

NOBLE_NAMES_ZH = {
    "rk4": "亨利八世",
    "grk3": "法兰西的弗朗索瓦一世",
    "gr4": "玛丽·斯图亚特",
    "ugr3": "凯瑟琳·德·美第奇",
    "ug4": "苏莱曼大帝",
    "wrk3": "查理五世",
    "wuk3": "奥地利的伊丽莎白",
    "wug3": "布列塔尼的安妮",
    "wk4": "卡斯蒂利亚的伊莎贝拉",
    "wu4": "马基雅维利",
}


@writer("noble", Noble)
def noble_name(noble: Noble, language: str = "en") -> str:
    """What the noble is called in that language. Raises WrongArgument."""
    if language not in LANGUAGES:
        raise wrong("language", "language", language)
    return NOBLE_NAMES_ZH[noble.code] if language == "zh" else noble.name
