"""The index: a SQLite database built from the files; it can be deleted at any time."""
