"""The formats, strangers to one another, and the register that knows them all."""
