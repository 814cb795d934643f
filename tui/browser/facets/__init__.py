"""The facets: what a result is made of, and the query written by choosing among it."""
