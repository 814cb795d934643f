"""Queries as SQL: a tree becomes a condition, and what was typed becomes its values."""
