"""Where the words of a query stand in a text, and the stretch that shows them best."""

from store.search.spans.snippets import excerpt, snippet
from store.search.spans.standing import spans, spans_of_pattern

__all__ = ["excerpt", "snippet", "spans", "spans_of_pattern"]
