"""What links a memory to others, drawn around it."""
