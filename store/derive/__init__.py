"""Pure computations on parsed data: no files, no database, no clock."""
