"""Sends calls until they are answered or no further attempt is allowed: once for threads, once for event loops."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import Any, TypeVar

import anyio
import httpx

from ._call import Call, CallOptions, Target, connection_error, json_of, pause_before, refusal_of, request_of
from .errors import VintemError
from .pages import AsyncPages, Pages

Result = TypeVar("Result")
Read = Callable[[httpx.Response], Result]

# Faults of the caller, such as a header with a line feed: another attempt would not help.
FAULTS = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)
# What counts as no answer: none came, it broke off, or it is no JSON.
NO_ANSWER = (httpx.HTTPError, TimeoutError, ValueError)


class Sender:
    """Sends calls by a client of httpx, which threads may share."""

    def __init__(self, http: httpx.Client, target: Target) -> None:
        self.http = http
        self.target = target

    def send(self, call: Call, options: CallOptions, read: Read[Result]) -> Result:
        """What `read` makes of the answer. Raises `VintemProblem` for an error of the service, `VintemConnectionError` without an answer."""
        request = request_of(self.http, self.target, call)
        limits = replace(self.target, **options)
        for attempt in count():
            try:
                return self._attempt(request, limits.timeout, read)
            except VintemError as error:
                wait = pause_before(attempt, error, call.is_repeatable) if attempt < limits.max_retries else None
                if wait is None:
                    raise
            time.sleep(wait)
        raise AssertionError("count() has no end")

    def _attempt(self, request: httpx.Request, timeout: float, read: Read[Result]) -> Result:
        request.extensions = {**request.extensions, "timeout": httpx.Timeout(timeout).as_dict()}
        deadline = time.monotonic() + timeout
        try:
            with closing(self.http.send(request, stream=True, follow_redirects=False)) as response:
                response.stream = _LimitedStream(response.stream, deadline)
                response.read()
            return _result_of(response, read)
        except FAULTS:
            raise
        except NO_ANSWER as cause:
            raise connection_error(request, cause) from cause


class _LimitedStream(httpx.SyncByteStream):
    """The body of an answer until a deadline: httpx limits each wait for a part of it, and not their sum."""

    def __init__(self, stream: object, deadline: float) -> None:
        assert isinstance(stream, httpx.SyncByteStream)
        self._stream = stream
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            if time.monotonic() > self._deadline:
                raise TimeoutError
            yield part

    def close(self) -> None:
        self._stream.close()


class AsyncSender:
    """Sends calls by an asynchronous client of httpx, which tasks may share."""

    def __init__(self, http: httpx.AsyncClient, target: Target) -> None:
        self.http = http
        self.target = target

    async def send(self, call: Call, options: CallOptions, read: Read[Result]) -> Result:
        """As `Sender.send`."""
        request = request_of(self.http, self.target, call)
        limits = replace(self.target, **options)
        for attempt in count():
            try:
                return await self._attempt(request, limits.timeout, read)
            except VintemError as error:
                wait = pause_before(attempt, error, call.is_repeatable) if attempt < limits.max_retries else None
                if wait is None:
                    raise
            await anyio.sleep(wait)
        raise AssertionError("count() has no end")

    async def _attempt(self, request: httpx.Request, timeout: float, read: Read[Result]) -> Result:
        request.extensions = {**request.extensions, "timeout": httpx.Timeout(timeout).as_dict()}
        try:
            with anyio.fail_after(timeout):
                response = await self.http.send(request, follow_redirects=False)
            return _result_of(response, read)
        except FAULTS:
            raise
        except NO_ANSWER as cause:
            raise connection_error(request, cause) from cause


def _result_of(response: httpx.Response, read: Read[Result]) -> Result:
    refusal = refusal_of(response)
    if refusal is not None:
        raise refusal
    return read(response)


class Resource:
    """The operations of one resource."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def _call(self, call: Call, options: CallOptions) -> Any:
        return self._sender.send(call, options, json_of)

    def _pages(self, call: Call, options: CallOptions) -> Pages[Any]:
        return Pages(lambda cursor: self._call(_behind(call, cursor), options))


class AsyncResource:
    """The operations of one resource."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def _call(self, call: Call, options: CallOptions) -> Any:
        return await self._sender.send(call, options, json_of)

    def _pages(self, call: Call, options: CallOptions) -> AsyncPages[Any]:
        return AsyncPages(lambda cursor: self._call(_behind(call, cursor), options))


def _behind(call: Call, cursor: str | None) -> Call:
    return replace(call, query={**call.query, "cursor": cursor})
