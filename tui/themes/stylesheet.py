"""The stylesheet, parsed once: Textual parses all of it again when the app begins."""

from textual.css.stylesheet import Stylesheet


class ParsedOnce(Stylesheet):
    """Parses again what colours are other than before, and nothing where none is."""

    _is_other = False

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take these colours from now on."""
        if variables != self._variables:
            super().set_variables(variables)
            self._is_other = True

    def reparse(self) -> None:
        """Parse it again, if the colours are others."""
        if self._is_other:
            super().reparse()
            self._is_other = False
