"""One question over HTTP, with a deadline for all of it.

Redirects are not followed and proxies not used: what is asked goes to the host that the
settings name, or nowhere. Certificates are verified.
"""

import json
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Empty, SimpleQueue
from socket import SHUT_RDWR, socket
from threading import Thread
from urllib.parse import SplitResult

from store.files.json_document import DamagedJsonError, load
from store.search.similar.providers.answer import NoAnswerError
from store.settings.address import split

LIMIT = 1024 * 1024
"""The longest answer that is read; a vector takes a thirtieth of it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked, and of whom."""

    provider: str
    address: str
    body: Mapping[str, str] = field(repr=False)
    seconds: float
    """How long the whole answer is waited for."""
    refusals: Mapping[int, str]
    """What a status means, where that can be told better than by its number."""
    key: str | None = field(default=None, repr=False)
    """The user's key, which no error quotes."""

    @property
    def parts(self) -> SplitResult:
        """The address in its parts; raises NoAnswerError."""
        parts = split(self.address)
        if parts is None:
            raise NoAnswerError(f"{self.address!r} is no address that can be asked.")
        return parts

    @property
    def name(self) -> str:
        """Who is asked, as sentences name it."""
        return f"{self.provider} at {self.parts.netloc}"


def answered(request: Request) -> object:
    """The JSON that is answered; raises NoAnswerError."""
    status, raw = _Exchange(request).reply()
    if status in request.refusals:
        raise NoAnswerError(f"{request.name} {request.refusals[status]}.")
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        raise NoAnswerError(f"{request.name} sends the question on, which is not done.")
    if status != HTTPStatus.OK:
        raise NoAnswerError(f"{request.name} answered with an error, {status}.")
    if len(raw) > LIMIT:
        raise NoAnswerError(f"{request.name} answered with more than a vector.")
    try:
        return load(raw)
    except DamagedJsonError:
        raise NoAnswerError(f"{request.name} answered with what is no JSON.") from None


class _Exchange:
    """A question that is asked in a thread of its own.

    Neither looking up a host nor an answer that drips has a deadline otherwise.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._connection = _connection(request)
        self._socket: socket | None = None
        self._replies: SimpleQueue[tuple[int, bytes] | str] = SimpleQueue()

    def reply(self) -> tuple[int, bytes]:
        """The status and the body of the answer; raises NoAnswerError."""
        Thread(target=self._ask, name="asking a provider", daemon=True).start()
        try:
            reply = self._replies.get(timeout=self._request.seconds)
        except Empty:
            reply = self._too_late()
            self._wake()
        if isinstance(reply, str):
            raise NoAnswerError(f"{self._request.name} {reply}.")
        return reply

    def _ask(self) -> None:
        """Put the reply, or what went wrong, where it is waited for."""
        try:
            self._replies.put(self._exchange())
        except ssl.SSLCertVerificationError:
            self._replies.put("has a certificate that cannot be verified")
        except TimeoutError:
            self._replies.put(self._too_late())
        except OSError as error:
            why = error.strerror or "the connection broke"
            self._replies.put(f"cannot be reached: {why}")
        except (HTTPException, ValueError):
            self._replies.put("does not speak HTTP as it ought to")
        finally:
            self._connection.close()

    def _exchange(self) -> tuple[int, bytes]:
        """Ask and read; raises what sockets and HTTP raise."""
        request = self._request
        headers = {"Content-Type": "application/json"}
        if request.key is not None:
            headers["Authorization"] = f"Bearer {request.key}"
        self._connection.connect()
        self._socket = self._connection.sock
        body = json.dumps(request.body)
        self._connection.request("POST", request.parts.path, body, headers)
        with self._connection.getresponse() as response:
            return response.status, response.read(LIMIT + 1)

    def _wake(self) -> None:
        """End whatever the thread waits for."""
        if self._socket is not None:
            with suppress(OSError):
                socket.shutdown(self._socket, SHUT_RDWR)

    def _too_late(self) -> str:
        return f"did not answer within {self._request.seconds:g} seconds"


def _connection(request: Request) -> HTTPConnection:
    """A connection that is not made yet; raises NoAnswerError."""
    host, port = request.parts.hostname or "", request.parts.port
    if request.parts.scheme == "http":
        return HTTPConnection(host, port, timeout=request.seconds)
    verified = ssl.create_default_context()
    return HTTPSConnection(host, port, timeout=request.seconds, context=verified)
