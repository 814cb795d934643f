"""What was: who wrote a record, how it changed, what is new, how all was then."""
