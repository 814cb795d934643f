"""The tables of journals: which columns each section has, and what stands in them."""
