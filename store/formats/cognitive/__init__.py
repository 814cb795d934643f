"""Cognitive memory: a graph of markdown files with typed edges, episodes and decay."""

from store.formats.cognitive.format import CognitiveFormat

__all__ = ["FORMAT", "CognitiveFormat"]

FORMAT = CognitiveFormat()
