"""SQLite files of others, read without a trace: see `README.md`."""

from store.files.sqlite.database import Database, Row, Scalar
from store.files.sqlite.opening import open_database
from store.files.sqlite.stamp import database_stamp

__all__ = ["Database", "Row", "Scalar", "database_stamp", "open_database"]
