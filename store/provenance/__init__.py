"""Who wrote the text of a file: agents, edits made here, commits."""
