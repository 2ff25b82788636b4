"""What is published: it holds the rules and the facts, and answers from anywhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution as it is when it is published."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = folder.glob("pyengine-*.whl")
    assert list(folder.glob("pyengine-*.tar.gz"))
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel; what it needs comes from here, unasked."""
    folder = tmp_path_factory.mktemp("env")
    venv.create(folder, with_pip=False)
    programs = folder / Path(sysconfig.get_path("scripts")).name
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install"]
    done = subprocess.run(
        [*pip, "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (packages,) = folder.glob("**/site-packages")
    # behind the wheel's own place on the path
    (packages / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return programs


@pytest.fixture
def away(tmp_path: Path) -> Path:
    """A folder with nothing in it but a state."""
    shutil.copy(ROOT / "facts" / "states" / "02-defenders.yaml", tmp_path / "table.yaml")
    return tmp_path


def ask(program: Path, *args: str, folder: Path, environment: dict[str, str]) -> str:
    run = subprocess.run(
        [str(program), *args],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.stderr == ""
    return run.stdout


def sources() -> Iterator[str]:
    yield "rules.lp"
    for name, suffix in (("rules", "*.lp"), ("facts", "*.yaml")):
        yield from (str(path.relative_to(ROOT)) for path in (ROOT / name).rglob(suffix))


def test_holds_every_rule_and_every_fact(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {f"pyengine/data/{path}" for path in sources()} <= set(names)
        for path in sources():
            assert archive.read(f"pyengine/data/{path}") == (ROOT / path).read_bytes()
    assert "pyengine/py.typed" in names
    assert {name.split("/")[0] for name in names} == {"pyengine", f"pyengine-{VERSION}.dist-info"}


def test_holds_the_page_of_the_judges_desk(wheel: Path) -> None:
    static = ROOT / "pyengine" / "web" / "static"
    files = [path.relative_to(ROOT).as_posix() for path in static.rglob("*") if path.is_file()]
    assert "pyengine/web/static/index.html" in files
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if "/static/" in name} == set(files)


def test_is_what_the_new_environment_runs(
    installed: Path, away: Path, plain_environment: dict[str, str]
) -> None:
    code = "import pyengine; print(pyengine.__file__)"
    out = ask(installed / "python", "-c", code, folder=away, environment=plain_environment)
    assert Path(out.strip()).is_relative_to(installed.parent)


def test_judges_a_state(installed: Path, away: Path, plain_environment: dict[str, str]) -> None:
    command = ("legal", "table.yaml", "--json")
    out = ask(installed / "pyengine", *command, folder=away, environment=plain_environment)
    legal = [verdict["action"] for verdict in json.loads(out)["legal"]]
    assert legal == ["defend(adept)", "defend(shia)", "pass"]


def test_knows_the_rulebook_and_its_encoding(
    installed: Path, away: Path, plain_environment: dict[str, str]
) -> None:
    command = ("rules", "509.3", "--json")
    out = ask(installed / "pyengine", *command, folder=away, environment=plain_environment)
    entry = json.loads(out)
    assert entry["id"] == "509.3"
    assert any("rules/" in str(place) for place in entry["encoded"])
    assert "heroes-509.3-once-per-turn" in entry["rulings"]


def test_says_its_version(installed: Path, away: Path, plain_environment: dict[str, str]) -> None:
    out = ask(installed / "pyengine", "--version", folder=away, environment=plain_environment)
    assert out == f"pyengine {VERSION}\n"
