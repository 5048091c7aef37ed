"""Games saved while a long match is played, so that a stopped match continues where it was.

One file per match between the same engines, one line per block. A longer match of the same entrants
and seed finds what a shorter one has played: deal by deal they are the same.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from cabochon.arena.botgame import BlockResult
from cabochon.arena.match import Block, Match
from cabochon.arena.report import Report, format_report, game_row, read_games
from cabochon.arena.seating import engines_of


class GameCache:
    """The saved games of one match, in a folder. Half a line, left by a kill, is dropped. Raises
    UnknownBot."""

    def __init__(self, folder: Path, match: Match) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        name = format_report(Report(match.shortened(1), engines_of(match), ()))
        self._path = folder / f"{sha256(name.encode()).hexdigest()[:20]}.jsonl"
        self._found: dict[Block, BlockResult] = {}
        if self._path.exists():
            self._read()

    def find(self, block: Block) -> BlockResult | None:
        return self._found.get(block)

    def keep(self, block: Block, result: BlockResult) -> None:
        """Save the games of a block. Why a game was forfeited is not kept, only how it ended."""
        self._found[block] = BlockResult(result.games)
        rows = [game_row(game) for game in result.games]
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([block.deal, list(block.table), rows]) + "\n")

    def _read(self) -> None:
        text = self._path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self._path.write_text(whole, "utf-8")
        for line in whole.splitlines():
            deal, table, rows = json.loads(line)
            self._found[Block(deal, tuple(table))] = BlockResult(read_games(rows))
