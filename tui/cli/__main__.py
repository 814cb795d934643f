"""So that `python -m tui.cli` is the same program."""

import sys

from tui.start import start

if __name__ == "__main__":
    sys.exit(start())
