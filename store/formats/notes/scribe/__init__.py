"""What changes write into a folder of notes, byte for byte; nothing here writes it."""
