"""Changes on the command line: which records, what is asked first, what is said."""
