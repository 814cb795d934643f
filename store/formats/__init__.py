"""The formats, independent of one another, and the register of all of them."""
