"""Keys: their names, which command each means where, chords, and the user's own."""
