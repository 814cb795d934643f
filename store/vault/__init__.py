"""Conversations saved before their agent deletes them; see README.md."""
