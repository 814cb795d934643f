"""Stores that a check complains about, beside the nearest that it must not."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import rmtree
from typing import Any, NamedTuple

from store.formats.port import Format
from tests.store.answers.damages import Damage


class Row(NamedTuple):
    """What a check must find, where, and the nearest to it that it must not."""

    at: str
    """The path of the problem, with its line if it has one."""
    wrong: Damage
    near: Damage


class Table(NamedTuple):
    """The checks of one format, each with the stores that show it."""

    format: Format
    make: Callable[[Path], object]
    """Makes a healthy store in a folder."""
    rows: Mapping[str, Row]
    """By the code of the problem."""
    limits: Mapping[str, Any] = {}
    """Limits that are set lower, as a store that reaches them would be large."""
    within: str = ""
    """Where the store is in that folder."""
    is_seen_before: bool = False
    """Whether the healthy store was read once, as the problem is what was lost."""


def at_once(*damages: Damage) -> Damage:
    """Several of them, one after the other."""

    def damage(root: Path) -> None:
        for one in damages:
            one(root)

    return damage


def folder(path: str) -> Damage:
    """Make a folder, in place of a file of that name."""

    def damage(root: Path) -> None:
        (root / path).unlink(missing_ok=True)
        (root / path).mkdir(mode=0o700, parents=True)

    return damage


def gone(path: str) -> Damage:
    """Remove a folder with all that is in it."""
    return lambda root: rmtree(root / path)


def linked(path: str, to: str) -> Damage:
    """Make a symbolic link, in place of a file of that name."""

    def damage(root: Path) -> None:
        (root / path).unlink(missing_ok=True)
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).symlink_to(to)

    return damage


def pipe(path: str) -> Damage:
    """Make a pipe."""

    def damage(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(root / path, 0o600)

    return damage


def aged(path: str, second: int) -> Damage:
    """Set the time at which a file was written."""
    return lambda root: os.utime(root / path, (second, second))
