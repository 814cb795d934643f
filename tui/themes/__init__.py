"""Which colours the terminal gets, and whether it gets any."""
