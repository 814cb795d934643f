"""What the program remembers of its user: queries, and when they last looked."""
