"""The browser's commands; keys, hints, help and palette are derived from one table."""
