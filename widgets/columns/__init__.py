"""Records as rows of columns: which columns fit a pane, and what stands in them."""
