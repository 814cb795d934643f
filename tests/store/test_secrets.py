"""Secrets are recognised by their form; placeholders are not secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.clean import given_away

SECRETS = {
    "sk-ant-api03-" + "FAKE-x9_" * 5: "an access key",
    "sk-" + "a1B2" * 10: "an access key",
    "sk-proj-" + "a1B2" * 10: "an access key",
    "AKIA" + "FAKE" * 4: "an AWS access key",
    "AIza" + "FAKE" * 9: "a Google access key",
    "ghp_" + "FAKE" * 9: "a GitHub token",
    "github_pat_" + "FAKE_" * 9: "a GitHub token",
    "xoxb-1234567890-FAKE": "a Slack token",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJGQUtFIn0.FAKEFAKEFAKE": "a signed token",
    "Authorization: Bearer FAKE.token.value": "a bearer token",
    "postgres://user:FAKEpass@db.example/x": "a password in a URL",
    "DB_PASSWORD=FAKE-hunter2": "a password",
    "-----BEGIN OPENSSH PRIVATE KEY-----": "a private key",
}


@pytest.mark.parametrize(("secret", "kind"), SECRETS.items())
def test_a_secret_is_recognised_with_its_kind(secret: str, kind: str) -> None:
    assert given_away(f"set it to `{secret}`, then try again") == kind


@pytest.mark.parametrize(
    "text",
    [
        "no secret at all",
        "sk-fading-circle-12 sk-cube-grid-with-many-words",
        "commit 4f7bf0d5a1f0b2c3d4e5f6a7b8c9d0e1f2a3b4c5",
        "Authorization: Bearer YOUR_ACCESS_TOKEN_HERE",
        "Authorization: Bearer $TOKEN, Bearer <token>",
        "postgres://user:$PASSWORD@db/x postgres://user:password@db/x",
        "https://example.com:8443/@scope/package http://[::1]:80/",
        "PASSWORD=$DB_PASSWORD SECRET=<yours> TOKEN=${TOKEN} API_KEY=changeme",
        "ghp_short AKIA AIza eyJ xoxo",
        "-----BEGIN PUBLIC KEY-----",
    ],
)
def test_placeholders_are_not_secrets(text: str) -> None:
    assert given_away(text) == ""


@given(st.text(max_size=80), st.sampled_from(sorted(SECRETS)), st.text(max_size=80))
def test_a_secret_is_found_anywhere_in_a_text(
    before: str, secret: str, after: str
) -> None:
    assert given_away(f"{before}\n{secret}\n{after}")


@pytest.mark.parametrize("sign", ["-eyJ", " sk-", "://a:", "earer ", "TOKEN=", "xox"])
def test_adversarial_text_is_searched_quickly(sign: str) -> None:
    assert given_away(sign * 50_000) in {"", "a password"}
