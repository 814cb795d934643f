"""The index of words: which rows hold them, kept by SQLite beside the rows."""
