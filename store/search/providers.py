"""Embedding providers: OpenAI, Ollama (nothing else uses the network), a folder."""

import json
import mmap
import re
import ssl
import struct
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from socket import SHUT_RDWR, socket
from threading import Thread
from typing import Any, NamedTuple, cast
from urllib.parse import SplitResult

from store.files.json_read import DamagedJsonError, load
from store.search.meaning import LONGEST, WAITING, NoAnswerError, as_vector, at
from store.settings import Provider, Semantic, keeps_secrets, split


def vectors_of(
    texts: str | Sequence[str], semantic: Semantic, environment: Mapping[str, str]
) -> list[list[float]]:
    """The vectors of one text or of several; raises NoAnswerError."""
    if semantic.provider is Provider.OLLAMA:
        return vectors_of_ollama(texts, semantic)
    if semantic.provider is Provider.OPENAI:
        return vectors_of_openai(texts, semantic, environment)
    model = model_in(semantic.model)
    listed = [texts] if isinstance(texts, str) else texts
    return [model.vector(one) for one in listed]


# A single HTTP request with a deadline for the whole exchange.
#
# Redirects are not followed and proxies not used: the text is sent to the host in the
# settings, or not at all. Certificates are verified.

LIMIT = 1024 * 1024
"""The longest response to one text; a vector takes a thirtieth of it."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request and its destination."""

    provider: str
    address: str
    body: Mapping[str, str | Sequence[str]] = field(repr=False)
    seconds: float
    """The time limit for the whole response."""
    refusals: Mapping[int, str]
    """The meaning of status codes that can be explained better than by number."""
    key: str | None = field(default=None, repr=False)
    """The user's key, never shown in errors."""

    @property
    def limit(self) -> int:
        """The longest response that is read."""
        texts = self.body["input"]
        return LIMIT if isinstance(texts, str) else LIMIT * max(len(texts), 1)

    @property
    def parts(self) -> SplitResult:
        """The address in its parts; raises NoAnswerError."""
        parts = split(self.address)
        if parts is None:
            raise NoAnswerError(f"Invalid provider address {self.address!r}.")
        return parts

    @property
    def name(self) -> str:
        """The provider, as named in messages."""
        return f"{self.provider} at {self.parts.netloc}"


def answered(request: Request) -> object:
    """The JSON of the response; raises NoAnswerError."""
    status, raw = _Exchange(request).reply()
    if status in request.refusals:
        raise NoAnswerError(f"{request.name} {request.refusals[status]}.")
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        raise NoAnswerError(
            f"{request.name} redirects the request; redirects aren't followed."
        )
    if status != HTTPStatus.OK:
        raise NoAnswerError(f"{request.name} answered with error {status}.")
    if len(raw) > request.limit:
        raise NoAnswerError(f"{request.name} answered with too much data.")
    try:
        return load(raw)
    except DamagedJsonError:
        raise NoAnswerError(f"{request.name} answered with invalid JSON.") from None


