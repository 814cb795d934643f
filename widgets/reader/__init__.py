"""Pages to be read: Markdown as lines, raw bytes, what is known beside the text."""
