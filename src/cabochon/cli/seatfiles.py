"""The seats this user holds at servers' tables: the keys that play them and the shares that were
promised for the deal, in one small file a table that only the user can read."""

from __future__ import annotations

import json
import os
import re
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path

from cabochon.cli.files import games_folder
from cabochon.cli.terminal import Terminal
from cabochon.rules.dealer import new_share, share_hash

KEY_PREFIX = "cab_s_"


@dataclass(frozen=True, slots=True)
class HeldSeat:
    """What plays here; `shares` are by their hash."""

    keys: tuple[str, ...] = ()
    shares: dict[str, str] = field(default_factory=dict)


class SeatFile:
    """One table's file. A folder that can't be written to only means that nothing is kept."""

    def __init__(self, base: str, table: str, terminal: Terminal) -> None:
        host = re.sub(r"[^A-Za-z0-9.-]+", "_", base.partition("//")[2])
        self._path = games_folder(terminal).parent / "seats" / f"{host}_{table}.json"
        self.held = _read(self._path)

    def keep(self, *keys: str) -> None:
        """These keys play here."""
        self._write(replace(self.held, keys=tuple(dict.fromkeys((*self.held.keys, *keys)))))

    def new_key(self) -> str:
        """A key of our own, kept before anybody is asked: a lost answer loses no seat."""
        key = KEY_PREFIX + secrets.token_urlsafe(32)
        self.keep(key)
        return key

    def forget(self) -> None:
        """Nothing is held here after all."""
        self.held = HeldSeat()
        self._path.unlink(missing_ok=True)

    def pledge(self) -> str:
        """A new share of the deal, kept; its hash may be told."""
        share = new_share()
        promised = share_hash(share)
        self._write(replace(self.held, shares={**self.held.shares, promised: share}))
        return promised

    def _write(self, held: HeldSeat) -> None:
        self.held = held
        text = json.dumps({"keys": held.keys, "shares": held.shares})
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft = self._path.with_suffix(".new")
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as f:
                f.write(text)
            draft.replace(self._path)
        except OSError:
            return


def _read(path: Path) -> HeldSeat:
    try:
        said = json.loads(path.read_text("utf-8"))
        return HeldSeat(tuple(map(str, said["keys"])), dict(said["shares"]))
    except (OSError, ValueError, KeyError, TypeError):
        return HeldSeat()
