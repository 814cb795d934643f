"""Conversations along their time: blocks as long as they took, quiet between."""
