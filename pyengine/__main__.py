"""``python -m pyengine``: the commands of `cli`."""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130  # as in `watch`, which would have to be loaded


def main() -> int:
    """Runs the command line. An interruption ends it quietly, also while it loads or has done."""
    before = _upon(_end)
    try:
        from pyengine import cli

        _upon(before)
        return cli.main()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        _upon(_end)


def _upon(handler: object) -> object:
    """Sets what an interruption does, unless it is to do nothing; gives what it did."""
    before = signal.getsignal(signal.SIGINT)
    if handler is not None and before not in (signal.SIG_IGN, None):
        try:  # noqa: SIM105  # nothing is loaded here that can be done without
            signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]  # `typing` takes time
        except ValueError:  # not in the main thread
            pass
    return before


def _end(*_: object) -> None:
    # nothing is half done where there is nothing to clean up
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
