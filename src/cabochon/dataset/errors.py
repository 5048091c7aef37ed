"""What a data set can be refused for."""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules.errors import CabochonError


class DatasetFault(StrEnum):
    BOTS_COUNT = "dataset-bots-count"
    NOT_OURS = "dataset-not-ours"
    DIFFERS = "dataset-differs"
    OTHER_JOB = "dataset-other-job"


class DatasetError(CabochonError):
    """A job that cannot be played, or a file that is not what it should be; `code` is a
    `DatasetFault`."""
