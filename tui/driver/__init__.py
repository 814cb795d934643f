"""Terminal output: only the cells that changed are sent."""
