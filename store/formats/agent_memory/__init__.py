"""Agent Memory Server: three kinds of memory, one JSON object per line."""
