"""Changes: an intent becomes a draft, a draft a plan, a plan a change with its undo."""
