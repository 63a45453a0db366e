"""Events in their order, without gaps and without a public address: docs/events.md."""

from __future__ import annotations

import random
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import anyio

from ._call import Call, CallOptions
from ._send import AsyncResource, Resource
from .errors import VintemConnectionError, VintemError, VintemProblem
from .generated.types import EventType, WebhookEvent

PAUSE = 1.0


@dataclass(frozen=True)
class EventBatch:
    """Events that were read together. Store `read_to` in the transaction of their effects, and begin there the next time."""

    events: list[WebhookEvent]
    read_to: int


class FollowedEvents(Resource):
    """Events, and a loop that reads them as they happen."""

    def follow(
        self,
        *,
        after: int,
        types: Sequence[EventType | str] | None = None,
        wait_seconds: int = 30,
        limit: int = 100,
        stop: threading.Event | None = None,
    ) -> Iterator[WebhookEvent]:
        """Every event once, in the order of `sequence`, and then the next ones as they happen.

        `after` is the position up to which you have read: `sequence` of the last event that you handled, or `read_to`; 0 is before the
        first one. A request without an answer is sent again, without a limit. A refusal (a wrong key, a missing scope) is raised. `stop`,
        once set, ends the iteration: at the latest after `wait_seconds`, for which the service may wait for an event.
        """
        for batch in self.follow_batches(after=after, types=types, wait_seconds=wait_seconds, limit=limit, stop=stop):
            yield from batch.events

    def follow_batches(
        self,
        *,
        after: int,
        types: Sequence[EventType | str] | None = None,
        wait_seconds: int = 30,
        limit: int = 100,
        stop: threading.Event | None = None,
    ) -> Iterator[EventBatch]:
        """As `follow` in batches, which are never empty: for effects that are written with the position in one transaction."""
        ended = stop if stop is not None else threading.Event()
        position = after
        while not ended.is_set():
            try:
                batch = _batch_of(self._call(_next_events(position, types, wait_seconds, limit), _options(wait_seconds)))
            except VintemError as error:
                ended.wait(_pause_after(error))
                continue
            position = batch.read_to
            if batch.events != []:
                yield batch


class AsyncFollowedEvents(AsyncResource):
    """Events, and a loop that reads them as they happen."""

    async def follow(
        self,
        *,
        after: int,
        types: Sequence[EventType | str] | None = None,
        wait_seconds: int = 30,
        limit: int = 100,
    ) -> AsyncIterator[WebhookEvent]:
        """Every event once, in the order of `sequence`, and then the next ones as they happen, until the task is canceled.

        `after` is the position up to which you have read: `sequence` of the last event that you handled, or `read_to`; 0 is before the
        first one. A request without an answer is sent again, without a limit. A refusal (a wrong key, a missing scope) is raised.
        """
        async for batch in self.follow_batches(after=after, types=types, wait_seconds=wait_seconds, limit=limit):
            for event in batch.events:
                yield event

    async def follow_batches(
        self,
        *,
        after: int,
        types: Sequence[EventType | str] | None = None,
        wait_seconds: int = 30,
        limit: int = 100,
    ) -> AsyncIterator[EventBatch]:
        """As `follow` in batches, which are never empty: for effects that are written with the position in one transaction."""
        position = after
        while True:
            try:
                call = _next_events(position, types, wait_seconds, limit)
                batch = _batch_of(await self._call(call, _options(wait_seconds)))
            except VintemError as error:
                await anyio.sleep(_pause_after(error))
                continue
            position = batch.read_to
            if batch.events != []:
                yield batch


def _next_events(after: int, types: Sequence[str] | None, wait_seconds: int, limit: int) -> Call:
    only = None if types is None else ",".join(types)
    return Call("GET", "/v1/events", query={"after": after, "wait": wait_seconds, "limit": limit, "types": only})


def _options(wait_seconds: int) -> CallOptions:
    # The loop repeats a request itself.
    return {"timeout": wait_seconds + 15, "max_retries": 0}


def _batch_of(answer: Any) -> EventBatch:
    return EventBatch(events=answer["data"], read_to=answer["readTo"])


def _pause_after(error: VintemError) -> float:
    """Seconds until the same is asked again. Raises what does not pass by itself."""
    is_busy = isinstance(error, VintemProblem) and (error.status == 429 or error.status >= 500)
    if not is_busy and not isinstance(error, VintemConnectionError):
        raise error
    asked = error.retry_after if isinstance(error, VintemProblem) else None
    return (PAUSE if asked is None else asked) * (1 + random.random() / 4)
