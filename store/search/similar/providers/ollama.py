"""Ollama: models on the user's own machine, asked without a key."""

from store.search.similar.providers.answer import as_vector, at
from store.search.similar.providers.exchange import Request, answered
from store.settings.record import Semantic


def vector_of(text: str, semantic: Semantic) -> list[float]:
    """The vector of a text; raises NoAnswerError."""
    request = Request(
        provider="Ollama",
        address=f"{semantic.address}/api/embed",
        body={"model": semantic.model, "input": text},
        seconds=semantic.seconds,
        refusals={404: f"has no model {semantic.model!r}; `ollama pull` fetches it"},
    )
    return as_vector(at(answered(request), "embeddings", 0), request.name)
