"""Where the text of a file comes from: calls of agents, changes from here, commits."""
