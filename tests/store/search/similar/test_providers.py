"""Requests for a vector, and every answer that a provider may give."""

import re
import shutil
import socket
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.meaning import NoAnswerError, as_vector, at, vector_of
from store.search.providers import LIMIT
from store.settings import PROVIDERS, Provider, Semantic
from tests.store.search.similar.provider import Asked, Local, answer, embedded

KEY = {"A_KEY": "sk-very-secret"}


def refusal(semantic: Semantic, environment: dict[str, str] | None = None) -> str:
    """The sentence if there is no vector."""
    with pytest.raises(NoAnswerError) as raised:
        vector_of("what people ask", semantic, environment or {})
    sentence = str(raised.value)
    assert re.fullmatch(r"[^\n]+\.", sentence)
    assert "sk-very" not in sentence
    return sentence


def test_ollama_is_called_at_its_usual_address() -> None:
    assert PROVIDERS[Provider.OLLAMA].address == "http://127.0.0.1:11434"


def test_ollama_gives_a_vector_and_gets_no_key() -> None:
    with Local(embedded(0.5, -1, 0)) as local:
        vector = vector_of("redis \udce9", local.ollama(), KEY)

    body = {"model": "nomic-embed-text", "input": "redis \udce9"}
    assert vector == [0.5, -1.0, 0.0]
    assert local.asked == [Asked("/api/embed", None, body)]


def test_openai_gives_a_vector_for_the_users_key() -> None:
    with Local(embedded(0.5, 0.25)) as local:
        vector = vector_of("redis", local.openai(), KEY)

    body = {"model": "text-embedding-3-small", "input": "redis"}
    assert vector == [0.5, 0.25]
    assert local.asked == [Asked("/v1/embeddings", "Bearer sk-very-secret", body)]


def test_no_provider_is_called_if_none_is_enabled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def denied(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket, "socket", denied)

    assert "Semantic search is off in the settings." in refusal(PROVIDERS[Provider.OFF])


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ({}, "No key for semantic search in A_KEY."),
        ({"A_KEY": " "}, "No key for semantic search in A_KEY."),
        (
            {"A_KEY": "sk-very\nHost: x"},
            "The key in A_KEY is invalid.",
        ),
        ({"A_KEY": "sk-verÿ"}, "The key in A_KEY is invalid."),
    ],
)
def test_without_a_valid_key_openai_is_not_called(
    key: dict[str, str], sentence: str
) -> None:
    with Local(embedded(1)) as local:
        assert refusal(local.openai(), key) == sentence

    assert local.asked == []


def test_a_key_is_never_sent_over_an_unencrypted_connection() -> None:
    semantic = Semantic(Provider.OPENAI, "http://example.invalid/v1", "m", "A_KEY")

    assert refusal(semantic, KEY) == (
        "http://example.invalid/v1 isn't an https address, so no key is sent."
    )


@pytest.mark.parametrize(
    "begun", [b"", b"HTTP/1.0 200 OK\r\n", b"HTTP/1.0 200 OK\r\n\r\n{"]
)
def test_a_slow_provider_is_given_up(begun: bytes) -> None:
    def hold(handler: BaseHTTPRequestHandler, local: Local) -> None:
        handler.wfile.write(begun)
        handler.wfile.flush()
        local.over.wait()

    with Local(hold) as local:
        told = refusal(local.ollama(seconds=0.2))
        for thread in threading.enumerate():
            if thread.name == "asking a provider":
                thread.join()

    assert told == f"Ollama at {local.host} didn't answer within 0.2 seconds."


def test_an_unreachable_provider_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        host = f"127.0.0.1:{free.getsockname()[1]}"
    semantic = Semantic(Provider.OLLAMA, f"http://{host}", "m", seconds=30)

    assert refusal(semantic) == (
        f"Ollama at {host} can't be reached: Connection refused."
    )


@pytest.mark.parametrize(
    ("raw", "status", "said"),
    [
        (b"<html>", 200, "answered with invalid JSON."),
        (b"", 200, "answered with invalid JSON."),
        (b"[" * 90_000, 200, "answered with invalid JSON."),
        (b"x" * (LIMIT + 1), 200, "answered with too much data."),
        (b"{}", 200, "answered with an invalid vector."),
        (b'{"embeddings": [[]]}', 200, "answered with an invalid vector."),
        (
            b'{"embeddings": [[0, 0]]}',
            200,
            "answered with an invalid vector.",
        ),
        (
            b'{"embeddings": [[1, "2"]]}',
            200,
            "answered with an invalid vector.",
        ),
        (
            b'{"embeddings": [[1e999]]}',
            200,
            "answered with an invalid vector.",
        ),
        (b'{"embeddings": [[NaN]]}', 200, "answered with an invalid vector."),
        (b'{"embeddings": 1}', 200, "answered with an invalid vector."),
        (b"sk-very", 500, "answered with error 500."),
        (b"", 401, "answered with error 401."),
        (b"", 404, "has no model 'nomic-embed-text'; run `ollama pull` to get it."),
    ],
)
def test_an_invalid_answer_is_reported(raw: bytes, status: int, said: str) -> None:
    with Local(answer(raw, status)) as local:
        assert refusal(local.ollama()) == f"Ollama at {local.host} {said}"


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_named_by_its_variable(status: int) -> None:
    with Local(answer(b"no: sk-very-secret", status)) as local:
        said = refusal(local.openai(), KEY)

    assert said == f"OpenAI at {local.host} refused the key in A_KEY."


def test_a_redirect_is_not_followed() -> None:
    with (
        Local(embedded(1)) as elsewhere,
        Local(answer(b"", 307, Location=f"http://{elsewhere.host}/")) as local,
    ):
        assert "redirects aren't followed." in refusal(local.openai(), KEY)

    assert elsewhere.asked == []


def test_an_answer_that_is_not_http_is_reported() -> None:
    def babble(handler: BaseHTTPRequestHandler, local: Local) -> None:
        del local
        handler.wfile.write(b"220 mail.example ESMTP\r\n")

    with Local(babble) as local:
        said = refusal(local.ollama())

    assert said == f"Ollama at {local.host} answered with invalid HTTP."


def test_an_invalid_address_is_reported() -> None:
    assert "Invalid provider address" in refusal(
        Semantic(Provider.OLLAMA, "ollama:11434", "m")
    )


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_an_untrusted_certificate_is_refused(tmp_path: Path) -> None:
    made = tmp_path / "made.pem"
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        f"-keyout {made} -out {tmp_path / 'certificate'}".split(),
        check=True,
        capture_output=True,
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "certificate", made)

    with Local(embedded(1), tls) as local:
        said = refusal(local.openai(), KEY)

    assert said == f"OpenAI at {local.host} has an invalid certificate."
    assert local.asked == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["embeddings", "data"]), inner, max_size=2)
    ),
)


@given(JSON)
def test_any_answer_gives_a_vector_or_one_sentence(value: object) -> None:
    found = at(value, "embeddings", 0)
    try:
        assert as_vector(found, "It") == found
    except NoAnswerError as error:
        said = str(error)
    else:
        said = "It answered with a vector."

    assert said.startswith("It answered with ")
