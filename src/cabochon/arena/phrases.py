"""What the arena says, in English and in Chinese."""

from __future__ import annotations

from cabochon.rules.sentences import LANGUAGES

PHRASES: dict[str, tuple[str, str]] = {
    "heading": (
        "{ruleset}, {games} games of {deals} deals, {tables}, seed {seed}",
        "{ruleset}，{deals} 副牌共 {games} 局，{tables}，种子 {seed}",
    ),
    "tables-mixed": ("everybody against everybody", "循环赛"),
    "tables-lone": ("each alone against copies of another", "各自单独对阵另一方的多份副本"),
    "tables-gauntlet": ("the first against copies of the others", "首位对阵其他各方的副本"),
    "entrant": ("  {name}: {engine}, {limit}", "  {name}：{engine}，{limit}"),
    "own-limit": ("its own limit", "自带限制"),
    "column-entrant": ("entrant", "参赛者"),
    "column-games": ("games", "局数"),
    "column-won": ("won", "胜"),
    "column-share": ("share", "胜率"),
    "column-interval": ("95 %", "95 % 区间"),
    "column-equal": ("equal", "均分"),
    "column-elo": ("Elo", "等级分"),
    "column-error": ("±95 %", "±95 %"),
    "column-forfeits": ("forfeits", "弃权"),
    "column-encounter": ("encounter", "对阵"),
    "column-part": ("part", "占比"),
    "column-difference": ("Elo diff.", "分差"),
    "seats": (
        "Victories by seat: {shares}. Average length: {turns} turns.",
        "各座位胜率：{shares}。平均长度：{turns} 回合。",
    ),
    "endless": (
        "{count} games were ended as they stood because nobody finished them.",
        "{count} 局无人完成，按当时局面结束。",
    ),
    "test": (
        "Is {name} {low} or {high} Elo better? Log-likelihood ratio {ratio} of ±{bound}: "
        "{verdict}.",
        "{name} 强 {low} 还是 {high} 等级分？对数似然比 {ratio}（界限 ±{bound}）：{verdict}。",
    ),
    "verdict-elo": ("{elo}", "{elo}"),
    "verdict-open": ("not decided", "未定"),
    "method": (
        "Intervals and errors: 95 %, clustered by deal. Elo: maximum likelihood, the winner takes "
        "all, mean 0.",
        "区间与误差：95 %，按副牌聚类。等级分：最大似然，仅计胜者，均值为 0。",
    ),
    "reproducible": (
        "The same match gives the same games again.",
        "重新进行同一场比赛会得到完全相同的对局。",
    ),
    "not-reproducible": (
        "A time limit or another program took part: played again, the games will differ.",
        "有限时或外部程序参赛：重新进行时对局会不同。",
    ),
    "progress": (
        "{done}/{total} games, {left} left: {score}",
        "{done}/{total} 局，剩余 {left}：{score}",
    ),
    "forfeited": ("{who} forfeits a game: {why}", "{who} 判负一局：{why}"),
    "stopped": (
        "Stopped: {done} of {total} games count, all rotations of their deals.",
        "已停止：{total} 局中计入 {done} 局，均为完成全部座位轮换的副牌。",
    ),
    "time": ("{games} games in {seconds} s.", "{games} 局，用时 {seconds} 秒。"),
    "same": (
        "Played again: the same {count} bytes.",
        "已重新进行：{count} 字节完全相同。",
    ),
    "differs": (
        "Played again: it differs, first in line {line}.",
        "已重新进行：结果不同，首个差异在第 {line} 行。",
    ),
    "differs-expected": (
        "That is to be expected: a time limit or another program took part.",
        "这是意料之中：有限时或外部程序参赛。",
    ),
    "engine-changed": (
        "{name} is no longer the same: {was} then, {now} now.",
        "{name} 已经改变：当时是 {was}，现在是 {now}。",
    ),
    "help-entrants": (
        "bots by name, NAME@100ms or NAME@64v for a limit of its own, or cmd:COMMAND",
        "机器人名称；NAME@100ms 或 NAME@64v 单独设限；或 cmd:命令",
    ),
    "help-players": ("players at a table (2)", "每桌人数（2）"),
    "help-games": (
        "games at every table, rounded up to whole deals in all rotations (100)",
        "每组对阵的局数，向上取整为每副牌的全部座位轮换（100）",
    ),
    "help-variant": (
        "standard, quick, teams or quick-teams",
        "standard、quick、teams 或 quick-teams",
    ),
    "help-seed": ("what all cards and choices are drawn from (0)", "所有发牌与选择的随机种子（0）"),
    "help-ms": ("milliseconds a move, for those without a limit", "每步毫秒数（未单独设限者）"),
    "help-visits": ("visits a move, for those without a limit", "每步搜索次数（未单独设限者）"),
    "help-tables": (
        "mixed: all different; lone: each alone against copies of another; gauntlet: the first "
        "against copies of the others",
        "mixed：全部不同；lone：各自单独对阵另一方的副本；gauntlet：首位对阵其他各方的副本",
    ),
    "help-sprt": (
        "stop when it is decided whether the first is LOW or HIGH Elo better than the others",
        "一旦能判定首位比其他强 LOW 还是 HIGH 等级分即停止",
    ),
    "help-jobs": ("processes (all cores)", "进程数（全部核心）"),
    "help-cluster": (
        "play on a Ray cluster; local:N starts one here with N workers",
        "在 Ray 集群上进行；local:N 在本机启动 N 个工作进程",
    ),
    "help-json": ("write the report to a file, or - for the output", "把报告写入文件，- 表示输出"),
    "help-again": (
        "play the match of a report again and compare byte by byte",
        "重新进行报告中的比赛并逐字节比较",
    ),
    "help-table": ("only print the table of a report", "只显示报告中的表格"),
    "nothing-to-play": (
        "Name two bots or more, or a report with --again or --table.",
        "请给出两个以上机器人，或用 --again、--table 指定报告。",
    ),
}


def phrase(lang: str, key: str, **params: object) -> str:
    """What the key says in that language. Raises KeyError for what there are no words."""
    return PHRASES[key][LANGUAGES.index(lang)].format(**params)
