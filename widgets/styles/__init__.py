"""What things look like: named tones, and a palette of styles for every terminal."""
