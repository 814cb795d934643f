"""The language of queries: text to tree and back."""
