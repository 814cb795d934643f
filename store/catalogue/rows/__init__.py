"""Findings of one source as rows; each kind of record has a module."""
