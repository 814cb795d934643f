"""Checks over a whole store, one idea a file, each yielding problems."""
