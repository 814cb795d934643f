"""One module a command: what it asks of the library and what it prints."""
