"""A review at a terminal: one memory after the other, each decided by a letter."""
