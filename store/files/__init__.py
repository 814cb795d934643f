"""File access beneath a root: tolerant reads and byte-exact edits."""
