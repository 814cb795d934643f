"""What a query finds: its rows in order, its counts, its best hits."""
