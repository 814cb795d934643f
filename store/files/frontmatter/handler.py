"""The handler for python-frontmatter: scalars stay the strings that the file holds."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, cast

import yaml
from frontmatter.default_handlers import YAMLHandler

if TYPE_CHECKING or not yaml.__with_libyaml__:
    from yaml import BaseLoader
else:
    from yaml import CBaseLoader as BaseLoader


class DuplicateKeyError(yaml.YAMLError):
    """A mapping names a key twice, where YAML would drop the first value in silence."""


class StringLoader(BaseLoader):
    """Builds strings, lists and dicts, and will not lose one of two equal keys."""

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,  # noqa: FBT001, FBT002 - as inherited
    ) -> dict[Hashable, Any]:
        """Build one mapping."""
        untyped = cast("Any", super())
        mapping: dict[Hashable, Any] = untyped.construct_mapping(node, deep=deep)
        if len(mapping) != len(node.value):
            raise DuplicateKeyError
        return mapping


class StringHandler(YAMLHandler):
    """Reads headers that `is_tame` let through."""

    def load(self, fm: str, **kwargs: object) -> Any:  # noqa: ANN401 - as inherited
        """Parse a header; every scalar stays a string."""
        return super().load(fm, **{"Loader": StringLoader, **kwargs})
