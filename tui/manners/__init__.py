"""Good manners towards the terminal: taking it over, giving it back, and its limits."""
