"""The package's build: setuptools, with the web table built first, so that `pip install .` gives a
server with its page. An editable install leaves the page to `make web`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (  # noqa: F401  (hooks that pip calls by name)
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

sys.path.insert(0, str(Path(__file__).parent))
import build_web


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    needs = list(build_meta.get_requires_for_build_wheel(config_settings))
    return needs if build_web.has_node() else [*needs, build_web.NODE_WHEEL]


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None
) -> str:
    build_web.build()
    return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))
