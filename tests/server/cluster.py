"""A private PostgreSQL, also for root: PostgreSQL does not run as root, so then it is `nobody`."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

QUICK = ("fsync=off", "full_page_writes=off")
"""For who kills processes but never pulls the plug: what the system was given, it keeps."""


class NoPostgres(Exception):
    """There is no PostgreSQL server on this machine."""


def _bin() -> Path:
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    if found is None:
        raise NoPostgres
    return Path(found).resolve().parent


@dataclass(frozen=True)
class Backup:
    """A copy of a cluster's files and the log since: everything up to a moment can be had back."""

    base: Path
    archive: Path
    until: str
    """In PostgreSQL's words: 2026-11-18 04:00:00.123456+00"""

    def lay_down(self, data: Path) -> None:
        """The files of a cluster that will play the log up to that moment and go on from there."""
        shutil.copytree(self.base, data)
        settings = (
            f"restore_command = 'cp {self.archive}/%f %p'",
            f"recovery_target_time = '{self.until}'",
            "recovery_target_action = 'promote'",
        )
        with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
            file.write("".join(f"{setting}\n" for setting in settings))
        (data / "recovery.signal").touch()
        owner = data.parent.stat()
        for path in (data, *data.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid)


class Cluster:
    """Lives in a folder of its own, listens on a free port of this machine only."""

    def __init__(self, *settings: str, of: Backup | None = None) -> None:
        """`settings` are PostgreSQL's own, such as `wal_level=replica`; `of` is what it is
        restored from, instead of a new one."""
        self._settings = settings
        self._bin = _bin()
        self._folder = Path(tempfile.mkdtemp(prefix="cabochon-pg-"))
        self._as: list[str] = []
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
            ids = [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}"]
            self._as = ["setpriv", *ids, "--clear-groups", "--"]
        self._numbers = itertools.count(1)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        if of is None:
            self._run("initdb", "-U", "cabochon", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        else:
            of.lay_down(self._folder / "data")
        self.start()

    def start(self) -> None:
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 "
            f"-c unix_socket_directories={self._folder} -c shared_buffers=32MB"
        ) + "".join(f" -c {setting}" for setting in self._settings)
        self._run("pg_ctl", "-w", "-l", str(self._folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        """As hard as it gets, short of pulling the plug."""
        self._run("pg_ctl", "-m", "immediate", "-w", "stop")

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def database(self, name: str) -> str:
        """The address of a new, empty database."""
        name = f"{name}_{next(self._numbers)}"  # a test that is tried again has another
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "cabochon", name)
        return f"postgresql://cabochon@127.0.0.1:{self.port}/{name}"

    def base_backup(self) -> Path:
        """A copy of all files, taken while the cluster runs; it's gone with the cluster."""
        target = self._folder / f"base{next(self._numbers)}"
        where = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "cabochon"]
        self._run("pg_basebackup", *where, "-D", str(target), "-c", "fast", "-X", "none")
        return target

    @property
    def pid(self) -> int:
        """Of the process that all others are children of."""
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def at(self, other: str) -> str:
        """The address here of a database that was made in another cluster."""
        return f"postgresql://cabochon@127.0.0.1:{self.port}/{other.rpartition('/')[2]}"

    def _run(self, program: str, *arguments: str) -> None:
        own = ["-D", str(self._folder / "data")] if program in ("initdb", "pg_ctl") else []
        command = [*self._as, str(self._bin / program), *own, *arguments]
        done = subprocess.run(
            command,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr}")
