"""Why something can't be done, as the host is told."""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules import CabochonError


class AdminFault(StrEnum):
    """One code per reason; the sentences are in the catalogue of words."""

    NO_DATABASE = "admin-no-database"
    BAD_DATABASE = "admin-bad-database"
    NO_DRIVER = "admin-no-driver"
    OTHER_SCHEMA = "admin-other-schema"
    NO_SUCH_TOKEN = "admin-no-such-token"
    NO_SUCH_PERSON = "admin-no-such-person"
    SEVERAL_PEOPLE = "admin-several-people"
    NO_SUCH_BAN = "admin-no-such-ban"
    NO_SUCH_REPORT = "admin-no-such-report"
    BAD_WHO = "admin-bad-who"
    BAD_NAME = "admin-bad-name"
    NOT_FINISHED = "admin-not-finished"
    FILE_THERE = "admin-file-there"
    SAME_FILE = "admin-same-file"
    NOT_A_BACKUP = "admin-not-a-backup"
    NEWER_BACKUP = "admin-newer-backup"
    NOT_EMPTY = "admin-not-empty"
    SERVER_RUNS = "admin-server-runs"
    NO_PROGRAM = "admin-no-program"
    PROGRAM_FAILED = "admin-program-failed"
    FILE_TROUBLE = "admin-file-trouble"


class AdminRefused(CabochonError):
    """It was not done, and nothing has changed; `code` is an `AdminFault`."""
