"""Take payments with Vintem: a typed client, and the verification of webhooks. The records' types are in `vintem.types`."""

from ._call import CallOptions
from ._client import AsyncVintem, Vintem
from ._follow import EventBatch
from .errors import (
    SignatureFault,
    VintemConnectionError,
    VintemError,
    VintemProblem,
    VintemSignatureError,
    is_problem,
)
from .pages import AsyncPages, Page, Pages
from .webhooks import is_newer, verify_webhook

__all__ = [
    "AsyncPages",
    "AsyncVintem",
    "CallOptions",
    "EventBatch",
    "Page",
    "Pages",
    "SignatureFault",
    "Vintem",
    "VintemConnectionError",
    "VintemError",
    "VintemProblem",
    "VintemSignatureError",
    "is_newer",
    "is_problem",
    "verify_webhook",
]
