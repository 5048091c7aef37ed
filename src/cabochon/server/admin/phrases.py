"""What `cabochon admin` says on a terminal, in English and in Chinese."""

from __future__ import annotations

from cabochon.rules.sentences import LANGUAGES

PHRASES: dict[str, tuple[str, str]] = {
    # what there is to do
    "verbs": ("to look:\n{look}\n\nto act:\n{act}", "查看：\n{look}\n\n操作：\n{act}"),
    "more": (
        "`cabochon admin WHAT --help` tells more about each.",
        "`cabochon admin 操作 --help` 有详细说明。",
    ),
    "what": ("what to do, and to what", "做什么，对谁做"),
    "no-verb": (
        "there is no {verb}; there are {known}.",
        "没有 {verb}；可用的有 {known}。",
    ),
    "tables": ("list tables", "列出牌桌"),
    "people": ("list who sits where", "列出在座的人"),
    "tokens": ("list personal tokens", "列出个人令牌"),
    "bans": ("list bans", "列出封禁"),
    "log": ("list what was done here", "列出管理记录"),
    "close": ("end a table; its players are told", "关闭一张牌桌，并告知玩家"),
    "kick": ("take somebody out of a game", "把某人移出牌局"),
    "ban": (
        "keep out an address, a person or a token",
        "封禁地址、某人或令牌",
    ),
    "lift": ("lift a ban", "解除封禁"),
    "revoke": ("revoke a token", "撤销令牌"),
    "rename": ("give somebody another name", "给某人改名"),
    "delete": ("delete a finished table", "删除一张已结束的牌桌"),
    "purge": ("delete old finished tables", "清除旧的已结束牌桌"),
    "backup": ("write the database to a file", "把数据库备份到文件"),
    "restore": ("put a backup in the database's place", "用备份恢复数据库"),
    # arguments
    "arg-table": ("the table's id", "牌桌编号"),
    "arg-seat": ("the seat, from 0", "座位号，从 0 起"),
    "arg-who": (
        "an address, a network (192.0.2.0/24), TABLE:SEAT, token:ID, or person:KEY with the first "
        "letters that `people` shows",
        "地址、网段（192.0.2.0/24）、牌桌:座位、token:编号，"
        "或 person:密钥（`people` 所示的前几位）",
    ),
    "arg-renamed": ("TABLE:SEAT, or token:ID", "牌桌:座位，或 token:编号"),
    "arg-name": ("the new name", "新名字"),
    "arg-ban": ("the ban's id, or what is banned", "封禁编号，或被封禁的对象"),
    "arg-token": ("the token's id", "令牌编号"),
    "arg-file": ("the file", "文件"),
    "opt-db": (
        "a SQLite file, or postgresql://user@host/name; the one of `serve` if none is said",
        "SQLite 文件，或 postgresql://user@host/name；默认与 `serve` 相同",
    ),
    "opt-json": ("print JSON, for scripts", "输出 JSON，供脚本使用"),
    "opt-yes": ("do not ask", "不再询问"),
    "opt-state": ("only tables that are open, running or finished", "只列等待中、进行中或已结束的"),
    "opt-idle": (
        "only tables where nothing has happened for so long (90m, 12h, 7d)",
        "只列这么久没有动静的（90m、12h、7d）",
    ),
    "opt-limit": ("at most so many", "最多列出多少"),
    "opt-table": ("only at that table", "只看这张牌桌"),
    "opt-name": ("only names that contain this", "只看名字中含有此内容的"),
    "opt-all": ("revoked ones as well", "包括已撤销的"),
    "opt-for": (
        "for so long (90m, 12h, 7d); for good if not said",
        "时长（90m、12h、7d）；不写则永久",
    ),
    "opt-reason": ("why; whoever is banned is told", "原因；会告知被封禁者"),
    "opt-days": ("finished so many days ago, or more", "结束至少这么多天的"),
    "opt-replace": (
        "overwrite what is there",
        "覆盖已有的内容",
    ),
    "bad-span": (
        "{text} is no span of time such as 90m, 12h or 7d",
        "{text} 不是时长，例如 90m、12h 或 7d",
    ),
    # before
    "ask-close": (
        "Close table {table}? Its game ends for everybody.",
        "关闭牌桌 {table}？对局将对所有人结束。",
    ),
    "ask-kick": (
        "Take seat {seat} out of the game at {table}?",
        "把 {table} 的 {seat} 号座位移出？",
    ),
    "ask-ban": ("Ban {who}?", "封禁 {who}？"),
    "ask-revoke": (
        "Revoke token {token}? It can't be undone.",
        "撤销令牌 {token}？此操作不可恢复。",
    ),
    "ask-delete": (
        "Delete table {table} with its record? It can't be undone.",
        "删除牌桌 {table} 及其记录？此操作不可恢复。",
    ),
    "ask-purge": (
        "Delete every table finished {days} days ago or more? It can't be undone.",
        "删除所有结束至少 {days} 天的牌桌？此操作不可恢复。",
    ),
    "ask-restore": (
        "Put {file} in place of the database?",
        "用 {file} 取代数据库？",
    ),
    "not-done": ("Nothing was done.", "未作任何更改。"),
    "yes-needed": (
        "with --json nothing is asked: add --yes",
        "使用 --json 时不会询问：请加上 --yes",
    ),
    # after
    "done-close": ("Table {table} is closed.", "牌桌 {table} 已关闭。"),
    "done-kick": ("Seat {seat} of {table} is out.", "{table} 的 {seat} 号座位已移出。"),
    "done-ban": (
        "Banned: {who}. To lift it: cabochon admin lift {ban}",
        "已封禁：{who}。解除：cabochon admin lift {ban}",
    ),
    "done-lift": ("The ban {ban} is lifted.", "封禁 {ban} 已解除。"),
    "done-revoke": ("Token {token} is revoked.", "令牌 {token} 已撤销。"),
    "done-rename": ("{who} is now called {name}.", "{who} 现在名为 {name}。"),
    "done-delete": ("Table {table} is deleted.", "牌桌 {table} 已删除。"),
    "done-purge": ("Tables deleted: {count}", "已删除牌桌：{count}"),
    "done-backup": ("The backup is in {file}.", "备份已写入 {file}。"),
    "done-restore": ("{file} is in place.", "{file} 已恢复。"),
    "nothing": ("There are none.", "没有。"),
    # columns
    "col-id": ("id", "编号"),
    "col-state": ("state", "状态"),
    "col-variant": ("variant", "变体"),
    "col-made": ("made", "建立"),
    "col-last": ("last event", "最近动静"),
    "col-events": ("events", "事件"),
    "col-players": ("players", "玩家"),
    "col-table": ("table", "牌桌"),
    "col-seat": ("seat", "座位"),
    "col-name": ("name", "名字"),
    "col-kind": ("kind", "类别"),
    "col-key": ("key or token", "密钥或令牌"),
    "col-scopes": ("scopes", "权限"),
    "col-used": ("last used", "最近使用"),
    "col-revoked": ("revoked", "撤销"),
    "col-subject": ("who", "对象"),
    "col-until": ("until", "期限"),
    "col-reason": ("reason", "原因"),
    "col-at": ("when", "时间"),
    "col-who": ("by", "操作者"),
    "col-act": ("what", "操作"),
    "col-detail": ("details", "细节"),
    "for-good": ("for good", "永久"),
    "run-out": ("run out", "已过期"),
}


def phrase(lang: str, key: str, /, **params: object) -> str:
    """What the key says in that language. Raises KeyError for what there are no words."""
    return PHRASES[key][LANGUAGES.index(lang)].format(**params)
