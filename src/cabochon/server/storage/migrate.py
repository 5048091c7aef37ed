"""Bringing a database to the schema of this version."""

from __future__ import annotations

from importlib import resources

from sqlalchemy import Connection, inspect, text

from cabochon.server.storage.schema import metadata

HEAD = "0012"
_VERSION_TABLE = text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
_VERSION_ROW = text("INSERT INTO alembic_version (version_num) VALUES (:head)")


class UnknownSchema(Exception):
    """The database has a schema that this version has never heard of: it is of a later one."""


def migrate(connection: Connection) -> None:
    """Apply what is missing. A new database is made as the schema says, and only an old one needs
    Alembic; a test holds the two ways against each other. Raises UnknownSchema."""
    revision = _revision(connection)
    if revision == HEAD:
        return
    if connection.dialect.name == "sqlite":
        # Python would commit each statement by itself: it is to be all of it or nothing.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        if _revision(connection) == HEAD:
            return
    if not inspect(connection).get_table_names():
        metadata.create_all(connection)
        connection.execute(_VERSION_TABLE)
        connection.execute(_VERSION_ROW, {"head": HEAD})
        return
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    home = resources.files("cabochon.server.storage").joinpath("migrations")
    config.set_main_option("script_location", str(home))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise UnknownSchema(revision)
    command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
