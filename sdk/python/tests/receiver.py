"""A server that answers as the test chooses, and keeps what was asked of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    verb: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    length: int | None = None
    """A content-length that is not the body's: the answer breaks off."""
    parts: Iterator[bytes] | None = None
    """Bytes that are sent one after another instead of the body."""


# The answer to a call and to how many there were with it; None: no answer at all.
Answer = Callable[[Asked, int], "Reply | None"]


def answer(body: Any, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"content-type": "application/json", **named}, json.dumps(body).encode())


def problem(code: str, status: int, **headers: str) -> Reply:
    return answer({"title": "No", "status": status, "code": code, "requestId": "r-1"}, status, **headers)


@dataclass
class Receiver:
    origin: str
    calls: list[Asked]

    def header(self, name: str) -> list[str | None]:
        """What each call had."""
        return [call.headers.get(name) for call in self.calls]


@contextmanager
def receiver(answers: Answer) -> Iterator[Receiver]:
    calls: list[Asked] = []
    over = threading.Event()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def handle_any(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, self.rfile.read(length))
            with lock:
                calls.append(asked)
                count = len(calls)
            reply = answers(asked, count)
            if reply is None:
                over.wait()
                self.close_connection = True
                return
            self.send(reply)

        def send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.parts is None:
                self.send_header("content-length", str(reply.length or len(reply.body)))
            else:
                self.send_header("connection", "close")
            self.end_headers()
            self.wfile.write(reply.body)
            self.close_connection = reply.length is not None or reply.parts is not None
            for part in reply.parts or ():
                if over.wait(0.05):
                    return
                self.wfile.write(part)
                self.wfile.flush()

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                pass  # The client went away.

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Receiver(f"http://127.0.0.1:{server.server_address[1]}", calls)
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
