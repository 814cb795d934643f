"""What scribes of markdown stores share: files changed in memory, moments, links."""
