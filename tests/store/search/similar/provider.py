"""A local provider of vectors that behaves as a test wants."""

import json
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from types import TracebackType
from typing import Self

from store.settings import Provider, Semantic


@dataclass(frozen=True)
class Asked:
    """The requests to the provider."""

    path: str
    key: str | None
    body: object


@dataclass
class Local:
    """Serves until the end of the `with` block, which ends all delayed responses."""

    behave: Callable[[BaseHTTPRequestHandler, "Local"], None]
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list[Asked])
    over: Event = field(default_factory=Event)

    def __enter__(self) -> Self:
        local = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                key = self.headers["Authorization"]
                local.asked.append(Asked(self.path, key, json.loads(body)))
                with suppress(OSError):
                    local.behave(self, local)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base's name
                del format, args

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: object, client_address: object) -> None:
                """A client that hangs up is not an error."""

        self._server = Server(("127.0.0.1", 0), Handler)
        if self.tls:
            self._server.socket = self.tls.wrap_socket(
                self._server.socket, server_side=True
            )
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def ollama(self, seconds: float = 30) -> Semantic:
        return Semantic(
            Provider.OLLAMA, f"http://{self.host}", "nomic-embed-text", "", seconds
        )

    def openai(self) -> Semantic:
        address = f"{'https' if self.tls else 'http'}://{self.host}/v1"
        return Semantic(Provider.OPENAI, address, "text-embedding-3-small", "A_KEY", 30)


def answer(
    raw: bytes, status: int = 200, **headers: str
) -> Callable[[BaseHTTPRequestHandler, Local], None]:
    """Gives every request the same response."""

    def behave(handler: BaseHTTPRequestHandler, local: Local) -> None:
        del local
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(raw)

    return behave


def embedded(*vector: float) -> Callable[[BaseHTTPRequestHandler, Local], None]:
    """Responds with a vector, as both Ollama and OpenAI do."""
    both = {"embeddings": [vector], "data": [{"embedding": vector}]}
    return answer(json.dumps(both).encode())
