"""Cognitive memory: a graph of Markdown files with typed edges, logs and decay."""
