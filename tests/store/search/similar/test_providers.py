"""Asking a provider for a vector, and everything that it may answer instead."""

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

from store.search.similar.providers import NoAnswerError, vector_of
from store.search.similar.providers.answer import as_vector, at
from store.search.similar.providers.exchange import LIMIT
from store.settings import PROVIDERS, Provider, Semantic
from tests.store.search.similar.provider import Asked, Local, answer, embedded

KEY = {"A_KEY": "sk-very-secret"}


def refusal(semantic: Semantic, environment: dict[str, str] | None = None) -> str:
    """The sentence that is told where there is no vector."""
    with pytest.raises(NoAnswerError) as raised:
        vector_of("what people ask", semantic, environment or {})
    sentence = str(raised.value)
    assert re.fullmatch(r"[^\n]+\.", sentence)
    assert "sk-very" not in sentence
    return sentence


def test_ollama_is_asked_where_it_usually_is() -> None:
    assert PROVIDERS[Provider.OLLAMA].address == "http://127.0.0.1:11434"


def test_ollama_gives_a_vector_and_is_sent_no_key() -> None:
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


def test_nobody_is_asked_where_nobody_is_switched_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def denied(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket, "socket", denied)

    assert "switched off" in refusal(PROVIDERS[Provider.OFF])


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ({}, "A_KEY holds no key for search by meaning."),
        ({"A_KEY": " "}, "A_KEY holds no key for search by meaning."),
        (
            {"A_KEY": "sk-very\nHost: x"},
            "What A_KEY holds is no key that could be sent.",
        ),
        ({"A_KEY": "sk-verÿ"}, "What A_KEY holds is no key that could be sent."),
    ],
)
def test_without_a_fit_key_openai_is_not_asked(
    key: dict[str, str], sentence: str
) -> None:
    with Local(embedded(1)) as local:
        assert refusal(local.openai(), key) == sentence

    assert local.asked == []


def test_a_key_is_sent_nowhere_that_others_read_along() -> None:
    semantic = Semantic(Provider.OPENAI, "http://example.invalid/v1", "m", "A_KEY")

    assert refusal(semantic, KEY) == (
        "http://example.invalid/v1 is no https address, so no key is sent there."
    )


@pytest.mark.parametrize(
    "begun", [b"", b"HTTP/1.0 200 OK\r\n", b"HTTP/1.0 200 OK\r\n\r\n{"]
)
def test_who_does_not_answer_in_time_is_not_waited_for(begun: bytes) -> None:
    def hold(handler: BaseHTTPRequestHandler, local: Local) -> None:
        handler.wfile.write(begun)
        handler.wfile.flush()
        local.over.wait()

    with Local(hold) as local:
        told = refusal(local.ollama(seconds=0.2))
        for thread in threading.enumerate():
            if thread.name == "asking a provider":
                thread.join()

    assert told == f"Ollama at {local.host} did not answer within 0.2 seconds."


def test_who_is_not_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        host = f"127.0.0.1:{free.getsockname()[1]}"
    semantic = Semantic(Provider.OLLAMA, f"http://{host}", "m", seconds=30)

    assert refusal(semantic) == (
        f"Ollama at {host} cannot be reached: Connection refused."
    )


@pytest.mark.parametrize(
    ("raw", "status", "said"),
    [
        (b"<html>", 200, "answered with what is no JSON."),
        (b"", 200, "answered with what is no JSON."),
        (b"[" * 90_000, 200, "answered with what is no JSON."),
        (b"x" * (LIMIT + 1), 200, "answered with more than a vector."),
        (b"{}", 200, "answered with something that is no vector."),
        (b'{"embeddings": [[]]}', 200, "answered with something that is no vector."),
        (
            b'{"embeddings": [[0, 0]]}',
            200,
            "answered with something that is no vector.",
        ),
        (
            b'{"embeddings": [[1, "2"]]}',
            200,
            "answered with something that is no vector.",
        ),
        (
            b'{"embeddings": [[1e999]]}',
            200,
            "answered with something that is no vector.",
        ),
        (b'{"embeddings": [[NaN]]}', 200, "answered with something that is no vector."),
        (b'{"embeddings": 1}', 200, "answered with something that is no vector."),
        (b"sk-very", 500, "answered with an error, 500."),
        (b"", 401, "answered with an error, 401."),
        (b"", 404, "has no model 'nomic-embed-text'; `ollama pull` fetches it."),
    ],
)
def test_an_answer_that_is_none_is_told(raw: bytes, status: int, said: str) -> None:
    with Local(answer(raw, status)) as local:
        assert refusal(local.ollama()) == f"Ollama at {local.host} {said}"


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_is_named_by_its_variable(status: int) -> None:
    with Local(answer(b"no: sk-very-secret", status)) as local:
        said = refusal(local.openai(), KEY)

    assert said == f"OpenAI at {local.host} refused the key that A_KEY holds."


def test_a_redirect_is_not_followed() -> None:
    with (
        Local(embedded(1)) as elsewhere,
        Local(answer(b"", 307, Location=f"http://{elsewhere.host}/")) as local,
    ):
        assert "sends the question on, which is not done." in refusal(
            local.openai(), KEY
        )

    assert elsewhere.asked == []


def test_what_speaks_no_http_is_told() -> None:
    def babble(handler: BaseHTTPRequestHandler, local: Local) -> None:
        del local
        handler.wfile.write(b"220 mail.example ESMTP\r\n")

    with Local(babble) as local:
        said = refusal(local.ollama())

    assert said == f"Ollama at {local.host} does not speak HTTP as it ought to."


def test_an_address_that_is_none_is_told() -> None:
    assert "is no address" in refusal(Semantic(Provider.OLLAMA, "ollama:11434", "m"))


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
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

    assert said == f"OpenAI at {local.host} has a certificate that cannot be verified."
    assert local.asked == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["embeddings", "data"]), inner, max_size=2)
    ),
)


@given(JSON)
def test_any_answer_is_a_vector_or_a_sentence(value: object) -> None:
    found = at(value, "embeddings", 0)
    try:
        assert as_vector(found, "It") == found
    except NoAnswerError as error:
        said = str(error)
    else:
        said = "It answered with a vector."

    assert said.startswith("It answered with ")
