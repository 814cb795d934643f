"""The derived SQLite: what was read from all stores, deletable at any moment.

All SQL of the program lives in this room, so that a second catalogue (for a team,
on another database) would be a folder beside it and not a rewrite.
"""
