"""The addresses of the server (docs/http.md): questions go to the pool, the rest is at hand."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pyengine import faults, i18n
from pyengine.documents import hint
from pyengine.i18n import LANGUAGES, Lang
from pyengine.web import describe
from pyengine.web.library import Library, rulings
from pyengine.web.pool import Begin, Pool, PoolLimits
from pyengine.web.questions import PROBLEMS, Question, Reply, begin, problem
from pyengine.web.words import say

HERE = Path(__file__).resolve().parent
STATIC = HERE / "static"
DOCS = HERE / "docs"
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")

# nothing is loaded from anywhere else, and no page of another site can hold this one
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a server bears.

    Args:
        pool: the processes and their limits.
        size: bytes of a request.
        hosts: the names by which it may be asked (without the port); None: by any. What listens
            for this machine alone must name them, or a page elsewhere could reach it by a name
            that is pointed here.
    """

    pool: PoolLimits = field(default_factory=PoolLimits)
    size: int = 1_000_000
    hosts: tuple[str, ...] | None = LOOPBACK


def create_app(settings: Settings | None = None, begin: Begin = begin) -> FastAPI:
    """The server as an ASGI application. Its processes begin and end with its lifespan.

    ``begin`` makes what answers in them.
    """
    settings = settings or Settings()
    library = Library.load()
    pool = Pool(settings.pool, begin)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        try:
            yield
        finally:
            await pool.stop()

    app = FastAPI(
        title="pyengine",
        version=describe.version(),
        summary=describe.SUMMARY,
        description=describe.DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.pool = pool
    _add_questions(app, pool, settings)
    _add_library(app, library)
    _add_docs(app)
    _add_page(app)
    _add_problems(app)
    if settings.hosts is not None:
        app.add_middleware(_Hosts, known=settings.hosts)
    app.add_middleware(_Heads)
    app.add_middleware(_Headers)
    return app


# --- the language --------------------------------------------------------------------------------

LangQuery = Annotated[
    str | None,
    Query(
        description="The language of texts; left out: what Accept-Language prefers, else English.",
        json_schema_extra={"enum": list(LANGUAGES)},
    ),
]


def language(asked: str | None, accepted: str) -> Lang:
    """The language that is asked for, else the accepted one that is liked best, else English.

    >>> language(None, "de, ru;q=0.8, en;q=0.5"), language("en", "ru")
    ('ru', 'en')
    """
    if asked is not None:
        for known in LANGUAGES:
            if known == asked:
                return known
        known_ = ", ".join(LANGUAGES)
        fault = i18n.say("no_such_option", "en", option="lang", value=asked, known=known_)
        raise _Problem(problem("bad_request", [fault + hint(asked, LANGUAGES)]))
    liked: list[tuple[float, Lang]] = []
    for part in accepted.split(","):
        tag, _, quality = part.strip().partition(";")
        for known in LANGUAGES:
            if tag.strip().lower().split("-")[0] == known:
                liked.append((_quality(quality), known))
    best = max(liked, key=lambda each: each[0], default=(0.0, LANGUAGES[0]))
    return best[1] if best[0] > 0 else LANGUAGES[0]


def _quality(text: str) -> float:
    name, _, value = text.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0


# --- questions -----------------------------------------------------------------------------------


class _Problem(Exception):
    """What ends a request before it is asked."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        super().__init__(reply.status)


def _add_questions(app: FastAPI, pool: Pool, settings: Settings) -> None:
    def ask(name: str) -> Callable[..., Awaitable[Response]]:
        async def endpoint(request: Request, lang: LangQuery = None) -> Response:
            speaks = language(lang, request.headers.get("accept-language", ""))
            body = await _body(request, settings.size, speaks)
            question = Question(name, body, speaks, settings.pool.seconds)
            reply = await pool.ask(question, _left(request))
            return _response(reply, speaks)

        return endpoint

    for name, told in describe.QUESTIONS.items():
        app.add_api_route(
            f"/{name}",
            ask(name),
            methods=["POST"],
            operation_id=name,
            summary=told.summary,
            description=told.description,
            tags=["questions"],
            response_class=Response,
            responses=describe.responses(told.answer),
            openapi_extra={"requestBody": describe.body(told)},
        )


async def _body(request: Request, most: int, lang: Lang) -> bytes:
    """The text of a request, which must say that it is JSON.

    A page of another site may send texts and forms here without being asked back, JSON not.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise _Problem(problem("not_json", [say("not_json", lang, kind=kind or "—")], lang))
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            fault = say("body_too_large", lang, n=f"{most:,}")
            raise _Problem(problem("body_too_large", [fault], lang))
    return bytes(body)


async def _left(request: Request) -> None:
    """Ends when the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        await asyncio.sleep(0)


def _response(reply: Reply, lang: Lang) -> Response:
    kind = "application/json" if reply.status == 200 else "application/problem+json"
    headers = {"Content-Language": lang, "Vary": "Accept-Language", "Cache-Control": "no-store"}
    if reply.status == PROBLEMS["busy"]:
        headers["Retry-After"] = "1"
    return Response(reply.body, reply.status, headers, kind)


# --- what is at hand -----------------------------------------------------------------------------


_Known = Callable[[], Mapping[str, Any]]


def _add_library(app: FastAPI, library: Library) -> None:
    rules = {"rules": list(library.rules.values())}
    samples = {
        "states": [
            {"id": id, "about": sample["about"], "edition": sample["edition"]}
            for id, sample in library.states.items()
        ]
    }
    whole = {"cards": library.cards, "vocabulary": library.vocabulary}
    for name, document in {**whole, "rules": rules, "states": samples}.items():
        _add_document(app, name, document)

    def member(name: str, read: _Known) -> Callable[..., Awaitable[Response]]:
        async def endpoint(request: Request, id: str) -> Response:
            known = await asyncio.to_thread(read)
            if id not in known:
                lang = _spoken(request)
                text = faults.at(name, "no_such", id=id[:80], near=hint(id, known))
                fault = faults.told(text, lang)
                raise _Problem(problem("not_found", [fault], lang))
            return _kept(request, known[id])

        return endpoint

    members: dict[str, _Known] = {
        "rules": lambda: library.rules,
        "rulings": rulings,  # read when the first is asked for
        "states": lambda: library.states,
    }
    for name, read in members.items():
        told = describe.LIBRARY[f"{name}/{{id}}"]
        app.add_api_route(
            f"/{name}/{{id}}",
            member(name, read),
            methods=["GET"],
            operation_id=f"{name}_one",
            summary=told.summary,
            tags=["library"],
            response_class=Response,
            responses=describe.responses(told.answer, missing=True),
        )


def _add_document(app: FastAPI, name: str, document: Any) -> None:
    async def endpoint(request: Request) -> Response:
        return _kept(request, document)

    told = describe.LIBRARY[name]
    app.add_api_route(
        f"/{name}",
        endpoint,
        methods=["GET"],
        operation_id=name,
        summary=told.summary,
        tags=["library"],
        response_class=Response,
        responses=describe.responses(told.answer),
    )


def _kept(request: Request, document: Any) -> Response:
    """A document that a client may keep, as long as it asks whether it is still the same."""
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, "application/json")


# --- pages ---------------------------------------------------------------------------------------


def _add_docs(app: FastAPI) -> None:
    """The description of the addresses as a page; its program comes from here, not from afar."""
    assets = resources.files("fastapi_offline") / "static"

    @app.get("/docs", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(DOCS / "index.html")

    @app.get("/docs/start.js", include_in_schema=False)
    async def start() -> Response:
        return FileResponse(DOCS / "start.js")

    app.mount("/docs/assets", StaticFiles(directory=str(assets)))


def _add_page(app: FastAPI) -> None:
    """The built page. No mount at the root: it would answer for every address that there is not."""
    if not (STATIC / "index.html").is_file():
        return
    app.mount("/assets", _Hashed(directory=STATIC / "assets"))
    for file in sorted(file for file in STATIC.iterdir() if file.is_file()):
        _add_file(app, "/" if file.name == "index.html" else f"/{file.name}", file)


def _add_file(app: FastAPI, path: str, file: Path) -> None:
    @app.get(path, include_in_schema=False)
    async def send() -> Response:
        return FileResponse(file, headers={"Cache-Control": "no-cache"})


class _Hashed(StaticFiles):
    """Files whose names change with what they hold: they may be kept for ever."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


# --- problems and headers ------------------------------------------------------------------------


def _add_problems(app: FastAPI) -> None:
    @app.exception_handler(_Problem)
    async def known(request: Request, error: _Problem) -> Response:
        return _response(error.reply, _spoken(request))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        faults = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        return _response(problem("bad_request", faults), "en")

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        lang = _spoken(request)
        code = {404: "not_found", 405: "wrong_method"}.get(error.status_code, "bad_request")
        fault = say(f"{code}_at", lang, method=request.method, path=request.url.path)
        response = _response(problem(code, [fault], lang), lang)
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        return _response(problem("internal", [type(error).__name__]), "en")


def _spoken(request: Request) -> Lang:
    asked = request.query_params.get("lang")
    accepted = request.headers.get("accept-language", "")
    return language(asked if asked in LANGUAGES else None, accepted)


class _Hosts:
    """Answers to these names alone: a page elsewhere could reach it by one of its own."""

    def __init__(self, app: ASGIApp, known: Sequence[str]) -> None:
        self.app = app
        self.known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            host = Headers(scope=scope).get("host", "")
            name = host if host.endswith("]") else host.rpartition(":")[0] or host
            if name.lower() not in self.known:
                lang = _spoken(Request(scope))
                fault = say("no_such_host", lang, host=host[:80], known=", ".join(self.known))
                refusal = _response(problem("bad_request", [fault], lang), lang)
                return await refusal(scope, receive, send)
        await self.app(scope, receive, send)
        return None


class _Heads:
    """Answers HEAD wherever GET is answered: the same, without the body (RFC 9110, 9.3.2)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def bare(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        if scope["type"] == "http" and scope["method"] == "HEAD":
            await self.app({**scope, "method": "GET"}, receive, bare)
        else:
            await self.app(scope, receive, send)


class _Headers:
    """Gives every answer the headers that keep a browser safe."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, marked if scope["type"] == "http" else send)
