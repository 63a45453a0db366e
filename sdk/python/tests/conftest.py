"""Each test of the client runs with both of them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any, Protocol

import pytest

from vintem import AsyncVintem, Vintem


class Client(Protocol):
    """What a client makes of some work: a result, or all records of a list."""

    def __call__(self, origin: str, work: Callable[[Any], Any], **options: Any) -> Any: ...


@pytest.fixture(params=["sync", "async"])
def do(request: pytest.FixtureRequest) -> Client:
    return synchronous if request.param == "sync" else asynchronous


def synchronous(origin: str, work: Callable[[Any], Any], **options: Any) -> Any:
    with Vintem(api_key="vtm_test_1", base_url=f"{origin}/", **options) as vintem:
        result = work(vintem)
        return list(result) if hasattr(result, "__iter__") and not isinstance(result, dict) else result


def asynchronous(origin: str, work: Callable[[Any], Any], **options: Any) -> Any:
    async def run() -> Any:
        async with AsyncVintem(api_key="vtm_test_1", base_url=f"{origin}/", **options) as vintem:
            result = work(vintem)
            if inspect.isawaitable(result):
                return await result
            return [each async for each in result] if hasattr(result, "__aiter__") else result

    return asyncio.run(run())
