"""Why a table says no, beside the rules of the game itself."""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules.errors import CabochonError
from cabochon.rules.sentences import register


class TableFault(StrEnum):
    """One code a reason; the sentences stand below."""

    STALE = "stale-version"
    NOT_STARTED = "not-started"
    STARTED = "already-started"
    FINISHED = "table-finished"
    NOT_FINISHED = "not-finished"
    NO_SUCH_SEAT = "no-such-seat"
    SEAT_TAKEN = "seat-taken"
    NAME_TAKEN = "name-taken"
    TABLE_FULL = "table-full"
    SEAT_OUT = "seat-out"
    NOT_YOURS = "seat-not-yours"
    TIME_OVER = "time-over"
    NO_MOVES = "no-moves"
    TOO_MANY_MOVES = "too-many-moves"
    KEY_REUSED = "idempotency-key-reused"
    CHAIRS_COUNT = "chairs-count"
    NOTHING_TO_TAKE_BACK = "nothing-to-take-back"
    TAKEBACK_OFF = "takeback-off"
    TAKEBACK_PENDING = "takeback-pending"
    NO_TAKEBACK_ASKED = "no-takeback-asked"
    TAKEBACKS_USED_UP = "takebacks-used-up"
    REMATCH_MADE = "rematch-made"
    NO_REMATCH_OFFERED = "no-rematch-offered"
    NOT_GONE = "not-gone"
    CLAIM_OFF = "claim-off"
    UNKNOWN_PHRASE = "unknown-phrase"
    CHAT_FULL = "chat-full"
    SEAT_NEEDED = "seat-needed"
    MOVES_SPENT = "moves-spent"
    LEAVES_SPENT = "leaves-spent"
    LEAVE_TOO_SOON = "leave-too-soon"
    REMATCHES_SPENT = "rematches-spent"
    TAKEBACK_AWAY = "takeback-away"
    NOBODY_THERE = "nobody-there"
    NO_SHARE_ASKED = "no-share-asked"
    SHARE_PLEDGED = "share-pledged"
    SHARE_WRONG = "share-wrong"


class TableRefused(CabochonError):
    """The table cannot do that now; `code` is a `TableFault`. Nothing has changed."""


register(
    {
        "stale-version": (
            "The table has moved on from version {seen} to {version}.",
            "牌桌已从版本 {seen} 前进到 {version}。",
        ),
        "not-started": ("The game has not started yet.", "游戏尚未开始。"),
        "already-started": ("The game has already started.", "游戏已经开始。"),
        "table-finished": ("This table is finished.", "这张牌桌已经结束。"),
        "not-finished": ("The game is still going on.", "游戏仍在进行。"),
        "no-such-seat": ("There is no seat {seat} here.", "这里没有 {seat} 号座位。"),
        "seat-taken": ("Seat {seat} is taken.", "{seat} 号座位已有人。"),
        "name-taken": (
            "Somebody at this table is already called {name}, or something that looks the same. "
            "Please choose another name, such as {free}.",
            "这张牌桌上已有人叫“{name}”，或名字看起来一样。请换一个名字，例如“{free}”。",
        ),
        "table-full": ("Every seat is taken.", "座位已满。"),
        "seat-out": ("Seat {seat} is out of this game.", "{seat} 号座位已退出本局。"),
        "seat-not-yours": (
            "You don't control seat {seat}.",
            "你的密钥不能操作 {seat} 号座位。",
        ),
        "time-over": ("The time of seat {seat} is over.", "{seat} 号座位的时间已用完。"),
        "no-moves": ("Say at least one move.", "请至少给出一个行动。"),
        "too-many-moves": (
            "A turn has at most {most} moves; {count} came.",
            "一个回合至多 {most} 个行动；收到 {count} 个。",
        ),
        "idempotency-key-reused": (
            "This idempotency key was already used for something else.",
            "这个幂等键已用于别的请求。",
        ),
        "chairs-count": (
            "There are {count} chairs for {seats} seats.",
            "{seats} 个座位却给了 {count} 把椅子。",
        ),
        "nothing-to-take-back": (
            "There is nothing of yours to take back.",
            "没有可以撤回的行动。",
        ),
        "takeback-off": (
            "Something was revealed or somebody else has acted: no take-back at this table.",
            "已有牌翻开或他人已行动，而这张牌桌不允许悔棋。",
        ),
        "takeback-pending": (
            "A take-back is already being asked for.",
            "已有一个悔棋请求在等待答复。",
        ),
        "no-takeback-asked": ("Nobody asks for a take-back.", "没有人请求悔棋。"),
        "takebacks-used-up": (
            "You've used all {most} of your take-backs in this game.",
            "你在这一局的 {most} 次悔棋机会已经用完。",
        ),
        "rematch-made": ("The rematch has already been made.", "再来一局已经开好。"),
        "no-rematch-offered": ("Nobody offers a rematch.", "没有人提议再来一局。"),
        "not-gone": (
            "Seat {seat} has not been away long enough.",
            "{seat} 号座位离开的时间还不够长。",
        ),
        "claim-off": (
            "At this table a bot plays for whoever is away; there is nothing to claim.",
            "这张牌桌由机器人代打离开的玩家，不能判胜。",
        ),
        "unknown-phrase": ("There is no phrase {phrase}.", "没有短语 {phrase}。"),
        "chat-full": (
            "You've said all you can at this table.",
            "你在这张牌桌的聊天次数已用完。",
        ),
        "seat-needed": (
            "You hold several seats: say which one.",
            "你有多个座位：请指明是哪一个。",
        ),
        "moves-spent": (
            "That was all {most} moves you have in this game; a bot finishes it for you.",
            "你在本局的 {most} 次行动已用完，余下的由机器人代打。",
        ),
        "leaves-spent": (
            "You've left this table {most} times; that's as often as it goes.",
            "你已离开这张牌桌 {most} 次，已达上限。",
        ),
        "leave-too-soon": (
            "You've only just come back; you can leave again in {seconds} s.",
            "你刚回来，{seconds} 秒后才能再次离开。",
        ),
        "rematches-spent": (
            "You've offered {most} rematches here; that's enough.",
            "你在这里已提议 {most} 次再来一局，已达上限。",
        ),
        "takeback-away": (
            "That turn revealed a card, so it can only be taken back with everyone at the table; "
            "seat {seat} is away.",
            "那一回合已有牌翻开，所有人都在场并同意时才能悔棋；{seat} 号座位不在。",
        ),
        "nobody-there": (
            "Nobody sits at seat {seat}: it's open, or a bot of the house plays it.",
            "{seat} 号座位没有人：它空着，或由本站机器人使用。",
        ),
        "no-share-asked": (
            "Nobody is asking seat {seat} for a share of the deal now.",
            "现在没有要求 {seat} 号座位公开发牌份额。",
        ),
        "share-pledged": (
            "Seat {seat} has already given the hash of its share.",
            "{seat} 号座位已经给出份额的哈希。",
        ),
        "share-wrong": (
            "This isn't the share that seat {seat} gave the hash of.",
            "这不是 {seat} 号座位给出哈希的那份份额。",
        ),
    }
)
