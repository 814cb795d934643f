"""Claude Code's transcripts: what was said and done in each session, line by line."""

from store.formats.transcripts.format import TranscriptsFormat

__all__ = ["FORMAT", "TranscriptsFormat"]

FORMAT = TranscriptsFormat()
