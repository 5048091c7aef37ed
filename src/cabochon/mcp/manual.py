"""What a program reads before it plays: titles, descriptions and arguments of the tools, in English
and in Chinese. Each description stands by itself, for a reader who has nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from cabochon.mcp.games import KEPT_HOURS

Both = tuple[str, str]

LIFETIME: Both = (
    f"A handle is kept for {KEPT_HOURS} hours after its last use.",
    f"句柄在最后一次使用后保留 {KEPT_HOURS} 小时。",
)
INSTRUCTIONS: Both = (
    "Splendor by its exact rules, for 2 to 4 players. new_game gives a game_id; every other tool "
    "takes it. Bots answer at once, so after play_move it is your turn again or the game is over. "
    f"{LIFETIME[0]} A refused move changes nothing and names legal ones.",
    "按准确规则进行的《璀璨宝石》，2 至 4 人。new_game 给出 game_id，其他工具都要用到它。"
    "机器人立即应着，所以 play_move 之后又轮到你，或者游戏已经结束。"
    f"{LIFETIME[1]}被拒绝的行动不会改变局面，并会列出合法的行动。",
)
EXAMPLES: Both = (
    " Legal are for example: {moves}; legal_moves lists all {count}.",
    " 合法的例如：{moves}；legal_moves 列出全部 {count} 个。",
)
LEGAL: Both = ("This move is legal.", "这步行动合法。")

HANDLE: Both = (f"from new_game. {LIFETIME[0]}", f"由 new_game 给出。{LIFETIME[1]}")
FORMAT: Both = ("text for reading, json for programs", "text 供阅读，json 供程序使用")


@dataclass(frozen=True)
class Page:
    """One tool."""

    title: Both
    text: Both
    arguments: dict[str, Both] = field(default_factory=dict)


MANUAL: dict[str, Page] = {
    "new_game": Page(
        ("Start a game", "开始一局"),
        (
            "Start a game of Splendor. The answer has the table and game_id, the handle that every "
            f"other tool takes. {LIFETIME[0]} Bots that sit before you have moved already. The "
            "rules in short: on your turn take tokens (three different colours, or two of one "
            "colour of which the bank has four or more), or reserve a card (and get a gold, which "
            "stands for any colour), or buy a card. A bought card is a lasting bonus: it makes "
            "every later card one of its colour cheaper. You hold at most ten tokens and three "
            "reserved cards. A noble, worth 3 points, comes by itself when your bonuses are what "
            "it asks for. When somebody has 15 points the round is played to its end; most points "
            "win, then fewest cards. explain_rule has the rest.",
            "开始一局《璀璨宝石》。回答包含局面和 game_id，即其他工具都要用到的句柄。"
            f"{LIFETIME[1]}坐在你之前的机器人已经行动。规则概要：轮到你时拿取筹码（三枚不同颜色，"
            "或银行中至少有四枚的同色两枚），或保留一张牌（并得到一枚可代替任何颜色的黄金），"
            "或购买一张牌。买下的牌是永久的加成：之后每张牌的该颜色便宜一枚。"
            "最多持有十枚筹码和三张保留牌。加成达到要求时，贵族（3 分）自动来访。"
            "有人达到 15 分时打完这一轮；分数最高者获胜，平分则牌少者胜。其余规则见 explain_rule。",
        ),
        {
            "opponents": (
                "a bot's name for all other seats, or a list of names in turn order after you: "
                "uniform (random), greedy, or by strength talc, gypsum, calcite, fluorite, quartz, "
                "topaz, corundum, diamond; an empty list to play every seat yourself",
                "用于其他所有座位的机器人名称，或按你之后的行动顺序给出的名称列表：uniform（随机）、"
                "greedy，或由弱到强 talc、gypsum、calcite、fluorite、quartz、topaz、corundum、"
                "diamond；空列表表示由你执所有座位",
            ),
            "players": ("2 to 4; usually 2, 4 for teams", "2 至 4；通常为 2，组队为 4"),
            "variant": (
                "standard, quick (to 10 points), teams, quick-teams, or a ruleset's text such as "
                "quick/3:target=12",
                "standard、quick（10 分）、teams、quick-teams，或规则文本，如 quick/3:target=12",
            ),
            "seat": (
                "yours, 0 begins; drawn by lot if not given",
                "你的座位，0 先行；不给则抽签决定",
            ),
            "seed": (
                "any text: the same cards again; secret if not given",
                "任意文本：相同则牌序相同；不给则保密",
            ),
            "format": FORMAT,
        },
    ),
    "get_state": Page(
        ("Look at the table", "查看局面"),
        (
            "The table as you may see it: whose turn it is, points, result and the board. On the "
            "board a card has its code (2u5: level 2, blue), bonus colour and points, below them "
            "its price, and what you lack for it (lack 2w1k-1o: two white and one black short, "
            "one gold can help); without that line you can buy it. In the rows of the players "
            "2+1 is two tokens and a bonus of one.",
            "你所能看到的局面：轮到谁、分数、结果和牌桌。每张牌有代码（2u5：二级，蓝色）、加成颜色和"
            "分数，其下是价格，以及你还缺的筹码（缺 2w1k-1o：缺两枚白、一枚黑，可用一枚黄金补）；"
            "没有这一行就可以购买。玩家行中的 2+1 表示两枚筹码加一点加成。",
        ),
        {"game_id": HANDLE, "format": FORMAT},
    ),
    "legal_moves": Page(
        ("List the legal moves", "列出合法行动"),
        (
            "Every move that you can play now, written as play_move takes it. A purchase stands "
            "once, with the least gold. Empty when the game is over.",
            "你现在可以走的每一步，写法与 play_move 相同。每次购买只列一次，用最少的黄金。"
            "游戏结束后为空。",
        ),
        {"game_id": HANDLE},
    ),
    "play_move": Page(
        ("Play a move", "走一步"),
        (
            "Play one move; the bots answer at once, and you see the table after that. Colours: w "
            "white, u blue, g green, r red, k black, o gold. Moves: `take wug` (three different), "
            "`take rr` (two of one), `reserve 2u5` (a card by its code on the board), `reserve "
            "deck2` (the unseen top card), `buy 2u5` (face up or reserved by you, with the least "
            "gold), `buy 2u5 =uuo` (with exactly these tokens), `pass` (only when nothing else is "
            "legal). With more than ten tokens it is still your turn, phase return: `return wk`; "
            "with several nobles to choose from, phase noble: `noble rk4`. A refused move changes "
            "nothing; the error says why and names legal ones.",
            "走一步；机器人立即应着，然后你看到新的局面。"
            "颜色：w 白，u 蓝，g 绿，r 红，k 黑，o 黄金。"
            "写法：`take wug`（三枚不同）、`take rr`（同色两枚）、"
            "`reserve 2u5`（按牌桌上的代码保留）、"
            "`reserve deck2`（牌堆顶未翻开的牌）、`buy 2u5`（公开的或你保留的牌，用最少的黄金）、"
            "`buy 2u5 =uuo`（正好用这些筹码支付）、`pass`（仅当别无合法行动）。"
            "超过十枚筹码时仍是你的回合，阶段为 return：`return wk`；"
            "有多位贵族可选时阶段为 noble：`noble rk4`。"
            "被拒绝的行动不会改变局面；错误会说明原因并列出合法的行动。",
        ),
        {
            "game_id": HANDLE,
            "move": (
                "for example: take wug, take rr, reserve 2u5, reserve deck2, buy 2u5, return w, "
                "noble rk4",
                "例如：take wug、take rr、reserve 2u5、reserve deck2、buy 2u5、return w、noble rk4",
            ),
            "version": (
                "the version you saw; refused if the game has moved on",
                "你看到的版本；局面已变化则拒绝",
            ),
            "format": FORMAT,
        },
    ),
    "explain_rule": Page(
        ("Explain a rule or a refusal", "解释规则或拒绝原因"),
        (
            "Explain a rule, a refusal's code, or (with game_id and move) why a move is refused. "
            "Without arguments: all the rules.",
            "解释一条规则、一个拒绝代码，或（给出 game_id 和 move）某步行动为何被拒绝。"
            "不带参数：全部规则。",
        ),
        {
            "topic": (
                "a heading, a word (noble, gold, reserve) or a refusal's code",
                "标题、词语（贵族、黄金、保留）或拒绝代码",
            ),
            "game_id": ("to ask about a move in this game", "要询问行动的那一局"),
            "move": ("why is this move refused?", "这步行动为何被拒绝？"),
        },
    ),
    "analyse": Page(
        ("Analyse the position", "分析局面"),
        (
            "Search for the best move of the seat to move, by the shipped network: moves with "
            "their value (the expected part of the victory, 0 to 1) and the likely continuation. "
            "It sees only what that seat sees.",
            "用随附的网络为当前座位搜索最佳行动：各行动及其价值（期望的胜利份额，0 到 1）和可能的"
            "后续。它只看到该座位能看到的。",
        ),
        {
            "game_id": HANDLE,
            "visits": ("how much to think", "思考量"),
            "moves": ("how many moves to list", "列出多少个行动"),
        },
    ),
    "replay": Page(
        ("Read the game so far", "回顾对局"),
        (
            "The turns so far, as sentences and in table notation, hidden cards hidden.",
            "到目前为止的各回合，以句子和记谱表示，隐藏的牌不显示。",
        ),
        {
            "game_id": HANDLE,
            "first_turn": ("leave out so many turns at the beginning", "略去开头的若干回合"),
        },
    ),
    "export_game": Page(
        ("Export the record", "导出棋谱"),
        (
            "The record, which `cabochon replay` and `cabochon verify` read. Complete with the "
            "seed once the game is over; before that, what you may know.",
            "棋谱，可由 `cabochon replay` 和 `cabochon verify` 读取。游戏结束后完整并含种子；"
            "在此之前只含你所能知道的。",
        ),
        {"game_id": HANDLE, "format": FORMAT},
    ),
}
