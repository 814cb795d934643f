"""What changes write into a graph, byte for byte; nothing here writes it."""
