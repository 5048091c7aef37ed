"""What a data set can be refused for."""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules.errors import CabochonError
from cabochon.rules.sentences import register


class DatasetFault(StrEnum):
    BOTS_COUNT = "dataset-bots-count"
    NOT_OURS = "dataset-not-ours"
    DIFFERS = "dataset-differs"


register(
    {
        "dataset-bots-count": (
            "Name one bot for all seats, or {seats}, one a seat; there are {given}.",
            "请给一个机器人用于所有座位，或给 {seats} 个，每座一个；现有 {given} 个。",
        ),
        "dataset-not-ours": (
            "{path} is no data set of games: {why}.",
            "{path} 不是对局数据集：{why}。",
        ),
        "dataset-differs": (
            "Game {game}: the record does not agree with its row in {what}.",
            "第 {game} 局：棋谱与该行的 {what} 不一致。",
        ),
    }
)


class DatasetError(CabochonError):
    """A job that cannot be played, or a file that is not what it should be; `code` is a
    `DatasetFault`."""
