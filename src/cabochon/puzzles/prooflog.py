"""Proofs in progress: a file with one line per puzzle, so that an interrupted run can go on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from cabochon.bots.roster import engine_name, network_fingerprint
from cabochon.puzzles.book import BookEntry
from cabochon.puzzles.proving import ProofSetting, PuzzleProof
from cabochon.puzzles.sieve import SURE_GAP, promised_gap

PLAYOUTS = "playouts"


@dataclass(frozen=True, slots=True)
class ProofLog:
    """What was proved with one `setting` of the engine; other settings in the file are left
    alone."""

    path: Path | None
    setting: str

    def read(self) -> dict[str, PuzzleProof]:
        """The proofs so far, by puzzle."""
        if self.path is None or not self.path.exists():
            return {}
        found = {}
        for row in _rows(self.path):
            if row.pop("setting") == self.setting:
                found[row["id"]] = PuzzleProof(**row)
        return found

    def add(self, proof: PuzzleProof) -> None:
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"setting": self.setting, **asdict(proof)}) + "\n")


def refuted(path: Path | None, known: Iterable[BookEntry] = ()) -> frozenset[str]:
    """The puzzles that did not hold, or to which the engine preferred another move, or whose answer
    was less far ahead than its theme promises, at whatever number of visits; what playouts
    think is not asked. Of a puzzle that is not among the `known` ones, no other move may be as
    good."""
    if path is None or not path.exists():
        return frozenset()
    judged = (row for row in _rows(path) if f" {PLAYOUTS} " not in row["setting"])
    gaps = {entry.id: promised_gap(entry.theme) for entry in known}
    return frozenset(r["id"] for r in judged if not _is_sound(r, gaps.get(r["id"], SURE_GAP)))


def _is_sound(row: dict[str, Any], gap: float) -> bool:
    lead = row.get("lead")
    return bool(row["holds"] and row["agrees"] and (lead is None or lead >= gap))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines; one that was cut off is as if it were not."""
    for line in path.read_text("utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def engine_setting(how: ProofSetting, seats: int) -> str:
    """What a proof for so many seats depends on: the engine, the network, and how far it looks."""
    network = PLAYOUTS if how.playouts else network_fingerprint(seats)
    return f"{engine_name()} {network} {how.visits}{' early' if how.early else ''}"


def drawn_from_themes(entries: Sequence[BookEntry], count: int, seed: int) -> list[BookEntry]:
    """That many puzzles, as evenly from the themes as there are puzzles. What is drawn stays drawn
    when puzzles are added or taken out."""
    by_theme: dict[str, list[BookEntry]] = {}
    for entry in sorted(entries, key=lambda e: sha256(f"{seed} {e.id}".encode()).digest()):
        by_theme.setdefault(entry.theme.value, []).append(entry)
    drawn: list[BookEntry] = []
    while len(drawn) < min(count, len(entries)):
        drawn += [by_theme[theme].pop(0) for theme in sorted(by_theme) if by_theme[theme]]
    return drawn[:count]
