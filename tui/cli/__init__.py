"""The command line: arguments in, one answer out, an exit code that means something."""
