"""The two clients: the same methods, for threads and for event loops."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType

import httpx
from typing_extensions import Self, Unpack

from ._call import Call, CallOptions, Target
from ._send import AsyncSender, Sender
from .generated.async_resources import AsyncResources
from .generated.resources import Resources


class Vintem(Resources):
    """A client for one key, with a method for each operation: `vintem.payments.get(id)`.

    Threads may share it. It keeps connections open: make one for each process, and close it, or use it in a `with` statement.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = 45.0,
        max_retries: int = 3,
        sub_account: str | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """`api_key` is `vtm_live_…` or `vtm_test_…`; `base_url` is where the API is, such as `http://127.0.0.1:4000`.

        One attempt of a call may take `timeout` seconds, and `max_retries` more may follow the first. An `http_client` of yours, for a
        proxy or for tests, stays yours: `close` leaves it open.
        """
        target = Target(api_key.strip(), base_url, timeout, max_retries, sub_account)
        self._owns_http = http_client is None
        self._sender = Sender(http_client if http_client is not None else httpx.Client(), target)
        super().__init__(self._sender)

    def acting_for(self, sub_account_id: str) -> Vintem:
        """The same client in the name of one of your sub-accounts; the key needs the scope `subaccounts:act`.

        It uses the connections of this one, and ends with it.
        """
        target = self._sender.target
        return Vintem(
            api_key=target.api_key,
            base_url=target.base_url,
            timeout=target.timeout,
            max_retries=target.max_retries,
            sub_account=sub_account_id,
            http_client=self._sender.http,
        )

    def request(
        self,
        verb: str,
        path: str,
        *,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        **options: Unpack[CallOptions],
    ) -> httpx.Response:
        """Any call, such as a statement as CSV: the answer as it came. Only a GET is repeated."""
        return self._sender.send(_any_call(verb, path, body, headers), options, lambda response: response)

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._sender.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncVintem(AsyncResources):
    """A client for one key, with a method for each operation: `await vintem.payments.get(id)`.

    Tasks may share it. It keeps connections open: make one for each event loop, and close it, or use it in an `async with` statement.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = 45.0,
        max_retries: int = 3,
        sub_account: str | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """As for `Vintem`, with an `httpx.AsyncClient`."""
        target = Target(api_key.strip(), base_url, timeout, max_retries, sub_account)
        self._owns_http = http_client is None
        self._sender = AsyncSender(http_client if http_client is not None else httpx.AsyncClient(), target)
        super().__init__(self._sender)

    def acting_for(self, sub_account_id: str) -> AsyncVintem:
        """The same client in the name of one of your sub-accounts; the key needs the scope `subaccounts:act`.

        It uses the connections of this one, and ends with it.
        """
        target = self._sender.target
        return AsyncVintem(
            api_key=target.api_key,
            base_url=target.base_url,
            timeout=target.timeout,
            max_retries=target.max_retries,
            sub_account=sub_account_id,
            http_client=self._sender.http,
        )

    async def request(
        self,
        verb: str,
        path: str,
        *,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        **options: Unpack[CallOptions],
    ) -> httpx.Response:
        """Any call, such as a statement as CSV: the answer as it came. Only a GET is repeated."""
        return await self._sender.send(_any_call(verb, path, body, headers), options, lambda response: response)

    async def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            await self._sender.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _any_call(verb: str, path: str, body: object, headers: Mapping[str, str] | None) -> Call:
    return Call(verb.upper(), path, body=body, headers=headers or {})
