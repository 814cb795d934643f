"""The command line: parses arguments, prints the answer, sets the exit code."""
