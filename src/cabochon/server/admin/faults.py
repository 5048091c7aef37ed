"""Why something cannot be done, told to whoever runs the server."""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules import CabochonError
from cabochon.rules.sentences import register


class AdminFault(StrEnum):
    """One code a reason; the sentences stand below."""

    NO_DATABASE = "admin-no-database"
    BAD_DATABASE = "admin-bad-database"
    NO_DRIVER = "admin-no-driver"
    OTHER_SCHEMA = "admin-other-schema"
    NO_SUCH_TOKEN = "admin-no-such-token"
    NO_SUCH_PERSON = "admin-no-such-person"
    SEVERAL_PEOPLE = "admin-several-people"
    NO_SUCH_BAN = "admin-no-such-ban"
    BAD_WHO = "admin-bad-who"
    BAD_NAME = "admin-bad-name"
    NOT_FINISHED = "admin-not-finished"
    FILE_THERE = "admin-file-there"
    SAME_FILE = "admin-same-file"
    NOT_A_BACKUP = "admin-not-a-backup"
    NEWER_BACKUP = "admin-newer-backup"
    NOT_EMPTY = "admin-not-empty"
    SERVER_RUNS = "admin-server-runs"
    NO_PROGRAM = "admin-no-program"
    PROGRAM_FAILED = "admin-program-failed"
    FILE_TROUBLE = "admin-file-trouble"


class AdminRefused(CabochonError):
    """It was not done, and nothing has changed; `code` is an `AdminFault`."""


register(
    {
        "admin-no-database": (
            "There's no database at {where}.",
            "{where} 没有数据库。",
        ),
        "admin-bad-database": (
            "The database can't be used: {what}",
            "无法使用数据库：{what}",
        ),
        "admin-no-driver": (
            "The package {what} is missing: pip install 'cabochon[postgres]'",
            "缺少软件包 {what}：pip install 'cabochon[postgres]'",
        ),
        "admin-other-schema": (
            "This database has schema {found} and this version needs {needed}: use the version "
            "that runs the server, or start this one's server once to upgrade it.",
            "数据库结构为 {found}，而本版本需要 {needed}：请使用与服务器相同的版本，"
            "或先启动一次本版本的服务器完成升级。",
        ),
        "admin-no-such-token": (
            "There's no working token {token}.",
            "没有有效的令牌 {token}。",
        ),
        "admin-no-such-person": (
            "Nobody is known as {who}; `cabochon admin people` lists everybody.",
            "没有人对应 {who}；`cabochon admin people` 可列出所有人。",
        ),
        "admin-several-people": (
            "{who} fits more than one person: give more letters of it.",
            "{who} 对应不止一人：请多写几位。",
        ),
        "admin-no-such-ban": (
            "There's no ban {ban}; `cabochon admin bans` lists them.",
            "没有封禁 {ban}；`cabochon admin bans` 可列出全部。",
        ),
        "admin-bad-who": (
            "{who} isn't an address, TABLE:SEAT, token:ID or person:KEY.",
            "{who} 不是地址、牌桌:座位、token:编号 或 person:密钥。",
        ),
        "admin-bad-name": (
            "{name} can't be a name: 1 to 30 visible characters, please.",
            "{name} 不能作为名字：须为 1 到 30 个可见字符。",
        ),
        "admin-not-finished": (
            "Table {table} isn't finished; close it first.",
            "牌桌 {table} 尚未结束；请先关闭它。",
        ),
        "admin-file-there": (
            "{path} is already there; --replace overwrites it.",
            "{path} 已存在；--replace 可覆盖。",
        ),
        "admin-same-file": (
            "{path} is the database itself.",
            "{path} 就是数据库本身。",
        ),
        "admin-not-a-backup": (
            "{path} isn't a sound backup: {what}",
            "{path} 不是完好的备份：{what}",
        ),
        "admin-newer-backup": (
            "{path} was written by a newer version (schema {found}); this one knows {needed}.",
            "{path} 由更新的版本写成（结构 {found}）；本版本只认得 {needed}。",
        ),
        "admin-not-empty": (
            "The database isn't empty; --replace puts the backup in its place.",
            "数据库不是空的；--replace 会用备份取而代之。",
        ),
        "admin-server-runs": (
            "A server is using this database; stop it first.",
            "有服务器正在使用这个数据库；请先停止它。",
        ),
        "admin-no-program": (
            "{program} isn't installed here; it comes with PostgreSQL's client programs.",
            "此处没有安装 {program}；它随 PostgreSQL 客户端程序提供。",
        ),
        "admin-program-failed": (
            "{program} failed: {what}",
            "{program} 失败：{what}",
        ),
        "admin-file-trouble": (
            "{path}: {what}",
            "{path}：{what}",
        ),
    }
)
