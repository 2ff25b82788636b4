"""Runs the server: the address it listens at, and what it says of itself."""

from __future__ import annotations

import ipaddress
import socket
import sys
from dataclasses import replace
from functools import partial

import uvicorn

from pyengine.faults import reason, told
from pyengine.i18n import Lang
from pyengine.limits import DEFAULT, Limits
from pyengine.model import StateError
from pyengine.web.app import LOOPBACK, Settings, create_app
from pyengine.web.pool import PoolLimits
from pyengine.web.questions import begin
from pyengine.web.words import say

_LEAVE = 3  # seconds that open connections get when it ends


def serve(
    host: str, port: int, processes: PoolLimits, lang: Lang, limits: Limits = DEFAULT
) -> None:
    """Listens until it is interrupted.

    Args:
        host: a name or an address of this machine.
        port: 0: one that is free.
        processes: how many answer, and how much of them is borne.
        lang: the language of what it says of itself.
        limits: the others of a question; of ``bytes`` a request may have as many, if they are told.

    Raises:
        StateError: that address cannot be listened at.
    """
    listening = _listen(host, port, lang)
    address, port = listening.getsockname()[:2]
    local = ipaddress.ip_address(address).is_loopback
    hosts = (*LOOPBACK, host) if local else None
    settings = Settings(processes, hosts=hosts)
    if limits.bytes != DEFAULT.bytes:
        settings = replace(settings, size=limits.bytes)
    app = create_app(settings, partial(begin, limits))
    shown = f"[{address}]" if ":" in address else address
    print(say("serving", lang, url=f"http://{shown}:{port}/"), flush=True)
    if not local:
        print(say("serving_everyone", lang, host=shown), file=sys.stderr, flush=True)
    config = uvicorn.Config(
        app, log_level="warning", server_header=False, timeout_graceful_shutdown=_LEAVE
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int, lang: Lang) -> socket.socket:
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, proto)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # who reads the address on the screen may use it at once
    except OSError as error:
        why = told(reason(error), lang)
        raise StateError([say("no_address", lang, host=host, port=port, why=why)]) from None
    return listening
