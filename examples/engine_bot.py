"""A bot in another language would look the same: JSON lines in, JSON lines out.

    cabochon play --bot-command "python examples/engine_bot.py"

It buys the card with most points if it can buy any, else it takes the first legal move there is.
"""

import json
import sys

from cabochon.notation import format_move, view_from_json
from cabochon.rules import Buy, Move, View


def best(view: View) -> Move:
    moves = view.legal_moves()
    buys = [move for move in moves if isinstance(move, Buy)]
    return max(buys, key=lambda buy: buy.card.points) if buys else moves[0]


def main() -> None:
    view = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "id", "name": "example", "options": []}), flush=True)
        elif message["type"] == "position":
            view = view_from_json(message["view"])
        elif message["type"] == "go" and view is not None:
            move = format_move(best(view))
            print(json.dumps({"type": "bestmove", "move": move}), flush=True)
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
