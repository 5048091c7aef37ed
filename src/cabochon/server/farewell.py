"""The last message of a connection that the server ends, so that people read a sentence and not a
number."""

from __future__ import annotations

import orjson

from cabochon.play.telling import VERSION
from cabochon.rules import CabochonError
from cabochon.server.problems import problem


def farewell(refusal: CabochonError) -> bytes:
    """The same as a hello that is refused is told: who gets it need not come back."""
    document = problem(refusal, "en")
    message = {"v": VERSION, "type": "refused", "seq": 0, "id": "hello", "problem": document}
    return orjson.dumps(message)
