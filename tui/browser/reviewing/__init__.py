"""Going through memories one by one, with the keys that decide about each."""
