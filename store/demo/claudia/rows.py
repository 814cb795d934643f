"""How rows and their times are written."""

import sqlite3
from datetime import datetime


def put(connection: sqlite3.Connection, table: str, **values: object) -> None:
    """Add a row."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    connection.execute(
        f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values())
    )


def utc(moment: datetime) -> str:
    """An instant as SQLite's own clock writes it."""
    return f"{moment:%Y-%m-%d %H:%M:%S}"
