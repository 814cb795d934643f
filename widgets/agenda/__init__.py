"""A log by its days: entries of several lines, the days and the gaps between them."""
