"""Where compiled code is kept, and the one decorator that puts it there.

Numba's own cache notices neither a changed callee in another file nor a changed table, so the
directory is named by a hash of everything the machine code depends on: sources, card data,
versions, the CPU's features and the bounds-check switch.  A stale entry can then never be found.

Two directories: one for the kernel, one for what stands on it (search, ...), so that work on
the upper storeys does not compile the kernel again.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import llvmlite.binding
import numba
import numpy as np

PACKAGE = Path(__file__).resolve().parent.parent
KERNEL = PACKAGE / "kernel"
CARD_DATA = PACKAGE / "rules" / "data"
LAW = tuple(PACKAGE / "rules" / f"{name}.py" for name in ("cards", "gems", "ruleset"))
"""Where the law's numbers and cards are: compiled code holds copies of them."""

PLAIN_MODULES = frozenset(
    ("__init__", "batch", "build", "checked", "describe", "errors", "packing")
)
"""Kernel modules that compile nothing and that no compiled module imports (a test looks)."""

SLOW_PDEP = frozenset(("bdver4", "znver1", "znver2"))

_CONFIG: Any = numba.config
_REORDERING = {"contract", "reassoc", "nsz", "arcp"}
"""What LLVM may assume of floats; not that there are no infinities or NaNs."""
Function = TypeVar("Function", bound=Callable[..., Any])


def _start_numba() -> None:
    """Load Numba's array functions without SciPy.

    It imports SciPy as it starts, only to see whether matrices could be multiplied, and that costs
    a third of a second; to look for the package answers the same. Code that multiplies matrices
    still gets SciPy then.
    """
    from numba.np import linalg

    module: Any = linalg
    ask = module.ensure_blas
    module.ensure_blas = _ask_for_scipy
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        module.ensure_blas = ask


def _ask_for_scipy() -> None:
    if find_spec("scipy") is None:
        raise ImportError("scipy")


_start_numba()


@cache
def has_bmi2() -> bool:
    """Whether pdep may be emitted; ``CABOCHON_PORTABLE=1`` answers no on any machine.

    Numba's own choice of a target counts, not only the host: an instruction that is absent
    aborts the process.  On CPUs that have pdep only as slow microcode the portable path is faster.
    """
    if os.environ.get("CABOCHON_PORTABLE", "") not in ("", "0"):
        return False
    if _CONFIG.CPU_FEATURES is not None:
        return "+bmi2" in str(_CONFIG.CPU_FEATURES)
    if _CONFIG.CPU_NAME is not None:
        return False
    if llvmlite.binding.get_host_cpu_name() in SLOW_PDEP:
        return False
    return bool(llvmlite.binding.get_host_cpu_features().get("bmi2", False))


def compiled(function: Function) -> Function:
    """Compile ``function`` by Numba on its first call and keep the result on disk.

    Releases the GIL; never checks indexes (unless ``NUMBA_BOUNDSCHECK=1``) nor divisors.  What
    takes a record is for compiled code alone.
    """
    return _without_wrapper(function) if _is_inner(function) else kept(function)


def inlined(function: Function) -> Function:
    """As ``compiled``, put into its callers: for the few functions that every decision runs.

    Only compiled code may call it.
    """
    return _without_wrapper(function, forceinline=True)


def _is_inner(function: Callable[..., Any]) -> bool:
    """Python has arrays of records, and calls by their index (`entrypoints`)."""
    return "StateRow" in function.__annotations__.values()


def _without_wrapper(function: Function, **options: Any) -> Function:
    """The wrapper for Python would be half of what a small function costs to compile, and without
    one a call from Python would end the process, so that is refused."""
    jit: Any = kept(function, no_cpython_wrapper=True, **options)

    def refuse(*args: object, **names: object) -> None:
        raise TypeError(f"{function.__name__} is for compiled code; Python cannot call it")

    jit._insert = lambda *args, **names: None  # what Python could call directly
    jit._compile_for_args = refuse
    return cast(Function, jit)


