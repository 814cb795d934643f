"""What a change would do, as something to be read before it is done."""
