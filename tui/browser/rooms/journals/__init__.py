"""The room of journals: figures, events, agents, and what they come to by day."""
