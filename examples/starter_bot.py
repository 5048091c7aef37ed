"""A bot to start from, in plain Python: nothing of Cabochon is needed to write one.

    cabochon check-engine "python3 examples/starter_bot.py"
    cabochon play --bot-command "python3 examples/starter_bot.py"
    cabochon arena "cmd:python3 examples/starter_bot.py" greedy --players 2

Messages come and go as JSON, one on each line. `position` brings what this seat may know and its
legal moves; `go` asks for one of them. Change `choose`, and you have a bot of your own.
"""

import json
import sys


def choose(view: dict, legal: list[str], go: dict) -> str:  # type: ignore[type-arg]
    """The dearest card it can buy; else three tokens; else whatever comes first. A card's code
    begins with its level: `buy 2u5 =uuo`."""
    buys = [move for move in legal if move.startswith("buy ")]
    if buys:
        return max(buys, key=lambda move: move.split()[1])
    takes = [move for move in legal if move.startswith("take ")]
    return max(takes, key=len) if takes else legal[0]


def say(message: dict) -> None:  # type: ignore[type-arg]
    print(json.dumps(message), flush=True)


def main() -> None:
    view, legal = {}, []
    for line in sys.stdin:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            say({"type": "id", "name": "starter", "options": []})
        elif kind == "position":
            view, legal = message["view"], message["legal"]
        elif kind == "go":
            say({"type": "bestmove", "move": choose(view, legal, message)})
        elif kind == "quit":
            break


if __name__ == "__main__":
    main()
