"""Vectors made for memories by the configured provider, batch by batch."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from store.answers.stores import OpenStores
from store.catalogue.vectors import Text, VectorFile, texts
from store.context import tokens_of
from store.discover import Found
from store.errors import NotPossibleError
from store.records.answers import Embedded
from store.search.meaning import NoAnswerError, vectors_of
from store.settings import Provider, Semantic

AT_ONCE = 50
"""The most memories in one request."""

SECONDS = 300.0
"""The timeout of a request for so many."""


class Embeddings:
    """The vectors in the file beside the index, one for each memory's text."""

    def __init__(self, stores: OpenStores, semantic: Semantic) -> None:
        """Use a provider; raises NotPossibleError if none is configured."""
        if semantic.provider is Provider.OFF:
            raise NotPossibleError(
                "No provider is configured, so nothing can be sent. Set `provider` in "
                "[semantic] of the settings to ollama, openai or model2vec; see "
                "`recollect help settings`."
            )
        self._stores = stores
        self._semantic = replace(semantic, seconds=SECONDS)
        self._file = VectorFile(stores.path)

    def states(self, *, secrets: bool) -> Iterator[Embedded]:
        """What each store with memories has, and what is left to do.

        Memories that seem to contain a secret are left out unless `secrets`.
        """
        for found in self._stores.found:
            state, _ = self._state(found, secrets=secrets)
            if state.memories:
                yield state

    def embed(
        self, environment: Mapping[str, str], *, secrets: bool
    ) -> Iterator[Embedded]:
        """Make the missing vectors; yields the state of a store after each batch.

        Each batch is saved at once, so this can be killed and run again. Raises
        NoAnswerError if the provider fails.
        """
        for found in self._stores.found:
            state, keys = self._state(found, secrets=secrets)
            if not state.memories:
                continue
            for start in range(0, len(keys), AT_ONCE):
                batch = self._texts(found, keys[start : start + AT_ONCE])
                model = self._semantic.model
                known = self._file.take_known(found.path, model, batch)
                asked = [one for one in batch if one.key not in known]
                self._file.put(found.path, model, self._made(asked, environment))
                state = replace(
                    state,
                    vectors=state.vectors + len(batch),
                    missing=len(keys) - start - len(batch),
                )
                yield state
            if not keys:
                yield state
            self._forget(found)

    def _made(
        self, asked: list[Text], environment: Mapping[str, str]
    ) -> Iterator[tuple[Text, list[float]]]:
        if asked:
            said = [one.text for one in asked]
            made = vectors_of(said, self._semantic, environment)
            if len({len(vector) for vector in made}) > 1:
                raise NoAnswerError("The provider's vectors differ in length.")
            yield from zip(asked, made, strict=True)

    def _forget(self, found: Found) -> None:
        """Delete the vectors of former memories, and those by other models."""
        with self._stores.reader_of(found) as reader:
            keys = [one.key for one in texts(reader)]
        self._file.keep_only(found.path, self._semantic.model, keys)

    def _texts(self, found: Found, keys: list[str]) -> list[Text]:
        with self._stores.reader_of(found) as reader:
            return list(texts(reader, keys))

    def _state(self, found: Found, *, secrets: bool) -> tuple[Embedded, list[str]]:
        """What a store has, and the keys of the memories without a current vector."""
        known = self._file.digests(found.path, self._semantic.model)
        missing: list[str] = []
        memories = vectors = changed = left_out = characters = size = 0
        with self._stores.reader_of(found) as reader:
            for one in texts(reader):
                memories += 1
                if known.get(one.key) == one.digest:
                    vectors += 1
                elif one.is_secret and not secrets and self._sends:
                    left_out += 1
                else:
                    missing.append(one.key)
                    changed += one.key in known
                    characters += len(one.text)
                    size += len(one.text.encode(errors="replace"))
        state = Embedded(
            store=str(found.path),
            provider=self._semantic.provider,
            model=self._semantic.model,
            memories=memories,
            vectors=vectors,
            missing=len(missing),
            changed=changed,
            secret=left_out,
            characters=characters,
            tokens=tokens_of(size),
            file=str(self._file.path),
        )
        return state, missing

    @property
    def _sends(self) -> bool:
        return self._semantic.provider.is_remote
