"""Rulings: questions a judge was asked, with the right answers, run as tests (CONTRACT 7).

`load_rulings` reads files and folders and checks them whole before anything is computed; `run`
asks the engine and says where its answers differ. Where the contract leaves room: an expected
card that is `null` must not exist; each mapping in an expected list must be contained in a
different one of the list that came; an ability not named by `spent` has 0 there.

Beyond the contract, ``editions: [heroes, heroes_2]`` in a ruling asks its question in each of
these editions, not only in that of its state; the others have it in their id (``id@heroes_2``).
A ruling with ``deck`` asks what speaks against a deck, and needs no state.
"""

from __future__ import annotations

from pyengine.verify.files import Citation, citations, load_rulings
from pyengine.verify.matching import assign, differences, matches
from pyengine.verify.report import Report, document, run_all
from pyengine.verify.rulings import DeckQuestion, OpeningQuestion, Resolution, Ruling
from pyengine.verify.running import Judge, begun, run

__all__ = [
    "Citation",
    "DeckQuestion",
    "Judge",
    "OpeningQuestion",
    "Report",
    "Resolution",
    "Ruling",
    "assign",
    "begun",
    "citations",
    "differences",
    "document",
    "load_rulings",
    "matches",
    "run",
    "run_all",
]
