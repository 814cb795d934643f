"""A folder of plain Markdown files as a store: one memory per file."""
