"""Stores as of another date, read-only: from git, tool calls and dates."""
