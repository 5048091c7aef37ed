"""Self-play as Parquet files: whole games, and on request one row per decision.

    write_dataset(Job(Ruleset(2), ("biased",), seed=7, games=1000), "games.parquet")
    for game in read_games("games.parquet"):
        game.record.final()

The columns are in `parquet.py` and `docs/environments.md`. The extra `data` brings pyarrow.
"""

from cabochon.dataset.gameblocks import FAST_BOTS, DatasetError, DatasetFault, Job
from cabochon.dataset.observing import SeenDecisions, observations_of
from cabochon.dataset.parquet import StoredGame, check_games, read_games, write_dataset
from cabochon.dataset.published import publish

__all__ = [
    "FAST_BOTS",
    "DatasetError",
    "DatasetFault",
    "Job",
    "SeenDecisions",
    "StoredGame",
    "check_games",
    "observations_of",
    "publish",
    "read_games",
    "write_dataset",
]
