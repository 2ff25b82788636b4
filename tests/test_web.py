"""The server: its answers are those of the commands, its problems tell all faults."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from pyengine import Action, Engine, State, audit, explain
from pyengine.audit import telling
from pyengine.i18n import LANGUAGES
from pyengine.kinds import catalogue
from pyengine.limits import Limits
from pyengine.rulebook import rulebook
from pyengine.terms import check, vocabulary
from pyengine.web import describe, words
from pyengine.web.app import POLICY, Settings, create_app, language
from pyengine.web.pool import PoolLimits
from pyengine.web.questions import ANSWERS, PROBLEMS, Question, Reply, begin
from tests.conftest import ROOT

FILE = ROOT / "facts" / "states" / "02-defenders.yaml"
STATE = State.load(FILE)
DOCUMENT = STATE.to_dict()


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    settings = Settings(PoolLimits(workers=1, seconds=60), size=200_000)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield client


def problem(response: Any) -> Any:
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert document["status"] == response.status_code
    assert document["detail"] == "\n".join(document["faults"])
    return document


# --- questions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_answers_are_those_of_the_commands(client: TestClient, lang: Any) -> None:
    engine = Engine()
    [action, illegal] = ["defend(shia)", "defend(vyurr)"]
    resolved = engine.resolve(STATE, action)
    expected = {
        "legal": explain.judged(STATE, engine.judge(STATE), lang),
        "why": explain.explained(STATE, engine.why(STATE, illegal), lang),
        "resolve": explain.resolved(STATE, Action.parse(action), resolved, lang),
    }
    asked: dict[str, dict[str, Any]] = {
        "legal": {"state": DOCUMENT},
        "why": {"state": DOCUMENT, "action": illegal},
        "resolve": {"state": DOCUMENT, "action": action},
    }
    for name, body in asked.items():
        response = client.post(f"/{name}", params={"lang": lang}, json=body)
        assert response.status_code == 200
        assert response.headers["content-language"] == lang
        assert response.json() == expected[name]


def test_a_state_may_be_text(client: TestClient) -> None:
    text = FILE.read_text("utf-8")
    answers = [
        client.post("/legal", json={"state": state}).json()
        for state in (text, json.dumps(DOCUMENT), DOCUMENT)
    ]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["player"] == "forest"


def test_legal_only(client: TestClient) -> None:
    answer = client.post("/legal", json={"state": DOCUMENT, "legal_only": True}).json()
    assert [each["action"] for each in answer["legal"]] == ["defend(adept)", "defend(shia)", "pass"]
    assert answer["illegal"] == []


def test_an_illegal_resolve_says_why(client: TestClient) -> None:
    response = client.post("/resolve", json={"state": DOCUMENT, "action": "defend(vyurr)"})
    assert response.status_code == 200
    assert response.json()["legal"] is False
    assert [each["rule"] for each in response.json()["because"]] == ["509.3"]


def test_check_is_that_of_the_command(client: TestClient) -> None:
    answer = client.post("/check?lang=ru", json={"edition": "classic", "only": ["document"]})
    options = audit.Options("classic", only=("document",))
    told = answer.json()
    assert told["time_limit"] > 0  # a question of a server always has one
    assert told | {"time_limit": None} == telling.document(audit.check(options), "ru")
    assert told["findings"]


def test_faults_of_a_check(client: TestClient) -> None:
    body = {"edition": "clasic", "scope": 3, "sets": ["x"], "cards": "/etc/passwd", "all": 1}
    faults = problem(client.post("/check", json=body))["faults"]
    assert [fault.partition(":")[0] for fault in faults] == [
        "request.cards", "request.scope", "request.sets", "request.all", "edition",
    ]  # fmt: skip
    faults = problem(client.post("/check", json={"edition": "clasic", "only": ["x"]}))["faults"]
    assert [fault.partition(":")[0] for fault in faults] == ["edition", "only"]


def test_the_values_are_those_in_force(client: TestClient) -> None:
    effects = [
        {"card": "shia", "ability": "mod(strike,2)"},
        {"card": "groll", "ability": "is(life,9)"},
    ]
    state = {**DOCUMENT, "effects": effects}
    values = client.post("/values", json={"state": state}).json()["values"]
    assert set(values) == set(DOCUMENT["cards"])
    assert values["shia"] == {
        "strike": 6,
        "life": 4,
        "cost": 4,
        "element": ["forest"],
        "class": ["forest_guardian"],
    }
    assert values["groll"]["life"] == 9
    empty = {**DOCUMENT, "cards": {}}
    del empty["pending"]
    assert client.post("/values", json={"state": empty}).json() == {"values": {}}


def test_the_state_comes_back_short_whole_and_as_text(client: TestClient) -> None:
    answer = client.post("/state", json={"state": FILE.read_text("utf-8")}).json()
    assert answer["state"] == DOCUMENT
    assert answer["whole"] == explain.whole(STATE)
    assert State.from_json(answer["yaml"]) == STATE
    assert answer["player"] == "forest"


def test_accept_language_is_heard(client: TestClient) -> None:
    body = {"state": DOCUMENT, "action": "defend(vyurr)"}
    answer = client.post("/why", json=body, headers={"accept-language": "de, ru-RU;q=0.7"})
    assert answer.headers["content-language"] == "ru"
    assert "уже защищало" in answer.json()["because"][0]["text"]


@pytest.mark.parametrize(
    ("accepted", "found"),
    [("", "en"), ("ru", "ru"), ("en;q=0.1, ru;q=0.2", "ru"), ("ru;q=0", "en"), ("fr", "en"),
     ("ru;q=x, en;q=0.3", "en"), ("RU-ru", "ru")],
)  # fmt: skip
def test_the_language_liked_best(accepted: str, found: str) -> None:
    assert language(None, accepted) == found


# --- problems ------------------------------------------------------------------------------------


def test_all_faults_at_once(client: TestClient) -> None:
    bad = {"activ": "p1", "players": {"p1": {}, "p2": {"coins": -1}}, "cards": {}}
    response = client.post("/why", json={"state": bad, "action": "attak(x)", "sate": 1})
    assert response.status_code == 422
    told = problem(response)
    assert told["code"] == "bad_input"
    places = [fault.partition(":")[0] for fault in told["faults"]]
    assert places == ["request.sate", "activ", "players.p2.coins", "active", "action"]
    assert "did you mean state?" in told["faults"][0]


def test_a_key_that_stands_twice_is_a_fault(client: TestClient) -> None:
    text = json.dumps({"state": DOCUMENT}).replace('"turn": 11', '"turn": 11, "turn": 12')
    response = client.post("/legal", content=text, headers={"content-type": "application/json"})
    assert problem(response)["faults"] == ["turn: duplicate key (lines 1 and 1)"]


@pytest.mark.parametrize("body", ["[1]", "7", "{", "", '"text"', "null"])
def test_what_is_no_object(client: TestClient, body: str) -> None:
    response = client.post("/legal", content=body, headers={"content-type": "application/json"})
    assert problem(response)["code"] == "bad_input"


def test_what_is_missing(client: TestClient) -> None:
    told = problem(client.post("/resolve", json={}))
    assert told["faults"] == ["request.state: is required", "request.action: is required"]


def test_only_json_is_taken(client: TestClient) -> None:
    """A form or a text can be sent by a page of another site without asking; JSON cannot."""
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        response = client.post("/legal", content=b"{}", headers={"content-type": kind})
        assert response.status_code == 415
        assert problem(response)["code"] == "not_json"


def test_a_large_request_is_refused(client: TestClient) -> None:
    response = client.post("/legal", json={"state": "#" * 200_001})
    assert response.status_code == 413
    assert "200,000" in problem(response)["detail"]


def test_too_many_cards(client: TestClient) -> None:
    card = {"type": "spell", "owner": "steppe"}
    cards = {f"c{n}": card for n in range(501)}
    told = problem(client.post("/legal", json={"state": {**DOCUMENT, "cards": cards}}))
    (fault,) = told["faults"]
    assert fault.startswith("cards: 501 cards are above the limit of 500")


def test_what_is_not_there(client: TestClient) -> None:
    for path in ("/nothing", "/rules/509.33", "/states/09", "/docs/nothing"):
        assert client.get(path).status_code == 404
    assert "did you mean 509.3?" in problem(client.get("/rules/509.33"))["detail"]
    response = client.get("/legal")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert problem(response)["code"] == "wrong_method"
    assert problem(client.post("/legal?lang=de", json={}))["code"] == "bad_request"


def test_another_name_of_this_machine_is_refused(client: TestClient) -> None:
    response = client.get("/cards", headers={"host": "evil.example", "accept-language": "ru"})
    told = problem(response)
    assert (response.status_code, told["code"]) == (400, "bad_request")
    assert "не отзывается на имя 'evil.example'" in told["detail"]
    assert response.headers["content-security-policy"]
    for host in ("localhost", "LOCALHOST:8000", "127.0.0.1:80", "[::1]", "[::1]:8000"):
        assert client.get("/rules/509.3", headers={"host": host}).status_code == 200, host
    for host in ("", "localhost.evil.example", "127.0.0.1.evil.example:80", "::2"):
        assert client.get("/rules/509.3", headers={"host": host}).status_code == 400, host


def test_a_head_is_answered_as_a_get_without_its_body(client: TestClient) -> None:
    for path in ("/", "/cards", "/rules/509.3", "/openapi.json"):
        head, whole = client.head(path), client.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == str(len(whole.content))
        assert head.headers["content-type"] == whole.headers["content-type"]
    assert client.head("/legal").status_code == 405


def test_a_body_that_is_no_json_is_told_by_its_place(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    for body, place in (("{bad", "line 1, column 2"), ('{"state":\n"a" 1}', "line 2, column 5")):
        response = client.post("/legal", content=body, headers=headers)
        assert response.status_code == 422
        [fault] = problem(response)["faults"]
        assert fault.startswith(f"request: {place}: is not JSON: ")
    response = client.post("/legal?lang=ru", content="state: {}", headers=headers)
    assert "request: строка 1, столбец 1: не JSON" in problem(response)["detail"]


def test_every_problem_has_a_title_and_is_described() -> None:
    page = (ROOT / "docs" / "http.md").read_text("utf-8")
    for code, status in PROBLEMS.items():
        assert f"problem_{code}" in words.MESSAGES
        assert f"| `{code}` | {status} |" in page


def test_every_message_is_said_in_both_languages() -> None:
    source = "".join(
        file.read_text("utf-8") for file in sorted((ROOT / "pyengine/web").glob("*.py"))
    )
    said = set(re.findall(r"\bsay\(\s*\"(\w+)\"", source)) - {"no_such_option"}
    titles = {f"problem_{code}" for code in PROBLEMS}
    asked = {"not_found_at", "wrong_method_at", "bad_request_at"}
    assert set(words.MESSAGES) == said | titles | asked
    for english, russian in words.MESSAGES.values():
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", russian))
        assert re.search("[а-я]", russian) and not re.search("[а-я]", english)


def test_faults_are_told_in_russian(client: TestClient) -> None:
    body = {"state": {**DOCUMENT, "cards": dict.fromkeys(map(str, range(501)))}}
    (fault,) = problem(client.post("/legal?lang=ru", json=body))["faults"]
    assert fault.startswith("cards: ") and "предел" in fault


# --- what is at hand -----------------------------------------------------------------------------


def test_the_cards(client: TestClient) -> None:
    cards = client.get("/cards").json()["cards"]
    assert [card["id"] for card in cards] == list(catalogue())
    (groll,) = [card for card in cards if card["id"] == "groll"]
    assert groll["name"] == {"en": "Groll", "ru": "Гролль"}
    assert groll["complete"] is True
    assert groll["abilities"] == list(catalogue()["groll"].abilities)


def test_a_form_can_be_built_from_the_vocabulary(client: TestClient) -> None:
    """Whatever is put together by what it says is a term that the engine knows."""
    words = client.get("/vocabulary").json()
    assert set(words["sorts"]) == set(vocabulary().sorts)
    assert set(words["codes"]) >= {code for each in words["searches"] for code in each}
    assert words["codes"]["tie"] == {"en": "effects without an order", "ru": "эффекты без порядка"}
    # what several searches look for is asked for once
    codes = [code for each in words["searches"] for code in each]
    assert len(codes) == len(set(codes)) > 10

    def filled(sort: str, depth: int, without: Sequence[str] = ()) -> str:
        known = words["sorts"][sort]
        if known["numbers"] is not None:
            return str(max(known["numbers"][0], 1))
        if known["names"]:
            return str(known["names"][0])
        if known["any_name"]:
            return "ogr" if sort != "kind" else "groll"
        terms = [(section, name) for section, name in known["terms"] if name not in without]
        for section, name in terms:
            if not words["terms"][section][name]["forms"][0]["arguments"]:
                return str(name)
        section, name = terms[0]
        return term(section, name, 0, depth + 1)

    def term(section: str, name: str, form: int, depth: int = 0) -> str:
        assert depth < 20
        slots = words["terms"][section][name]["forms"][form]["arguments"]
        without = words["terms"][section][name]["without"]
        args = [
            slot.get("word") or filled(slot["sort"], depth, () if place else without)
            for place, slot in enumerate(slots)
        ]
        return f"{name}({','.join(args)})" if args else name

    built = 0
    for section, entries in words["terms"].items():
        for name, entry in entries.items():
            assert entry["en"] and entry["ru"]
            for number in range(len(entry["forms"])):
                text = term(section, name, number)
                faults = [f for f in check(text, section) if "to name again" not in f]
                assert faults == [], text
                built += 1
    assert built > 200


def test_the_rules(client: TestClient) -> None:
    assert [rule["id"] for rule in client.get("/rules").json()["rules"]] == list(rulebook())
    rule = client.get("/rules/509.3").json()
    assert rule["title"]["en"] == rulebook()["509.3"].title.en
    assert rule["encoded"] and rule["rulings"]


def test_the_rulings(client: TestClient) -> None:
    rule = client.get("/rules/509.3").json()
    for id in rule["rulings"]:
        ruling = client.get(f"/rulings/{id}").json()
        assert (ruling["ruling"], "509.3" in ruling["cites"]) == (id, True)
        state = State.from_dict(ruling["state"])
        assert ruling["edition"] == state.edition
        assert ruling["legal"] or ruling["illegal"] or ruling["resolve"]
    assert problem(client.get("/rulings/nothing"))["code"] == "not_found"


def test_the_samples(client: TestClient) -> None:
    listed = client.get("/states").json()["states"]
    files = sorted((ROOT / "facts" / "states").glob("*.yaml"))
    assert [each["id"] for each in listed] == [file.stem for file in files]
    for each, file in zip(listed, files, strict=True):
        assert re.search("[a-z]", each["about"]["en"]) and re.search("[а-я]", each["about"]["ru"])
        sample = client.get(f"/states/{each['id']}").json()
        assert sample["yaml"] == file.read_text("utf-8")
        assert State.from_dict(sample["state"]) == State.load(file)


def test_what_does_not_change_is_not_sent_twice(client: TestClient) -> None:
    first = client.get("/cards")
    again = client.get("/cards", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


# --- pages ---------------------------------------------------------------------------------------


def test_nothing_is_loaded_from_outside(client: TestClient) -> None:
    page = client.get("/docs")
    assert page.headers["content-security-policy"] == POLICY
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert loaded
    for path in loaded:
        assert path.startswith("/")
        assert client.get(path).status_code == 200, path
    assert "<script>" not in page.text and "style=" not in page.text


def test_the_page_is_served(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["content-security-policy"] == POLICY
    loaded = re.findall(r'(?:src|href)="\./([^"]+)"', page.text)
    assert loaded
    for path in loaded:
        answer = client.get(f"/{path}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]


def test_every_answer_has_the_headers(client: TestClient) -> None:
    for path in ("/docs", "/cards", "/nothing", "/openapi.json"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in headers["content-security-policy"]


def test_openapi_describes_every_address(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    asked = {path for path, item in document["paths"].items() if "post" in item}
    assert asked == {f"/{name}" for name in ANSWERS} == {f"/{name}" for name in describe.QUESTIONS}
    for name, told in describe.QUESTIONS.items():
        schema = document["paths"][f"/{name}"]["post"]["requestBody"]["content"]
        assert schema["application/json"]["schema"]["required"] == list(told.needed)
    assert "$ref" not in json.dumps(document["paths"]["/legal"]["post"]["requestBody"])


def test_the_examples_of_openapi_are_answered(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    for name in describe.QUESTIONS:
        body = document["paths"][f"/{name}"]["post"]["requestBody"]["content"]["application/json"]
        assert client.post(f"/{name}", json=body["example"]).status_code == 200


# --- over the wire -------------------------------------------------------------------------------


def act(question: Question) -> Reply:
    if b"sleep" in question.body:
        time.sleep(60)
    return Reply(200, b"{}")


def test_limits_are_those_that_the_server_is_given() -> None:
    begun = begin(Limits(cards=1))
    reply = begun(Question("legal", json.dumps({"state": DOCUMENT}).encode()))
    assert reply.status == 422 and b"--limit cards=" in reply.body


def begin_act() -> Callable[[Question], Reply]:
    return act


@pytest.fixture
def slow_server() -> Iterator[int]:
    """A server with one process that sleeps when it is asked to; gives its port."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    app = create_app(Settings(PoolLimits(workers=1, seconds=40)), begin_act)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def test_a_client_that_leaves_holds_up_nobody(slow_server: int) -> None:
    start = time.monotonic()
    body = '{"sleep": 1}'
    head = (
        "POST /legal HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    # one leaves before it has said what it wants, one while it is being answered
    for said in (head + body[:5], head + body):
        with socket.create_connection(("127.0.0.1", slow_server)) as leaving:
            leaving.sendall(said.encode())
            time.sleep(0.3)
    connection = http.client.HTTPConnection("127.0.0.1", slow_server, timeout=30)
    connection.request("POST", "/legal", "{}", {"Content-Type": "application/json"})
    assert connection.getresponse().status == 200
    connection.close()
    assert time.monotonic() - start < 20


def test_serve_listens_answers_and_ends(plain_environment: dict[str, str]) -> None:
    program = [sys.executable, "-m", "pyengine", "serve", "--port", "0", "--workers", "1"]
    environment = {**plain_environment, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        program, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as running:  # fmt: skip
        watch = threading.Timer(90, running.kill)
        watch.start()
        assert running.stdout is not None and running.stderr is not None
        said = running.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert match, said
        connection = http.client.HTTPConnection("127.0.0.1", int(match[1]), timeout=60)
        connection.request(
            "POST", "/legal", json.dumps({"state": DOCUMENT}), {"Content-Type": "application/json"}
        )
        assert json.loads(connection.getresponse().read())["player"] == "forest"
        connection.close()
        os.kill(running.pid, signal.SIGINT)
        assert running.wait(20) == 130
        assert running.stderr.read() == ""
        watch.cancel()


def test_serve_says_what_it_lacks(plain_environment: dict[str, str]) -> None:
    environment = {**plain_environment, "PYTHONPATH": str(ROOT)}
    for code, args, said in (
        ("import sys; sys.modules['uvicorn'] = None", [], "pip install 'pyengine[web]'"),
        ("", ["--host", "203.0.113.1"], "--host, --port: cannot listen at 203.0.113.1:8000"),
    ):
        program = f"{code}\nfrom pyengine.cli import main; raise SystemExit(main())"
        done = subprocess.run(
            [sys.executable, "-c", program, "serve", *args], env=environment,
            capture_output=True, encoding="utf-8", check=False, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


def test_the_load_test_finds_every_answer_right() -> None:
    program = [sys.executable, "-m", "bench.load", "--seconds", "1", "--clients", "3"]
    done = subprocess.run(
        [*program, "--workers", "1"], cwd=ROOT, capture_output=True, encoding="utf-8",
        check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\| 1 \| [1-9]\d* \| .* \| 0 \|$", done.stdout, re.MULTILINE)


# --- the page in docs ----------------------------------------------------------------------------

UPDATE = bool(os.environ.get("PYENGINE_UPDATE"))
PAGE = ROOT / "docs" / "http.md"
_EXAMPLE = re.compile(r"```http\n(GET|POST) (\S+)\n(.*?)\n?\n(\d+) (\S+)\n(.*?)```", re.DOTALL)


def test_docs_answer_as_shown(client: TestClient) -> None:
    """``PYENGINE_UPDATE=1`` writes the answers of today into docs/http.md."""
    text = PAGE.read_text("utf-8")
    examples = list(_EXAMPLE.finditer(text))
    assert len(examples) >= 2
    for match in examples:
        method, path, body, status, kind, shown = match.groups()
        headers = {"content-type": "application/json"} if body else {}
        response = client.request(method, path, content=body or None, headers=headers)
        came = json.dumps(response.json(), ensure_ascii=False, indent=2) + "\n"
        if UPDATE:
            new = match[0].replace(f"{status} {kind}\n{shown}", f"{status} {kind}\n{came}")
            PAGE.write_text(PAGE.read_text("utf-8").replace(match[0], new), "utf-8")
            continue
        assert (str(response.status_code), response.headers["content-type"]) == (status, kind)
        assert came == shown
