"""Wire the store to the terminal: commands, screens, and the program's one door."""
