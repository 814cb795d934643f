"""The settings, every one with what holds where the user says nothing."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from store.derive.cost import Price
from store.places import Places
from store.settings.statements import Key, line_of


class Provider(StrEnum):
    """Who turns a query into a vector."""

    OFF = "off"
    OLLAMA = "ollama"
    OPENAI = "openai"


class Semantic(Struct, frozen=True):
    """`[semantic]`: search by meaning, which is off unless it is switched on."""

    provider: Provider = Provider.OFF
    address: str = ""
    """Where the provider's interface is."""
    model: str = ""
    key_variable: str = ""
    """The environment variable that holds the user's key; none where none is needed."""
    seconds: float = 1.5
    """How long an answer is waited for."""


PROVIDERS = {
    Provider.OFF: Semantic(),
    Provider.OLLAMA: Semantic(
        Provider.OLLAMA, "http://127.0.0.1:11434", "nomic-embed-text"
    ),
    Provider.OPENAI: Semantic(
        Provider.OPENAI,
        "https://api.openai.com/v1",
        "text-embedding-3-small",
        "OPENAI_API_KEY",
    ),
}
"""What holds for each provider where the user says nothing else."""


class Pricing(Struct, frozen=True):
    """`[prices]`: what models cost, which nobody knows unless the user says it."""

    models: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """By how the names of models begin."""
    currency: str = "$"
    """What stands before an amount."""


class Settings(Struct, frozen=True):
    """All of the settings, and what is wrong with the file that they come from."""

    semantic: Semantic = PROVIDERS[Provider.OFF]
    queries: Mapping[str, str] = field(default_factory=dict[str, str])
    """Saved queries by name, in the order of the file."""
    keys: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to press for a command, by the command's name, as the user wrote it."""
    prices: Pricing = field(default_factory=Pricing)
    claudia_writes: bool = False
    """`[claudia] writes`: whether conversations of Claudia may be changed."""
    theme: str | None = None
    mouse: bool = True
    complaints: tuple[str, ...] = ()
    """What was not understood, a sentence each, with file and line."""
    path: Path = Path()
    """The file."""
    text: str = ""
    """What stands in it."""

    def complaint(self, key: Key, sentence: str) -> str:
        """A sentence about what stands under a key, with file and line before it."""
        line = line_of(self.text, key)
        return f"{self.path}:{line}: {sentence}" if line else f"{self.path}: {sentence}"


def settings_file(places: Places) -> Path:
    """Where the settings are."""
    return places.config / "config.toml"
