"""The installed module `recollect`: find the program and run it.

The program's packages have plain names that other projects use as well. A wheel has
them in a separate folder; an editable installation leaves them in the clone.
"""

import sys
from pathlib import Path
from runpy import run_path

PROGRAM = ("recollect_rooms/tui/start.py", "tui/recollect.py")
"""A file next to the program, in a wheel and in a clone."""


def main() -> None:
    """Run the program from the first folder on the path that contains it."""
    files = (Path(name, file) for name in sys.path for file in PROGRAM)
    found = next(filter(Path.is_file, files))
    run_path(str(found.with_name("start.py")), run_name="__main__")


if __name__ == "__main__":
    main()
