"""Conversations: put together from the messages of each transcript."""