def compiled_sums(function: Function) -> Function:
    """As ``compiled``, with leave to reorder sums and fuse: for the arithmetic of networks.

    The order of a sum then depends on the machine's vector width, so the last digits of an
    evaluation do too; on one machine it is always the same.
    """
    return kept(function, fastmath=_REORDERING)


def kept(function: Function, **options: Any) -> Function:
    """Compile it with further options of Numba, and keep the result on disk."""
    place = cache_directory("kernel" if _is_kernel(function) else "upper")
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(place or "")
    try:
        keep = place is not None
        # Nobody hands these functions on as values, which is what the left-out wrapper is for.
        options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        jit: Any = numba.njit(cache=keep, **options)
        return cast(Function, jit(function))
    finally:
        _CONFIG.CACHE_DIR = before


def _is_kernel(function: Callable[..., Any]) -> bool:
    return function.__module__.startswith("cabochon.kernel")


@cache
def cache_directory(part: str) -> Path | None:
    """The directory for ``part`` ("kernel" or "upper"), made if need be; None: no place is ours."""
    for root in _roots():
        place = root / f"{part}-{fingerprint(part)}"
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            continue
        if os.access(place, os.W_OK) and _is_ours(place):
            os.utime(place)  # the time of its last use, for build.prune
            return place
    return None


def _roots() -> list[Path]:
    """Candidate parents, the best first.  The cache holds code: a shared one is named by user."""
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    chosen = os.environ.get("CABOCHON_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    homes = [Path(chosen)] if chosen else []
    homes.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cabochon")
    homes.append(Path(tempfile.gettempdir()) / f"cabochon-{user}")
    return homes


def _is_ours(place: Path) -> bool:
    return not hasattr(os, "getuid") or place.stat().st_uid == os.getuid()


@cache
def fingerprint(part: str) -> str:
    """Sixteen hex digits that change whenever the machine code of ``part`` could."""
    digest = hashlib.sha256()
    for fact in _versions():
        digest.update(fact.encode() + b"\0")
    sources = _kernel_sources() if part == "kernel" else _kernel_sources() + _upper_sources()
    for path in sources:
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _versions() -> list[str]:
    return [
        f"python {sys.version_info[:3]}",
        f"numba {numba.__version__} llvmlite {llvmlite.__version__} numpy {np.__version__}",
        f"cpu {_CONFIG.CPU_NAME} {_CONFIG.CPU_FEATURES}",
        f"host {llvmlite.binding.get_host_cpu_name()}",
        f"bmi2 {has_bmi2()} boundscheck {bool(_CONFIG.BOUNDSCHECK)}",
    ]


def _kernel_sources() -> list[Path]:
    """The modules that compiled code is made of, the law's numbers and the card data."""
    modules = [path for path in KERNEL.glob("*.py") if path.stem not in PLAIN_MODULES]
    return sorted([*modules, *LAW, *CARD_DATA.glob("*.csv")])


def _upper_sources() -> list[Path]:
    """Every module outside the kernel that compiles something, and those whose constants and
    named tuples it imports from its own package."""
    texts = {p: p.read_bytes() for p in PACKAGE.rglob("*.py") if p.parent != KERNEL}
    found: set[Path] = set()
    waiting = [path for path, text in texts.items() if b"@compiled" in text]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [near for near in _imported(path, texts[path]) if near in texts]
    return sorted(found)


def _imported(path: Path, text: bytes) -> list[Path]:
    """The modules that ``path`` imports from the package it is in."""
    package = f"cabochon.{path.parent.name}"
    names = re.findall(rf"^from {package}\.(\w+) import".encode(), text, re.M)
    for line in re.findall(rf"^from {package} import (.*)$".encode(), text, re.M):
        names += [name.strip() for name in line.split(b",")]
    return [path.with_name(f"{name.decode()}.py") for name in names]
