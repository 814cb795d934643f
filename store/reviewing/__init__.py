"""Going through memories one by one: which are worth it, and which were seen to."""
