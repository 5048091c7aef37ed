"""Colours of a terminal. Every colour says again what a letter says already."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.rules import Gem

_CHIPS = {
    Gem.WHITE: "30;107",
    Gem.BLUE: "97;44",
    Gem.GREEN: "30;42",
    Gem.RED: "97;41",
    Gem.BLACK: "97;100",
    Gem.GOLD: "30;103",
}


@dataclass(frozen=True, slots=True)
class Paint:
    """Paints, or leaves everything as it is."""

    on: bool = False

    def chip(self, text: str, gem: Gem) -> str:
        """In the gem's colour: both its ink and its ground are set, so any terminal's own
        colours do."""
        return self._dressed(text, _CHIPS[gem])

    def strong(self, text: str) -> str:
        return self._dressed(text, "1")

    def faint(self, text: str) -> str:
        return self._dressed(text, "2")

    def good(self, text: str) -> str:
        return self._dressed(text, "1;32")

    def alarm(self, text: str) -> str:
        return self._dressed(text, "1;31")

    def _dressed(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


PLAIN = Paint()
