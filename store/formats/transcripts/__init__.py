"""Claude Code's transcripts: one JSON Lines file per session."""
