"""What lies in the stores and is not read yet, looked through raw while a sync runs."""
