"""One call, without the sending of it: what is sent, what an answer means, and when the same call may be sent again."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import httpx
from typing_extensions import TypedDict

from .errors import VintemConnectionError, VintemError, VintemProblem, retry_after_of

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
# When the server demands a longer wait, the caller gets the error instead.
LONGEST_RETRY_AFTER = 60.0


class CallOptions(TypedDict, total=False):
    """What every call takes besides its own arguments."""

    timeout: float
    """How long one attempt may take, in seconds."""
    max_retries: int
    """How many more attempts after the first; 0 turns repeating off."""


@dataclass(frozen=True)
class Target:
    """Where calls go, and as whom."""

    api_key: str
    base_url: str
    timeout: float
    max_retries: int
    sub_account: str | None

    def __post_init__(self) -> None:
        if self.api_key == "":
            raise ValueError("api_key is empty")
        url = httpx.URL(self.base_url)
        if url.scheme not in ("http", "https") or url.host == "":
            raise ValueError(f"base_url is no address of a server: {self.base_url}")


@dataclass(frozen=True)
class Call:
    """A call of one operation."""

    verb: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    takes_key: bool = False
    """The operation takes an idempotency key."""
    needs_key: bool = False
    """It has to be the caller's: one that is made here would be another one after a restart."""
    key: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_repeatable(self) -> bool:
        """Whether a call without an answer may be sent again: it changes nothing more, or the service recognises it."""
        return self.verb != "POST" or self.takes_key


def path(template: str, *ids: str) -> str:
    """The path with its ids. An empty id would call the list instead of the record, and dots would climb out of it."""
    for each in ids:
        if not isinstance(each, str) or each in ("", ".", ".."):
            raise ValueError(f"{template}: {each!r} is no id")
    parts = template.split("{id}")
    return "".join(part + quote(each, safe="") for part, each in zip(parts, ids)) + parts[-1]


def request_of(http: httpx.Client | httpx.AsyncClient, target: Target, call: Call) -> httpx.Request:
    """The request, which every attempt sends as it is: so each has the same idempotency key."""
    if not call.path.startswith("/"):
        raise ValueError(f"a path begins with a slash: {call.path}")
    headers = {"apikey": target.api_key, "accept": "application/json"}
    if target.sub_account is not None:
        headers["sub-account"] = target.sub_account
    content = None
    if call.body is not None:
        headers["content-type"] = "application/json"
        content = json.dumps(call.body, allow_nan=False).encode()
    key = _header_key_of(call)
    if key is not None:
        headers["idempotency-key"] = key
    url = target.base_url.rstrip("/") + call.path + _search_of(call.query)
    return http.build_request(call.verb, url, headers={**headers, **call.headers}, content=content)


def _header_key_of(call: Call) -> str | None:
    """The key that the header has; None when the body has one, or the operation takes none."""
    if call.key is not None:
        return call.key
    has_one = isinstance(call.body, Mapping) and call.body.get("idempotencyKey") is not None
    if call.needs_key and not has_one:
        raise ValueError(f"{call.verb} {call.path} needs an idempotencyKey of yours, such as the number of an order")
    return str(uuid.uuid4()) if call.takes_key and not has_one else None


def _search_of(query: Mapping[str, object]) -> str:
    pairs = [pair for name, value in query.items() if value is not None for pair in _pairs_of(name, value)]
    return "" if pairs == [] else f"?{urlencode(pairs)}"


def _pairs_of(name: str, value: object) -> list[tuple[str, str]]:
    """A list of values is one parameter several times; a mapping is `name[key]=value`, as `metadata[orderId]=A-1`."""
    if isinstance(value, Mapping):
        return [(f"{name}[{key}]", _text(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [(name, _text(each)) for each in value]
    return [(name, _text(value))]


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def json_of(response: httpx.Response) -> Any:
    """The JSON of an answer, whose integers are exact. An answer without a body is None."""
    return None if response.content == b"" else json.loads(response.content)


def refusal_of(response: httpx.Response) -> VintemError | None:
    """The error of an answer that is not 2xx. A body that is not JSON (a proxy's page) leaves only the status."""
    if response.is_success:
        return None
    if response.is_redirect:
        # It is not followed: the key would go elsewhere.
        return connection_error(response.request, f"it redirects to {response.headers.get('location')}")
    try:
        body = json_of(response)
    except ValueError:
        body = None
    return VintemProblem(response.status_code, body, retry_after_of(response.headers.get("retry-after")))


def connection_error(request: httpx.Request, cause: Exception | str) -> VintemConnectionError:
    """The error for a call without an answer."""
    is_timeout = isinstance(cause, (httpx.TimeoutException, TimeoutError))
    why = "no answer in time" if is_timeout else f"no answer: {cause or type(cause).__name__}"
    error = VintemConnectionError(f"{request.method} {request.url}: {why}", is_timeout)
    error.__cause__ = cause if isinstance(cause, Exception) else None
    return error


def pause_before(attempt: int, error: VintemError, is_repeatable: bool) -> float | None:
    """Seconds until the next attempt; None when there is none."""
    backoff = random.random() * min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**attempt)
    if not isinstance(error, VintemProblem):
        return backoff if is_repeatable else None
    # 429 says that nothing was done. After 5xx only what the service recognises is sent again.
    if error.status != 429 and not (is_repeatable and error.status >= 500):
        return None
    if error.retry_after is None:
        return backoff
    return None if error.retry_after > LONGEST_RETRY_AFTER else error.retry_after + backoff
