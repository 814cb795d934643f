"""The child that reads the stores and goes on watching them, and what it tells."""
