"""Verification of webhooks, by the vectors that all SDKs share."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from vintem import VintemSignatureError, is_newer, verify_webhook

FILE = Path(os.environ.get("VINTEM_WEBHOOK_VECTORS", Path(__file__).parents[2] / "webhook-vectors.json"))
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
EVENT = next(each for each in VECTORS if each["name"] == "an event")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_each_vector_is_accepted_or_refused_for_its_reason(vector: dict[str, Any]) -> None:
    def verify() -> object:
        return verify_webhook(vector["body"], vector["headers"], vector["secrets"], now=vector["now"])

    if vector["fault"] is None:
        assert verify() == json.loads(vector["body"])
    else:
        with pytest.raises(VintemSignatureError) as found:
            verify()
        assert found.value.reason == vector["fault"]


def test_any_kind_of_bytes_and_headers_is_read_and_one_secret_may_stand_alone() -> None:
    raw, headers, [secret] = EVENT["body"].encode(), EVENT["headers"], EVENT["secrets"]
    for body in (raw, bytearray(raw), memoryview(raw), EVENT["body"]):
        for some in (headers, httpx.Headers(headers), {name: [value] for name, value in headers.items()}):
            assert verify_webhook(body, some, secret, now=EVENT["now"])["id"] == "e-1"


def test_a_parsed_body_is_refused_and_the_message_says_what_to_do() -> None:
    with pytest.raises(VintemSignatureError, match="raw bytes") as found:
        verify_webhook(json.loads(EVENT["body"]), EVENT["headers"], EVENT["secrets"], now=EVENT["now"])
    assert found.value.reason == "parsed_body"


def test_without_a_time_of_its_own_the_clock_of_the_machine_counts() -> None:
    with pytest.raises(VintemSignatureError) as found:
        verify_webhook(EVENT["body"], EVENT["headers"], EVENT["secrets"], tolerance_seconds=0)
    assert found.value.reason in ("too_old", "too_new")
    assert verify_webhook(EVENT["body"], EVENT["headers"], EVENT["secrets"], tolerance_seconds=10**12)["id"] == "e-1"


def test_an_event_is_newer_only_with_a_higher_version() -> None:
    event = {"data": {"id": "p-1", "version": 3}}
    assert [is_newer(event, known) for known in (None, 2, 3, 4)] == [True, True, False, False]
    assert is_newer({"data": {"id": "e-1"}}, 4), "a record without versions"
