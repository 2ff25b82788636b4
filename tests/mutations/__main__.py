"""The command."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from tests.mutations.survey import CONCERNED, document, survey, told


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations",
        description="Which rules could be removed or inverted without any ruling failing?",
    )
    parser.add_argument("--edition", action="append", default=[], help="one or more; else all")
    parser.add_argument(
        "--file", action="append", default=[], help="one or more; 508-516: what concerns these"
    )
    parser.add_argument("--sample", type=int, default=0, help="so many rules, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--depth", type=int, default=0, help="try a mutant on so many rulings at most; 0: on all"
    )
    parser.add_argument("--fresh", action="store_true", help="trust no earlier run")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    files = [file for name in given.file for file in (CONCERNED if name == "508-516" else (name,))]
    report = survey(
        given.edition,
        files,
        given.sample,
        given.seed,
        given.jobs,
        given.depth,
        given.fresh,
        say=lambda text: print(text, file=sys.stderr, flush=True),
    )
    if given.json:
        print(json.dumps(document(report), ensure_ascii=False, indent=1))
    else:
        print(told(report))
    return 1 if report.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
