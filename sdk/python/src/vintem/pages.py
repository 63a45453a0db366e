"""A list of the API: `page()` is one page of it, iterated it is every record of every page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, TypeVar

from typing_extensions import NotRequired, TypedDict

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """Some records of a list, and where it goes on."""

    data: list[Item]
    nextCursor: NotRequired[str]
    """Absent on the last page."""


class Pages(Generic[Item]):
    """`for payment in vintem.payments.list()` fetches further pages when they are reached; `vintem.payments.list().page()` is the first."""

    def __init__(self, fetch_page: Callable[[str | None], Page[Item]]) -> None:
        self._fetch_page = fetch_page

    def page(self, cursor: str | None = None) -> Page[Item]:
        """The page behind a cursor; without one the first."""
        return self._fetch_page(cursor)

    def __iter__(self) -> Iterator[Item]:
        page = self._fetch_page(None)
        yield from page["data"]
        while "nextCursor" in page:
            page = self._fetch_page(page["nextCursor"])
            yield from page["data"]


class AsyncPages(Generic[Item]):
    """`async for payment in vintem.payments.list()` fetches further pages when they are reached; `await vintem.payments.list().page()` is the first."""

    def __init__(self, fetch_page: Callable[[str | None], Awaitable[Page[Item]]]) -> None:
        self._fetch_page = fetch_page

    async def page(self, cursor: str | None = None) -> Page[Item]:
        """The page behind a cursor; without one the first."""
        return await self._fetch_page(cursor)

    async def __aiter__(self) -> AsyncIterator[Item]:
        page = await self._fetch_page(None)
        for item in page["data"]:
            yield item
        while "nextCursor" in page:
            page = await self._fetch_page(page["nextCursor"])
            for item in page["data"]:
                yield item
