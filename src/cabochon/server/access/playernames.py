"""What somebody may be called: something that can be seen, and not taken for somebody else.

Look-alikes are found by Unicode's own rules (UTS #39): two names are the same to the eye when
their skeletons are, whatever letters they are made of. The data of the skeletons comes with the
package `confusable-homoglyphs`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from cabochon.bots import BOT_NAMES
from cabochon.bots.roster import titles
from cabochon.play.driver import TUTOR
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.talking import MOST_MARKS
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.words import in_all_languages

LONGEST_NAME = 30

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Default_Ignorable_Code_Point, which Unicode does not change any more."""
_BLANK = "\u2800"
"""A Braille pattern without a dot: the one blank that Unicode calls a symbol."""
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_JOINED = frozenset(("Lo", "So", "Sk", "Mn", "Mc"))
_JOINERS = "\u200c\u200d"
_STYLES = "\ufe0e\ufe0f"


@lru_cache(maxsize=4096)
def tidy(name: str) -> str:
    """The name in its usual form (NFC, single spaces). Raises ServerRefused when something in it
    cannot be seen or nothing can, or when it reads like a bot of this server."""
    name = unicodedata.normalize("NFC", name)
    name = "".join(" " if _is_space(character) else character for character in name)
    name = re.sub(" {2,}", " ", name).strip()
    if not 0 < len(name) <= LONGEST_NAME or not _can_be_seen(name):
        raise ServerRefused(ServerFault.UNSEEN_NAME)
    if looks(name) & _reserved():
        raise ServerRefused(ServerFault.BOT_S_NAME, name=name)
    return name


def check_apart(name: str, others: Iterable[str | None]) -> None:
    """Raises TableRefused when somebody at the table is called like that already; it says what
    would do."""
    taken = [other for other in others if other is not None]
    free = free_name(name, taken)
    if free != name:
        raise TableRefused(TableFault.NAME_TAKEN, name=name, free=free)


def free_name(name: str, others: Iterable[str | None]) -> str:
    """The name, with a number if it looks like one of the others."""
    taken = frozenset[str]().union(*(looks(other) for other in others if other is not None))
    number, free = 2, name
    while looks(free) & taken:
        free = f"{name[: LONGEST_NAME - 1 - len(str(number))].rstrip()} {number}"
        number += 1
    return free


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """What the name looks like, at a glance: names that share one of these are look-alikes.
    Capitals, spaces and punctuation do not tell people apart."""
    compatible = unicodedata.normalize("NFKC", name)
    both = skeleton(compatible).casefold(), skeleton(compatible.casefold())
    return frozenset(_letters(look) or look for look in both)


def skeleton(text: str) -> str:
    """UTS #39, section 4: the same for all texts that look the same."""
    bare = _IGNORABLE.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(_prototypes().get(c, c) for c in bare))


def _letters(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c)[0] not in "ZP" and c != _BLANK)


def _is_space(character: str) -> bool:
    return unicodedata.category(character) == "Zs" or character == _BLANK


def _can_be_seen(name: str) -> bool:
    marks = 0
    for at, character in enumerate(name):
        category = unicodedata.category(character)
        marks = marks + 1 if category == "Mn" and character not in _STYLES else 0
        hidden = category in _UNSEEN or _IGNORABLE.match(character) is not None
        if marks > MOST_MARKS or (hidden and not _belongs(name, at)):
            return False
    return any(unicodedata.category(c)[0] in "LNSP" and not _IGNORABLE.match(c) for c in name)


def _belongs(name: str, at: int) -> bool:
    """Whether a joiner joins letters that need it, or pictures; a style follows something."""
    before = unicodedata.category(name[at - 1]) if at else ""
    if name[at] in _STYLES:
        return before[:1] in ("S", "N", "P")
    after = unicodedata.category(name[at + 1]) if at + 1 < len(name) else ""
    return name[at] in _JOINERS and before in _JOINED and after in _JOINED


@cache
def _reserved() -> frozenset[str]:
    words = (*in_all_languages("server.bot").values(), TUTOR, *BOT_NAMES, *titles())
    return frozenset[str]().union(*(looks(w) | looks(w.upper()) for w in words))


@cache
def _prototypes() -> dict[str, str]:
    """For each character that looks like something else, what it looks like. The package has the
    pairs of confusables.txt in both directions: every prototype is the middle of a star."""
    from confusable_homoglyphs.confusables import confusables_data

    stars = {
        _unmarked(one): [_unmarked(other["c"]) for other in others]
        for one, others in confusables_data.items()
    }
    found = {}
    for one, others in stars.items():
        if len(one) == 1 and len(others) == 1:
            middle = others[0]
            if len(middle) > 1 or len(stars[middle]) > 1 or middle < one:
                found[one] = middle
    return {one: "".join(found.get(c, c) for c in middle) for one, middle in found.items()}


def _unmarked(text: str) -> str:
    """Without the marks that keep right-to-left letters in their place within the file."""
    return text.replace("\u200e", "")
