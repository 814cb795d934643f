"""OpenAI, and whoever speaks its language: asked with the user's own key."""

from collections.abc import Mapping

from store.search.similar.providers.answer import NoAnswerError, as_vector, at
from store.search.similar.providers.exchange import Request, answered
from store.settings.address import keeps_secrets, split
from store.settings.record import Semantic


def vector_of(
    text: str, semantic: Semantic, environment: Mapping[str, str]
) -> list[float]:
    """The vector of a text; raises NoAnswerError."""
    parts = split(semantic.address)
    if not parts or not keeps_secrets(parts):
        raise NoAnswerError(
            f"{semantic.address} is no https address, so no key is sent there."
        )
    refused = f"refused the key that {semantic.key_variable} holds"
    request = Request(
        provider="OpenAI",
        address=f"{semantic.address}/embeddings",
        body={"model": semantic.model, "input": text},
        seconds=semantic.seconds,
        refusals={
            401: refused,
            403: refused,
            404: f"has no model {semantic.model!r}",
        },
        key=_key(semantic.key_variable, environment),
    )
    return as_vector(at(answered(request), "data", 0, "embedding"), request.name)


def _key(variable: str, environment: Mapping[str, str]) -> str:
    """The user's key, fit to be sent; no error quotes it."""
    key = environment.get(variable, "").strip()
    if not key:
        raise NoAnswerError(
            f"{variable or 'No variable'} holds no key for search by meaning."
        )
    if not key.isascii() or not key.isprintable():
        raise NoAnswerError(f"What {variable} holds is no key that could be sent.")
    return key
