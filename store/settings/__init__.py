"""What the user sets: read tolerantly, changed so that only what changed differs."""

from store.settings.reading import read_settings
from store.settings.record import PROVIDERS, Provider, Semantic, Settings

__all__ = ["PROVIDERS", "Provider", "Semantic", "Settings", "read_settings"]