class _Exchange:
    """A request that runs in a separate thread.

    Neither a DNS lookup nor a response that trickles in has a deadline otherwise.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._connection = _connection(request)
        self._socket: socket | None = None
        self._replies: SimpleQueue[tuple[int, bytes] | str] = SimpleQueue()

    def reply(self) -> tuple[int, bytes]:
        """The status and body of the response; raises NoAnswerError."""
        Thread(target=self._ask, name="asking a provider", daemon=True).start()
        WAITING.add(self._hang_up)
        try:
            reply = self._replies.get(timeout=self._request.seconds)
        except Empty:
            reply = self._too_late()
            self._wake()
        finally:
            WAITING.discard(self._hang_up)
        if isinstance(reply, str):
            raise NoAnswerError(f"{self._request.name} {reply}.")
        return reply

    def _ask(self) -> None:
        """Queue the response or the error for `reply`."""
        try:
            self._replies.put(self._exchange())
        except ssl.SSLCertVerificationError:
            self._replies.put("has an invalid certificate")
        except TimeoutError:
            self._replies.put(self._too_late())
        except OSError as error:
            why = error.strerror or "the connection was lost"
            self._replies.put(f"can't be reached: {why}")
        except (HTTPException, ValueError):
            self._replies.put("answered with invalid HTTP")
        finally:
            self._connection.close()

    def _exchange(self) -> tuple[int, bytes]:
        """Send the request and read the response; raises socket and HTTP errors."""
        request = self._request
        headers = {"Content-Type": "application/json"}
        if request.key is not None:
            headers["Authorization"] = f"Bearer {request.key}"
        self._connection.connect()
        self._socket = self._connection.sock
        body = json.dumps(request.body)
        self._connection.request("POST", request.parts.path, body, headers)
        with self._connection.getresponse() as response:
            return response.status, response.read(request.limit + 1)

    def _hang_up(self) -> None:
        self._replies.put("was no longer asked")
        self._wake()

    def _wake(self) -> None:
        """Interrupt whatever the thread is waiting for."""
        if self._socket is not None:
            with suppress(OSError):
                socket.shutdown(self._socket, SHUT_RDWR)

    def _too_late(self) -> str:
        return f"didn't answer within {self._request.seconds:g} seconds"


def _connection(request: Request) -> HTTPConnection:
    """A connection that is not open yet; raises NoAnswerError."""
    host, port = request.parts.hostname or "", request.parts.port
    if request.parts.scheme == "http":
        return HTTPConnection(host, port, timeout=request.seconds)
    verified = ssl.create_default_context()
    return HTTPSConnection(host, port, timeout=request.seconds, context=verified)


# Ollama: models on the user's own machine, without a key.


def vectors_of_ollama(
    texts: str | Sequence[str], semantic: Semantic
) -> list[list[float]]:
    """The vectors of one text or of several; raises NoAnswerError."""
    request = Request(
        provider="Ollama",
        address=f"{semantic.address}/api/embed",
        body={"model": semantic.model, "input": texts},
        seconds=semantic.seconds,
        refusals={404: f"has no model {semantic.model!r}; run `ollama pull` to get it"},
    )
    answer = answered(request)
    return [
        as_vector(at(answer, "embeddings", number), request.name)
        for number in range(_number(texts))
    ]


def _number(texts: str | Sequence[str]) -> int:
    return 1 if isinstance(texts, str) else len(texts)


# OpenAI and compatible providers, with the user's own key.


def vectors_of_openai(
    texts: str | Sequence[str], semantic: Semantic, environment: Mapping[str, str]
) -> list[list[float]]:
    """The vectors of one text or of several; raises NoAnswerError."""
    parts = split(semantic.address)
    if not parts or not keeps_secrets(parts):
        raise NoAnswerError(
            f"{semantic.address} isn't an https address, so no key is sent."
        )
    refused = f"refused the key in {semantic.key_variable}"
    request = Request(
        provider="OpenAI",
        address=f"{semantic.address}/embeddings",
        body={"model": semantic.model, "input": texts},
        seconds=semantic.seconds,
        refusals={
            401: refused,
            403: refused,
            404: f"has no model {semantic.model!r}",
        },
        key=_key(semantic.key_variable, environment),
    )
    answer = answered(request)
    return [
        as_vector(at(answer, "data", number, "embedding"), request.name)
        for number in range(_number(texts))
    ]


def _key(variable: str, environment: Mapping[str, str]) -> str:
    """The user's key, checked before it is sent; no error shows it."""
    key = environment.get(variable, "").strip()
    if not key:
        raise NoAnswerError(
            f"No key for semantic search in {variable or 'any variable'}."
        )
    if not key.isascii() or not key.isprintable():
        raise NoAnswerError(f"The key in {variable} is invalid.")
    return key


# Vectors from a model2vec model in a folder: no server, no further package.
#
# Such a model has a vector for each piece of a word; the vector of a text is their
# mean. Only the pieces of a text are read of the file. For one query over a model of
# 31 MB that takes 90 ms of processor time and 23 MB, where the package `model2vec`
# takes 460 ms and 124 MB. Vectors of 652 titles differed from its by less than 1e-7.

_FORMS = {"F16": "e", "F32": "f", "F64": "d", "I32": "i", "I64": "q"}
"""The types of numbers, as `struct` names them."""

_MOST_PIECES = 512
_LONGEST_WORD = 100
_LARGEST_HEAD = 1 << 20
_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")
"""Signs that are a word each."""


class Tensor(NamedTuple):
    """The rows of numbers in a file."""

    data: mmap.mmap
    start: int
    form: str
    rows: int
    columns: int

    def row(self, number: int) -> tuple[float, ...]:
        """One row; raises IndexError."""
        if not 0 <= number < self.rows:
            raise IndexError(number)
        row = struct.Struct(f"<{self.columns}{self.form}")
        return row.unpack_from(self.data, self.start + number * row.size)


