"""Output formats: JSON for programs, lines for pipes, tables for people."""
