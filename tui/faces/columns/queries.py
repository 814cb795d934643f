"""Columns of the queries that are kept."""

from tui.faces.columns.cells import field
from tui.faces.columns.column import Column

QUERIES = (Column("Saved as", field("name"), 20), Column("Query", field("query")))
