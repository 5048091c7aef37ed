"""Everything can be imported into one process: no two parts claim the same code of an error."""

from __future__ import annotations

import importlib
import pkgutil

import cabochon

ASIDE = ("cabochon.__main__", "cabochon.server.storage.migrations")


def test_every_module_can_be_imported_beside_every_other() -> None:
    names = [module.name for module in pkgutil.walk_packages(cabochon.__path__, "cabochon.")]
    assert len(names) > 100
    for name in names:
        if not name.startswith(ASIDE):
            importlib.import_module(name)
