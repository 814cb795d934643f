"""The room of episodes: a calendar over a log that is shown by its days."""
