"""``python -m tests.licences``: what is installed, its version and licence; 1 if one is not allowed.

Allowed is what lets anybody use, change and pass on a program that stands on it: permissive licences,
and those that ask for sharing only of changes to themselves (MPL, LGPL).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from typing import NamedTuple

ALLOWED = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Python-2\.0|CNRI-Python|Unlicense|0BSD|Zlib"
    r"|MPL|Mozilla Public|LGPL|Lesser General Public|HPND|Public Domain|CC0|matplotlib|Boost|BSL",
    re.IGNORECASE,
)
# said nowhere in the data of the package, read in its sources
KNOWN: dict[str, str] = {}
_CLASSIFIER = "License :: "


class Package(NamedTuple):
    """A package that is installed."""

    name: str
    version: str
    licence: str

    @property
    def allowed(self) -> bool:
        """Whether each of the licences that hold together is allowed; of a choice one is enough."""
        parts = re.split(r"\s+AND\s+|;", self.licence)
        return bool(self.licence) and all(ALLOWED.search(part) for part in parts if part.strip())


def licence(package: Distribution) -> str:
    """What the data of a package says of its licence: an expression, else classifiers, else a line."""
    data = package.metadata
    for line in data.get_all("License-Expression") or ():
        return str(line)
    named = [
        line.removeprefix(_CLASSIFIER).rpartition(" :: ")[2]
        for line in data.get_all("Classifier") or ()
        if line.startswith(_CLASSIFIER) and line != "License :: OSI Approved"
    ]
    if named:
        return "; ".join(named)
    said = "".join(data.get_all("License") or ()).strip()
    return said.splitlines()[0][:60] if said else KNOWN.get(data["Name"].lower(), "")


def installed() -> Iterator[Package]:
    """Every package of this environment but this project, pip and setuptools, each once."""
    found = {
        each.metadata["Name"].lower(): Package(each.metadata["Name"], each.version, licence(each))
        for each in distributions()
        if each.metadata["Name"]
    }
    for name in sorted(found.keys() - {"pyengine", "pip", "setuptools"}):
        yield found[name]


def main(argv: list[str] | None = None) -> int:
    """The command."""
    argparse.ArgumentParser(prog="python -m tests.licences", description=__doc__).parse_args(argv)
    packages = list(installed())
    for package in packages:
        mark = " " if package.allowed else "✗"
        print(f"{mark} {package.name:28} {package.version:20} {package.licence or 'says nothing'}")
    wrong = [package.name for package in packages if not package.allowed]
    if wrong:
        print(f"not allowed, or not known: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
