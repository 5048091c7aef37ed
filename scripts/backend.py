"""The package's build: setuptools, with the web table built first, so that `pip install .` gives a
server with its page. The source distribution holds the built page too, so a wheel can be made of it
without Node. An editable install leaves the page to `make web`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (  # noqa: F401  (hooks that pip calls by name)
    build_editable,
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

sys.path.insert(0, str(Path(__file__).parent))
import build_web


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_node()]


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    return [*build_meta.get_requires_for_build_sdist(config_settings), *_node()]


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None
) -> str:
    _build_page()
    return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    _build_page()
    return str(build_meta.build_sdist(sdist_directory, config_settings))


def _node() -> list[str]:
    """The package with Node in it, where the page has to be built and the machine has none."""
    return [] if build_web.is_current() or build_web.has_node() else [build_web.NODE_WHEEL]


def _build_page() -> None:
    if not build_web.is_current():
        build_web.build()
