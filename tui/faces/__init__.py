"""How an answer looks: JSON for programs, lines for pipes, tables for people."""
