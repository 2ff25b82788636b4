"""``python -m pyengine``: the commands of `cli`."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the command line; an interruption while it is still loading ends it quietly too."""
    try:
        from pyengine import cli

        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
