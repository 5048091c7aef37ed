"""PostgreSQL's own programs: pg_dump, pg_restore, psql. A password goes to them in the environment,
where other users of the machine cannot read it."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy.engine import URL

from cabochon.server.admin.faults import AdminFault, AdminRefused
from cabochon.server.storage.schema import PARTITIONS, metadata

_PLAIN = ("--no-owner", "--no-privileges")


async def dump(url: URL, target: Path) -> None:
    """All our tables as of one moment, in PostgreSQL's archive format. Raises AdminRefused."""
    unfinished = target.with_name(target.name + ".part")
    try:
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    except OSError as error:
        what = error.strerror or str(error)
        raise AdminRefused(AdminFault.FILE_TROUBLE, path=str(target), what=what) from None
    try:
        options = ["--format=custom", *_PLAIN, f"--file={unfinished}"]
        await _run("pg_dump", [*options, *(f"--table={name}" for name in tables())], url)
        await _run("pg_restore", ["--list", str(unfinished)])
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


async def revision(source: Path) -> str | None:
    """Which schema an archive has; None when it is not of our tables. Raises AdminRefused."""
    try:
        said = await _run(
            "pg_restore", ["--data-only", "--table=alembic_version", "--file=-", str(source)]
        )
    except AdminRefused as refusal:
        if refusal.code is AdminFault.PROGRAM_FAILED:
            what = str(refusal.params["what"])
            raise AdminRefused(AdminFault.NOT_A_BACKUP, path=str(source), what=what) from None
        raise
    lines = said.splitlines()
    for index, line in enumerate(lines):
        if line.startswith("COPY ") and index + 1 < len(lines):
            return lines[index + 1].strip()
    return None


async def put_back(url: URL, source: Path, replaced: Sequence[str]) -> None:
    """The archive instead of those tables, in one transaction. Raises AdminRefused."""
    with tempfile.TemporaryDirectory(prefix="cabochon-") as folder:
        script = Path(folder) / "restore.sql"
        await _run("pg_restore", [*_PLAIN, f"--file={script}", str(source)])
        dropped = f"DROP TABLE IF EXISTS {', '.join(replaced)} CASCADE"
        options = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        where = ["--output=/dev/null", f"--command={dropped}", f"--file={script}"]
        await _run("psql", [*options, *where], url)


def tables() -> list[str]:
    """Everything we keep, as patterns of pg_dump; what an older schema lacks is not missed."""
    return [*metadata.tables, *PARTITIONS, "alembic_version"]


async def _run(program: str, arguments: Sequence[str], url: URL | None = None) -> str:
    """What the program says. Raises AdminRefused with its last complaint."""
    path = shutil.which(program)
    if path is None:
        raise AdminRefused(AdminFault.NO_PROGRAM, program=program)
    environment = dict(os.environ)
    command = [path, *arguments]
    if url is not None:
        plain = url.set(drivername="postgresql", password=None)
        command.append(f"--dbname={plain.render_as_string(hide_password=False)}")
        if url.password is not None:
            environment["PGPASSWORD"] = str(url.password)
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
    )
    said, complaints = await process.communicate()
    if process.returncode:
        lines = complaints.decode("utf-8", "replace").strip().splitlines() or ["-"]
        raise AdminRefused(AdminFault.PROGRAM_FAILED, program=program, what=lines[0][:200])
    return said.decode("utf-8", "replace")
