"""The program's version, as it was installed."""

import argparse
import sys
from typing import NoReturn


def installed_version() -> str:
    """The version; `importlib.metadata` is slow to load, so only who asks pays."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # slow

    try:
        return version("recollect")
    except PackageNotFoundError:
        return "(not installed)"


class ShowVersion(argparse.Action):
    """`--version`: print it and go."""

    def __call__(
        self, parser: argparse.ArgumentParser, *_arguments: object, **_named: object
    ) -> NoReturn:
        """Print the version."""
        sys.stdout.write(f"recollect {installed_version()}\n")
        parser.exit()
