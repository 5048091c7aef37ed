"""The game for scripts: one JSON object a line, each way (docs/playing.md).

out   {"type":"start", ...}  {"type":"turn", ...}  {"type":"event", ...}
      {"type":"refused", ...}  {"type":"hint", ...}  {"type":"result", ...}  {"type":"left", ...}
in    take wug               or {"move":"take wug"}
      quit, resign, hint     or {"command":"quit"}
"""

from __future__ import annotations

from cabochon.bots import make_bot
from cabochon.cli.dialogue import KeptGame
from cabochon.cli.terminal import Terminal
from cabochon.notation import (
    dumps,
    format_event,
    format_move,
    loads,
    parse_move,
    view_to_json,
)
from cabochon.record import HiddenDeal
from cabochon.rules import CabochonError, Deal, Move, View

_COMMANDS = ("quit", "resign", "hint")


class JsonLines:
    """One game, spoken in objects. What a person at the seat may not know is in none of them:
    events are those that everybody sees, a view is that of the seat that has to decide."""

    def __init__(self, game: KeptGame, terminal: Terminal) -> None:
        self._game = game
        self._terminal = terminal
        self._told = 0
        self._at = game.record.first()

    def run(self) -> int:
        """Play to the end, or until the script leaves."""
        try:
            self._start()
            while not self._game.is_over:
                self._step()
            self._result()
        except EOFError:
            self._leave()
        except KeyboardInterrupt:
            self._leave()
            return 130
        return 0

    def _step(self) -> None:
        game = self._game
        if game.seat in game.bots:
            game.play_bot()
            self._events()
            return
        view = game.position.view(game.position.seat)
        legal = [format_move(move) for move in view.legal_moves()]
        self._put("turn", seat=view.seat, view=view_to_json(view), legal=legal)
        while game.position.view(view.seat) == view and not game.is_over:
            self._answer(self._terminal.next_line(), view)
        self._events()

    def _answer(self, line: str, view: View) -> None:
        try:
            command, move = _read(line)
            if move is not None:
                refusal = view.refusal(move)
                if refusal is not None:
                    raise refusal
                self._game.play(move)
        except CabochonError as error:
            self._put(
                "refused",
                code=error.code.value,
                params=dict(error.params),
                **error.texts(),
            )
            return
        if command == "quit":
            raise EOFError
        if command == "resign":
            self._game.resign()
        if command == "hint":
            self._put("hint", move=format_move(make_bot("greedy").choose(view)))

    # What goes out

    def _start(self) -> None:
        record = self._game.record
        self._put(
            "start",
            v=1,
            ruleset=str(record.ruleset),
            players=list(record.players),
            humans=list(self._game.people),
            commitment=record.commitment,
            file=None if self._game.path is None else str(self._game.path),
        )
        self._events()

    def _events(self) -> None:
        """What has happened since, as everybody may know it."""
        for event in self._game.record.events[self._told :]:
            place = self._at.pending
            unseen = isinstance(event, Deal) and place is not None and place.column is None
            text = format_event(HiddenDeal() if unseen else event)
            self._told += 1
            self._put("event", ply=self._told, seat=self._at.seat, event=text)
            self._at = self._at.apply(event)

    def _result(self) -> None:
        record, position = self._game.record, self._game.position
        result = record.result
        assert result is not None
        seats = range(record.ruleset.seats)
        self._put(
            "result",
            ranking=list(result.ranking),
            reason=result.reason.value,
            points=[position.points(seat) for seat in seats],
            cards=[len(position.hands[seat].bought) for seat in seats],
            view=view_to_json(position.view(None)),
            seed=self._game.seed,
        )

    def _leave(self) -> None:
        self._game.keep()
        path = self._game.path
        kept = path is not None and self._game.trouble is None
        self._put("left", file=str(path) if kept else None)

    def _put(self, kind: str, **fields: object) -> None:
        self._terminal.write(dumps({"type": kind, **fields}) + "\n")
        self._terminal.flush()


def _read(line: str) -> tuple[str | None, Move | None]:
    """A command or a move. Raises NotationError."""
    if line.startswith("{"):
        value = loads(line)
        assert isinstance(value, dict)
        line = str(value.get("command", value.get("move", "")))
    if line.lower() in _COMMANDS:
        return line.lower(), None
    return None, parse_move(line)
