"""What each number shows: its list, and what stands above and around it."""
