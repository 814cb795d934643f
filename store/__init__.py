"""Memories: how they are stored, found and changed. Contains no terminal code."""
