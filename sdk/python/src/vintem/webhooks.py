"""Webhooks are signed by Standard Webhooks 1.0.0: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{raw body}`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, cast

from .errors import VintemSignatureError
from .generated.types import WebhookEvent


class WebhookHeaders(Protocol):
    """The headers of a request in any framework: a dict, `request.headers` of FastAPI, Flask or Django, or those of httpx."""

    def items(self) -> Iterable[tuple[str, object]]:
        """Names and values."""


def verify_webhook(
    body: bytes | bytearray | memoryview | str,
    headers: WebhookHeaders,
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Checks a webhook and returns its event. Raises `VintemSignatureError` when it must not be believed.

    `secret` is your `whsec_…`; give several while you roll it, and one that holds is enough. The body has to be the raw bytes: a body that
    was parsed and written again has other bytes, so its signature cannot be checked. The time of the webhook may be off by
    `tolerance_seconds`; `now` is the present, in seconds since 1970.
    """
    raw = _bytes_of(body)
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    _assert_fresh(timestamp, tolerance_seconds, time.time() if now is None else now)
    signed = f"{message_id}.{timestamp}.".encode("utf-8", "surrogatepass") + raw
    secrets = [secret] if isinstance(secret, str) else secret
    # All are compared, so that the time says nothing of which one holds.
    if True not in [_holds(each, signatures, signed) for each in secrets]:
        raise VintemSignatureError(
            "no_match",
            "no signature of the webhook is by this secret: it is another secret, or the body is not the bytes that came, "
            "because it was parsed and written again",
        )
    try:
        return cast("WebhookEvent", json.loads(raw))
    except ValueError as cause:
        raise VintemSignatureError("not_json", f"the body is no JSON: {cause}") from cause


def is_newer(event: Mapping[str, object], known_version: int | None) -> bool:
    """Whether an event about a record is newer than what you have.

    Webhooks can overtake one another and come twice: keep `event["data"]["version"]` with your order, in the transaction of the effect, and
    drop what is not newer.
    """
    data = event.get("data")
    version = data.get("version") if isinstance(data, dict) else None
    if not isinstance(version, int):
        return True
    return known_version is None or version > known_version


def _bytes_of(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise VintemSignatureError(
        "parsed_body",
        "the body was parsed already: give the raw bytes of the request (await request.body() of FastAPI, request.get_data() of Flask, "
        "request.body of Django), because the signature is of them",
    )


def _header(headers: WebhookHeaders, name: str) -> str:
    found = next((value for key, value in headers.items() if key.lower() == name), None)
    value = found[0] if isinstance(found, (list, tuple)) and len(found) > 0 else found
    if not isinstance(value, str) or value == "":
        raise VintemSignatureError("missing_header", f"the header {name} is missing")
    return value


def _assert_fresh(timestamp: str, tolerance_seconds: float, now: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise VintemSignatureError("missing_header", "the header webhook-timestamp is no number of seconds")
    age = now - int(timestamp)
    if age > tolerance_seconds:
        raise VintemSignatureError("too_old", f"the webhook is {age:.0f} s old")
    if age < -tolerance_seconds:
        raise VintemSignatureError("too_new", f"the webhook is {-age:.0f} s ahead of the clock here")


def _holds(secret: str, signatures: str, signed: bytes) -> bool:
    """Whether one of the signatures is by the secret."""
    expected = hmac.digest(_key_of(secret), signed, hashlib.sha256)
    given = [_base64(text[len("v1,") :]) for text in signatures.split(" ") if text.startswith("v1,")]
    return True in [hmac.compare_digest(expected, each) for each in given if each is not None]


def _key_of(secret: str) -> bytes:
    key = _base64(secret.removeprefix("whsec_"))
    if key is None or key == b"":
        raise VintemSignatureError("bad_secret", "the secret is not whsec_ and base64: copy it again")
    return key


def _base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
