"""The lock of CI fits the ranges of the project, and no licence is in the way."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import licences
from tests.lock import LOCK, ROOT

LOCKED = {
    canonicalize_name(name): version
    for name, _, version in (
        line.strip().partition("==") for line in LOCK.read_text(encoding="utf-8").splitlines()[1:]
    )
}


def ranges() -> Iterator[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield from map(Requirement, project["dependencies"])
    for extra in project["optional-dependencies"].values():
        yield from map(Requirement, extra)


@pytest.mark.parametrize("wanted", list(ranges()), ids=str)
def test_what_is_locked_fits_what_is_wanted(wanted: Requirement) -> None:
    if wanted.name != "pyengine":
        assert LOCKED[canonicalize_name(wanted.name)] in wanted.specifier
        # a range has two ends: the next release with another interface is not let in
        operators = {each.operator for each in wanted.specifier}
        assert ">=" in operators and ("<" in operators or wanted.name == "types-PyYAML")


def test_the_lock_names_exact_versions() -> None:
    assert len(LOCKED) > 20
    for name, version in LOCKED.items():
        assert re.fullmatch(r"[0-9][0-9a-z.+!]*", version), name


def test_all_that_is_installed_may_be_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert licences.main([]) == 0
    assert "clingo " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("MIT", True), ("Apache-2.0 OR GPL-3.0-only", True), ("BSD-3-Clause AND GPL-3.0-only", False),
        ("GPL-3.0-only", False), ("", False), ("BSD License; MIT License", True), ("Proprietary", False),
        ("AGPL-3.0", False), ("LGPL-2.1", True),
    ],
)  # fmt: skip
def test_which_licences_are_allowed(text: str, allowed: bool) -> None:
    assert licences.Package("any", "1", text).allowed is allowed
