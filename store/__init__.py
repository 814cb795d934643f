"""What a memory is, where it is kept, and how it is found: no terminal in here."""
