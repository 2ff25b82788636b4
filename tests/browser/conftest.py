"""A server, a browser and the page: real ones.

The tests skip where the extra `browser`, Chromium or the server's own extra is missing; where
PYENGINE_BROWSER=required is set, as in CI, they fail instead.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

REQUIRED = os.environ.get("PYENGINE_BROWSER") == "required"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
WAIT = 30_000  # milliseconds: a question may wait for a process that reads the rules first


def missing(what: str) -> None:
    """Skips, or fails where the browser is required."""
    (pytest.fail if REQUIRED else pytest.skip)(what)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if importlib.util.find_spec("playwright") is None:
        missing("playwright is missing: pip install 'pyengine[browser]'")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None:
        missing("Chromium is missing: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # root has no sandbox, and CI is root
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where `pyengine serve` listens."""
    with serving(tmp_path_factory.mktemp("served"), seconds=60) as found:
        yield found


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[str]:
    """The address of a server that gives every question a second."""
    with serving(tmp_path, seconds=1) as found:
        yield found


@contextmanager
def serving(folder: Path, seconds: int) -> Iterator[str]:
    """A server with one process, and its address."""
    if importlib.util.find_spec("fastapi") is None:
        missing("the server is missing: pip install 'pyengine[web]'")
    command = [
        sys.executable,
        "-m",
        "pyengine",
        "serve",
        "--port",
        "0",
        "--workers",
        "1",
        "--seconds",
        str(seconds),
    ]
    with subprocess.Popen(
        [*command, "--lang", "en"],
        cwd=folder,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as server:
        assert server.stdout is not None
        told = server.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:\d+/", told)
        try:
            assert match is not None, told
            yield match.group()
        finally:
            server.terminate()


Opener = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Opener]:
    """Opens the page: a fresh reader each time, with that width, language and taste.

    Nothing may be loaded from elsewhere, and nothing may be said on the console: a breach of the
    content security policy would be.
    """
    contexts: list[Any] = []
    complaints: list[str] = []

    def heard(said: str) -> None:
        # the browser tells of every answer that is no 200; of these three the page tells, too:
        # bad input, no process free, no time left
        if not re.search("responded with a status of (422|503|504)", said):
            complaints.append(said)

    def opened(
        fragment: str = "",
        *,
        width: int = 1500,
        height: int = 900,
        lang: str = "en-US",
        scheme: str = "light",
        touch: bool = False,
        calm: bool = False,
        at: str = address,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=lang,
            color_scheme=scheme,  # type: ignore[arg-type]  # what playwright takes is a Literal
            reduced_motion="reduce" if calm else "no-preference",
            has_touch=touch,
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("console", lambda said: heard(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((at, "blob:"))
                else complaints.append(f"asks elsewhere: {asked.url}")
            ),
        )
        page.goto(at + fragment)
        # the verdicts are told, or that there are none to tell
        page.wait_for_selector(".tally:text-matches('·|—')", state="attached")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(open_page: Opener) -> Page:
    """The page on a wide screen, in English: the position of the README."""
    return open_page()


@pytest.fixture(scope="session")
def axe() -> str:
    """The program of axe-core, as npm laid it out."""
    if not AXE.is_file():
        missing("axe-core is missing: npm --prefix web ci")
    return AXE.read_text("utf-8")


class Desk:
    """What a reader does at the desk, by the names that a reader sees."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tab(self, name: str) -> None:
        """Turns to a panel of the judge."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def pick(self, name: str, value: str, within: Any = None) -> None:
        """Chooses from the list of that name."""
        place = self.page if within is None else within
        place.get_by_role("combobox", name=name, exact=True).select_option(value)

    def card(self, id: str) -> Any:
        """The card of that id on the table."""
        return self.page.locator(f"[data-card={id}] > .card")

    def settled(self) -> None:
        """Waits for the verdicts on what lies there now."""
        self.page.wait_for_selector(".verdicts[aria-busy=false]", state="attached")

    def sample(self, name: str) -> None:
        """Lays that sample position on the table."""
        self.tab("Position")
        self.page.locator(".samples-box summary").click()
        self.page.locator(".samples button", has_text=name).click()
        self.settled()

    def verdicts(self, legal: bool) -> list[str]:
        """The actions with that verdict, as they are listed."""
        self.tab("Verdicts")
        self.page.keyboard.press("Escape")  # no card is chosen: all of them
        self.settled()
        kind = "yes" if legal else "no"
        return sorted(self.page.locator(f".verdict.{kind} .said").all_inner_texts())

    def save(self, kind: str, folder: Path) -> Path:
        """Saves the position to a file, as YAML or JSON."""
        self.tab("Position")
        with self.page.expect_download() as waiting:
            self.page.get_by_role("button", name=f"Save as {kind}").click()
        path = folder / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path


@pytest.fixture
def desk(page: Page) -> Desk:
    return Desk(page)
