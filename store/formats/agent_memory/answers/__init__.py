"""One module a question, or a few that are alike: what the rows of its answer say."""
