"""What people ask for, and what of it was meant: no files, no SQL."""
