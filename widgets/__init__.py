"""Show records and report intent; know no file, no SQL, no library."""
