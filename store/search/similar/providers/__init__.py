"""Who turns text into a vector. The network is touched here and nowhere else.

It is touched only where the settings switch a provider on.
"""

from collections.abc import Mapping

from store.search.similar.providers.answer import NoAnswerError
from store.settings.record import Provider, Semantic

__all__ = ["NoAnswerError", "vector_of"]


def vector_of(
    text: str, semantic: Semantic, environment: Mapping[str, str]
) -> list[float]:
    """The vector of a text; raises NoAnswerError, whose message says why there is none.

    `environment` holds the key where the provider wants one.
    """
    match semantic.provider:
        case Provider.OFF:
            raise NoAnswerError("Search by meaning is switched off in the settings.")
        case Provider.OLLAMA:
            from store.search.similar.providers import ollama  # noqa: PLC0415  # loads sockets

            return ollama.vector_of(text, semantic)
        case Provider.OPENAI:
            from store.search.similar.providers import openai  # noqa: PLC0415  # loads sockets

            return openai.vector_of(text, semantic, environment)
