"""Parse, match and rank queries; no file access and no SQL."""
