"""What can be said at a table: preset phrases, so that nobody needs a moderator or a dictionary."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "hello": ("Hello!", "你好！"),
    "good-luck": ("Good luck, have fun!", "祝好运，玩得开心！"),
    "thanks": ("Thank you!", "谢谢！"),
    "nice": ("Nice move!", "好棋！"),
    "wow": ("Wow!", "哇！"),
    "oops": ("Oops!", "哎呀！"),
    "that-hurt": ("That was the card I wanted.", "那正是我想要的牌。"),
    "thinking": ("Let me think.", "让我想想。"),
    "moment": ("One moment, please.", "请稍等。"),
    "back": ("I am back.", "我回来了。"),
    "sorry": ("Sorry!", "抱歉！"),
    "well-played": ("Well played!", "打得好！"),
    "good-game": ("Good game!", "精彩的一局！"),
    "again": ("Another one?", "再来一局？"),
    "bye": ("I have to go, bye!", "我得走了，再见！"),
}
