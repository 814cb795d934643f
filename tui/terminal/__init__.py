"""The terminal and the programs around it: streams, signals, editor, clipboard."""
