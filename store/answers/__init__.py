"""What the library answers, part by part; `store.library` is the only door to it."""
