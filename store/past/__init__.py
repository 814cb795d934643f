"""Stores as they were at a time, read only: from git, from calls, from dates."""
