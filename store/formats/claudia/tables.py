"""The tables that are known, and what a database of any age has of them."""

from collections.abc import Iterator, Mapping, Sequence

from store.files.sqlite import Database, Scalar

MIGRATIONS = "_migrations"
FILES = "memory_file_states"
ENTRIES = "memory_transcript_entries"
CONVERSATIONS = "memory_conversations"
DOCUMENTS = "memory_documents"
MACHINES = "memory_state_machines"
FILE_LOCKS = "memory_file_locks"
SINGLE_LOCKS = "memory_extension_locks"
PROCESS_LOCKS = "extension_process_locks"
RUNTIME_LOCKS = "extension_runtime_locks"
SEARCH = "memory_search_fts_content"
"""Where the full-text search keeps its own copy of what can be found."""
SEARCH_COLUMNS = ("c0", "c1", "c2", "c3", "c4", "c5")
"""Text, kind, identifier, folder, time and category of a thing that can be found."""
SECTIONS = "sections"

REQUIRED = (FILES, ENTRIES, CONVERSATIONS)
"""What every level has."""

NUMBER = "rowid"
"""The column that every row has; for most tables it is `id` as well."""

Record = Mapping[str, Scalar]


def records(
    database: Database, table: str, columns: Sequence[str] = (), *, order: str = ""
) -> Iterator[Record]:
    """Rows by the names of their columns; nothing where there is no such table.

    Of `columns`, else of all, those are read that a database of this level has.
    Raises UnreadableError.
    """
    has = database.tables.get(table, ())
    wanted = [name for name in columns or has if name in has or name == NUMBER]
    if has and wanted:
        for row in database.rows(table, wanted, order=order):
            yield dict(zip(wanted, row, strict=True))


def has_column(database: Database, table: str, column: str) -> bool:
    """Whether a table of this level has a column."""
    return column in database.tables.get(table, ())
