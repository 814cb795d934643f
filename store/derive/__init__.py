"""Pure functions over what was read: no file, no database, no clock of their own."""
