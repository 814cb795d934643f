"""Runs the program as `python -m tui.cli`."""

import sys

from tui.start import start

if __name__ == "__main__":
    sys.exit(start())
