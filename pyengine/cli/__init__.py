"""The commands: they read the input, ask, and print the answer. No rule of the game is here.

Exit codes: 0 answered, 1 the answer is no, 2 bad input (every fault one line on stderr),
130 interrupted, 141 nobody reads the answer any more.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer

from pyengine import helping, i18n, streams
from pyengine.cli.program import app
from pyengine.cli.writing import UnreadError, tell
from pyengine.i18n import say
from pyengine.watch import INTERRUPTED, looked_on

# each adds its commands; the help lists them in this order
# isort: off
from pyengine.cli import asking as _asking  # noqa: F401
from pyengine.cli import verifying as _verifying  # noqa: F401
from pyengine.cli import checking as _checking  # noqa: F401
from pyengine.cli import batching as _batching  # noqa: F401
from pyengine.cli import consulting as _consulting  # noqa: F401
from pyengine.cli import playing as _playing  # noqa: F401
from pyengine.cli import serving as _serving  # noqa: F401
# isort: on

__all__ = ["app", "main"]

# typer does not name the base of its usage errors; it is the grandparent of BadParameter
_UsageError: Any = typer.BadParameter.__mro__[2]


def main(args: Sequence[str] | None = None) -> int:
    """Runs a command line and gives its exit code."""
    streams.prepare()
    words = list(sys.argv[1:] if args is None else args)
    lang = helping.spoken(words, os.environ)
    try:
        with looked_on():
            code = helping.command(app, lang).main(
                args=words, prog_name="pyengine", standalone_mode=False
            )
        return code if isinstance(code, int) else 0
    except typer.Exit as exit:
        return exit.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except _UsageError as error:
        command = error.ctx.command_path if error.ctx else "pyengine"
        message = helping.refused(error, lang)
        if message:  # none where the help has been printed instead
            tell(say("usage", lang, command=command, message=message))
        return 2
    except UnreadError:
        streams.silence(sys.stdout)
        return 141
    except OSError as error:  # met by what prints the help
        streams.silence(sys.stdout)
        tell(streams.failed(error, i18n.language(os.environ)))
        return 2
