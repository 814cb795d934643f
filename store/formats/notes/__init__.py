"""Markdown notes: one file per memory, and a MEMORY.md that lists them."""
