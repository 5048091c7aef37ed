"""A bot from outside in thirty lines: it gets a token, makes a table against a bot of the house,
and plays by the stream. `python examples/outside_bot.py http://localhost:8000`"""

import json
import random
import sys
from http.client import HTTPResponse
from typing import Any
from urllib.request import Request, urlopen


def call(path: str, body: object = None, token: str = "") -> HTTPResponse:
    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"Bearer {token}"} if token else {}
    )
    data = None if body is None else json.dumps(body).encode()
    response: HTTPResponse = urlopen(
        Request(sys.argv[1].rstrip("/") + "/api" + path, data, headers)
    )
    return response


def main() -> None:
    token = json.load(call("/tokens", {"name": "Thirty lines"}))["token"]
    chairs = [{"kind": "me", "name": "Thirty lines"}, {"kind": "bot", "bot": "uniform"}]
    table = json.load(call("/tables", {"chairs": chairs}, token))["table"]["id"]
    for line in call(f"/tables/{table}/stream", token=token):
        message: Any = json.loads(line) if line.strip() else {}
        if legal := message.get("legal"):
            move = random.choice([m for m in legal if m.startswith("buy")] or legal)
            call(f"/tables/{table}/move", {"moves": [move], "version": message["version"]}, token)
        if message.get("type") == "gameFinish":
            print(json.dumps(message["result"]))


if __name__ == "__main__":
    main()
