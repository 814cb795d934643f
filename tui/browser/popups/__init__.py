"""What opens over everything else, one at a time, to find something and choose it."""
