"""Bars of one row: tabs, titles, status, the keys that help."""
