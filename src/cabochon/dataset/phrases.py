"""What `cabochon selfplay` says, in English and in Chinese."""

from __future__ import annotations

from cabochon.rules.sentences import LANGUAGES

PHRASES: dict[str, tuple[str, str]] = {
    "help-games": ("how many games (1000)", "局数（1000）"),
    "help-out": ("the Parquet file of games", "对局的 Parquet 文件"),
    "help-decisions": ("also write one row a decision to this file", "另将每个决定写入此文件"),
    "help-bots": (
        "bots by seat, separated by commas, or one for all: biased, uniform (fast, in the kernel) "
        "or any of `cabochon bots`",
        "各座位的机器人，以逗号分隔，或一个用于全部：biased、uniform（快速，内核中运行），"
        "或 `cabochon bots` 中的任何一个",
    ),
    "help-players": ("players at a table (2)", "每桌人数（2）"),
    "help-variant": (
        "standard, quick, teams or quick-teams",
        "standard、quick、teams 或 quick-teams",
    ),
    "help-seed": (
        "a number: the same one gives the same games (0)",
        "数字种子：相同则对局相同（0）",
    ),
    "help-visits": ("visits a move, for bots that search", "搜索型机器人每步的搜索次数"),
    "help-jobs": ("processes (all cores)", "进程数（全部核心）"),
    "help-cluster": (
        "play on a Ray cluster; local:N starts one here with N workers",
        "在 Ray 集群上进行；local:N 在本机启动 N 个工作进程",
    ),
    "help-check": (
        "play nothing: replay every game of this file by the rules",
        "不对局：按规则重放此文件中的每一局",
    ),
    "nothing": (
        "Name a file with --out, or one to look through with --check.",
        "请用 --out 指定输出文件，或用 --check 指定要检查的文件。",
    ),
    "progress": (
        "{done}/{total} games, {decisions} decisions",
        "{done}/{total} 局，{decisions} 个决定",
    ),
    "written": (
        "{games} games with {decisions} decisions in {seconds} s: {path}",
        "{games} 局共 {decisions} 个决定，用时 {seconds} 秒：{path}",
    ),
    "checked": (
        "{games} games with {decisions} decisions replayed: all are as their rows say.",
        "已重放 {games} 局共 {decisions} 个决定：均与记录相符。",
    ),
}


def phrase(lang: str, key: str, **params: object) -> str:
    """What the key says in that language. Raises KeyError for what there are no words."""
    return PHRASES[key][LANGUAGES.index(lang)].format(**params)
