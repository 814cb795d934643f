"""Sample stores that tell one developer's eight months; see README.md beside this."""

from store.demo.making import write

__all__ = ["write"]
