"""By which rating somebody is paired."""

from __future__ import annotations

from cabochon.ratings import first_strength, kind_of
from cabochon.rules import Ruleset
from cabochon.server.people.pooldesk import RatingOf
from cabochon.server.storage.gamereads import standing
from cabochon.server.storage.sqlstore import SqlStore


def rating_in(store: SqlStore) -> RatingOf:
    """Looked up in that database."""

    async def rating_of(person_id: str, ruleset: Ruleset) -> float:
        kind = kind_of(ruleset)
        strengths, _ = await standing(store.engine, person_id)
        return strengths.get(kind.value, first_strength(kind)).value

    return rating_of
