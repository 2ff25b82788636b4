"""The command ``python -m tests.model``; the work is in ``run``, where processes can find it."""

from __future__ import annotations

import sys

from tests.model.run import main

if __name__ == "__main__":
    sys.exit(main())
