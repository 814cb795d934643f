"""What is kept of every change: the journal, the bytes, and how long they stay."""
