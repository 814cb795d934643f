"""The meaning of each line of a Claude Code transcript; no file access."""
