"""Following events at a server that fails, hangs and repeats: every event comes once, in its order."""

from __future__ import annotations

import asyncio
import threading
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import Client
from receiver import Asked, Reply, answer, problem, receiver

from vintem import AsyncVintem, Vintem, VintemProblem


def query_of(asked: Asked) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(asked.path).query).items()}


def first(count: int, followed: Any) -> Any:
    """As many as that, of a generator of either kind."""
    if hasattr(followed, "__iter__"):
        return islice(followed, count)

    async def some() -> Any:
        found = []
        async for each in followed:
            found.append(each)
            if len(found) == count:
                return found

    return some()


def test_every_event_comes_once_in_order_over_answers_that_fail_and_answers_that_are_empty(do: Client) -> None:
    def events(asked: Asked, count: int) -> Reply:
        if count % 3 == 0:
            return problem("unavailable", 503, retry_after="0")
        after = int(query_of(asked)["after"])
        found = [] if count % 4 == 0 else [after + 1, after + 2]
        return answer({"data": [{"sequence": each} for each in found], "readTo": after + len(found)})

    with receiver(events) as site:
        found = do(site.origin, lambda vintem: first(8, vintem.events.follow(after=7)))
    assert [event["sequence"] for event in found] == [8, 9, 10, 11, 12, 13, 14, 15]
    assert query_of(site.calls[0]) == {"after": "7", "wait": "30", "limit": "100"}


def test_types_skip_what_is_between_and_the_next_position_comes_with_its_batch(do: Client) -> None:
    def events(asked: Asked, _: int) -> Reply:
        after = int(query_of(asked)["after"])
        return answer({"data": [{"sequence": after + 5}], "readTo": after + 9})

    with receiver(events) as site:
        types = ["refund.failed", "refund.completed"]
        found = do(site.origin, lambda vintem: first(2, vintem.events.follow_batches(after=0, types=types)))
    assert [(batch.events[0]["sequence"], batch.read_to) for batch in found] == [(5, 9), (14, 18)]
    assert query_of(site.calls[0])["types"] == "refund.failed,refund.completed"


def test_a_refusal_is_raised(do: Client) -> None:
    with receiver(lambda *_: problem("unauthenticated", 401)) as site, pytest.raises(VintemProblem):
        do(site.origin, lambda vintem: first(1, vintem.events.follow(after=0)))
    assert len(site.calls) == 1


def test_stop_ends_the_iteration_of_a_thread_also_while_it_pauses() -> None:
    stop = threading.Event()
    with receiver(lambda *_: problem("unavailable", 503, retry_after="50")) as site:
        with Vintem(api_key="k", base_url=site.origin) as vintem:
            reading = threading.Thread(target=lambda: list(vintem.events.follow(after=0, stop=stop)))
            reading.start()
            while site.calls == []:
                stop.wait(0.01)
            stop.set()
            reading.join(20)
            assert not reading.is_alive()


def test_a_task_that_is_canceled_ends_a_wait_that_the_service_keeps_open() -> None:
    async def follow() -> None:
        with receiver(lambda *_: None) as site:
            async with AsyncVintem(api_key="k", base_url=site.origin) as vintem:

                async def read() -> None:
                    async for _ in vintem.events.follow(after=0):
                        pass

                reading = asyncio.create_task(read())
                while site.calls == []:
                    await asyncio.sleep(0.01)
                reading.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await reading

    asyncio.run(follow())
