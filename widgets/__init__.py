"""Widgets that show records and report what the user wants; no files, no library."""
