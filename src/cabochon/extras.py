"""Parts of the package that need more than the base install, and what to say without it."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from types import ModuleType

from cabochon.rules.errors import CabochonError


class ExtraFault(StrEnum):
    MISSING = "extra-missing"


class ExtraMissing(CabochonError, ImportError):
    """A package that an extra brings is not installed; `code` is an `ExtraFault`."""


def needed(package: str, extra: str, what: str) -> ModuleType:
    """The package. Raises ExtraMissing, which names the extra in one sentence."""
    try:
        return import_module(package)
    except ImportError as error:
        root = package.partition(".")[0]
        raise ExtraMissing(ExtraFault.MISSING, what=what, package=root, extra=extra) from error