class StaticModel(NamedTuple):
    """A model that has been opened."""

    name: str
    pieces: Mapping[str, int]
    embeddings: Tensor
    weights: Tensor | None
    """How much each piece counts; all alike without it."""
    mapping: Tensor | None
    """The row of each piece, if several share one."""

    def vector(self, text: str) -> list[float]:
        """The vector of a text; raises NoAnswerError if it has no known word."""
        sums = [0.0] * self.embeddings.columns
        for piece in self._pieces_of(text)[:_MOST_PIECES]:
            row = int(self.mapping.row(piece)[0]) if self.mapping else piece
            weight = self.weights.row(piece)[0] if self.weights else 1
            for place, number in enumerate(self.embeddings.row(row)):
                sums[place] += weight * number
        if not any(sums):
            raise NoAnswerError(f"{self.name} knows none of the words.")
        return as_vector(sums, self.name)

    def _pieces_of(self, text: str) -> list[int]:
        return [*chain.from_iterable(map(self._split, words_of(text)))]

    def _split(self, word: str) -> Iterator[int]:
        """The longest known pieces of a word, in order; empty if a piece is unknown."""
        found: list[int] = []
        start, end = 0, len(word)
        while start < len(word) <= _LONGEST_WORD:
            piece = self.pieces.get(f"{'##' if start else ''}{word[start:end]}")
            if piece is not None:
                found.append(piece)
                start, end = end, len(word)
            elif end - start == 1:
                return iter(())
            else:
                end -= 1
        return iter(found)


def words_of(text: str) -> list[str]:
    """The words and signs of a text, as BERT's tokenizer separates them."""
    signs = map(_separated, unicodedata.normalize("NFD", text))
    return "".join(signs).lower().split()


def _separated(sign: str) -> str:
    """A sign; accents and invisible signs are left out, punctuation stands alone."""
    kind = unicodedata.category(sign)
    if sign.isspace() or sign.isalnum():
        return f" {sign} " if _CHINESE.match(sign) else sign
    if kind == "Mn" or kind.startswith("C"):
        return ""
    return f" {sign} " if sign.isascii() or kind.startswith("P") else sign


@lru_cache(maxsize=1)
def model_in(folder: str) -> StaticModel:
    """The model in a folder; raises NoAnswerError with the reason."""
    path = Path(folder).expanduser()
    if not folder or not path.is_absolute() or not path.is_dir():
        raise NoAnswerError(
            "`model` in [semantic] must name the folder of a model2vec model, which "
            "contains model.safetensors and tokenizer.json; nothing is downloaded."
        )
    try:
        pieces = _pieces(path / "tokenizer.json")
        tensors = _tensors(path / "model.safetensors")
        return StaticModel(
            path.name,
            pieces,
            tensors["embeddings"],
            tensors.get("weights"),
            tensors.get("mapping"),
        )
    except OSError as error:
        raise NoAnswerError(f"Can't read {error.filename}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise NoAnswerError(
            f"{path} isn't a model2vec model with a WordPiece vocabulary ({error})."
        ) from None


def _pieces(path: Path) -> Mapping[str, int]:
    model = cast("dict[str, Any]", json.loads(path.read_bytes()))["model"]
    if model["type"] != "WordPiece":
        raise ValueError(f"its vocabulary is {model['type']}")
    return cast("Mapping[str, int]", model["vocab"])


def _tensors(path: Path) -> dict[str, Tensor]:
    """The tables of a file in the format safetensors, by name."""
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    (size,) = struct.unpack_from("<Q", data)
    if size > _LARGEST_HEAD:
        raise ValueError("its head is too large")
    head = cast("dict[str, Any]", json.loads(data[8 : 8 + size]))
    head.pop("__metadata__", None)
    return {name: _tensor(data, 8 + size, one) for name, one in head.items()}


def _tensor(data: mmap.mmap, base: int, told: Mapping[str, Any]) -> Tensor:
    shape = cast("Sequence[int]", told["shape"])
    rows, columns = (*shape, 1)[:2]
    begin, end = told["data_offsets"]
    form = _FORMS[told["dtype"]]
    if not 0 < columns <= LONGEST or end - begin != rows * columns * struct.calcsize(
        form
    ):
        raise ValueError("its tables have other sizes than it says")
    if base + end > len(data) or begin < 0:
        raise ValueError("it is cut short")
    return Tensor(data, base + begin, form, rows, columns)
