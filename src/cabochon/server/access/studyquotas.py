"""How many studies are kept: for one person, one address and one network, and for everybody."""

from __future__ import annotations

from cabochon.server import metrics
from cabochon.server.access.quotas import NETWORK_TIMES
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.settings import Settings
from cabochon.server.storage.studies import StudyCounts


def check_room_for_study(counts: StudyCounts, settings: Settings) -> None:
    """Raises ServerRefused when one more would be too many."""
    most = settings.most_studies_per_address
    limits = (
        (counts.address, most),
        (counts.network, most * NETWORK_TIMES),
        (counts.person, most),
    )
    for count, limit in limits:
        if count >= limit:
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.TOO_MANY_STUDIES, count=count)
    if counts.everybody >= settings.most_studies:
        metrics.LIMITED.inc()
        raise ServerRefused(ServerFault.STUDIES_FULL)
