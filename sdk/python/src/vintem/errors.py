"""Three kinds of failure that call for different reactions: the service refused, there was no answer, a signature does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Literal, TypeAlias, TypeGuard, cast

from .generated.types import FieldError, ProblemCode


class VintemError(Exception):
    """Whatever went wrong between this program and the service."""


class VintemProblem(VintemError):
    """The service answered with an error (RFC 9457).

    Decide by `code`: https://vintem.dev/problems lists them, with what to do and whether the same call may be sent again.
    """

    status: int
    code: ProblemCode | str
    request_id: str | None
    """Name it when you ask the operator."""
    errors: list[FieldError]
    """The fields that were refused; empty when the refusal is not about fields."""
    retry_after: float | None
    """The seconds of `Retry-After`."""
    body: Any
    """The whole answer, when it was JSON."""

    def __init__(self, status: int, body: Any = None, retry_after: float | None = None) -> None:
        told: Mapping[str, Any] = body if isinstance(body, dict) else {}
        sentences = [told[name] for name in ("title", "detail") if isinstance(told.get(name), str)]
        super().__init__(": ".join(sentences) or f"the service answered {status}")
        code, request_id, errors = told.get("code"), told.get("requestId"), told.get("errors")
        self.status = status
        self.code = code if isinstance(code, str) else "unknown"
        self.request_id = request_id if isinstance(request_id, str) else None
        self.errors = cast("list[FieldError]", errors) if isinstance(errors, list) else []
        self.retry_after = retry_after
        self.body = body

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception goes from process to process with the arguments that make it, not with its text.
        return type(self), (self.status, self.body, self.retry_after)


class VintemConnectionError(VintemError):
    """No answer came: the call may or may not have been carried out.

    Sent again with the same idempotency key, it is carried out at most once.
    """

    is_timeout: bool
    """Whether the time of the attempt was over."""

    def __init__(self, message: str, is_timeout: bool = False) -> None:
        super().__init__(message)
        self.is_timeout = is_timeout

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.is_timeout)


SignatureFault: TypeAlias = Literal[
    "parsed_body", "missing_header", "bad_secret", "too_old", "too_new", "no_match", "not_json"
]


class VintemSignatureError(VintemError):
    """A webhook that must not be believed. Answer 400, and do nothing."""

    reason: SignatureFault

    def __init__(self, reason: SignatureFault, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, str(self))


def is_problem(error: object, code: ProblemCode) -> TypeGuard[VintemProblem]:
    """Whether the error is an answer of the service with this code, such as `insufficient_funds`."""
    return isinstance(error, VintemProblem) and error.code == code


def retry_after_of(header: str | None) -> float | None:
    """RFC 9110 §10.2.3: seconds, or a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    # A date without a zone is in GMT.
    return max(0.0, (at.replace(tzinfo=at.tzinfo or timezone.utc) - datetime.now(timezone.utc)).total_seconds())
