"""Runs the samples of the SDK's README, each from its file, at a running sandbox: `samples.py <create.py> <receive.py> <follow.py>`."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
from fastapi.testclient import TestClient

from vintem import Vintem

create, receive, follow = sys.argv[1:]
SECONDS = 120


def create_twice() -> None:
    urls = {subprocess.run([sys.executable, create], check=True, capture_output=True, text=True).stdout for _ in range(2)}
    assert len(urls) == 1, "the key of the page finds the same payment"
    assert httpx.get(urls.pop().strip()).is_success


def receive_one() -> None:
    scope: dict[str, Any] = {"__name__": "receive"}
    exec(compile(Path(receive).read_text(encoding="utf-8"), receive, "exec"), scope)
    client = TestClient(scope["app"])
    body = json.dumps({"id": "e-1", "type": "payment.completed", "data": {"id": "p-1", "version": 3}}).encode()
    at = str(int(time.time()))
    key = base64.b64decode(os.environ["VINTEM_WEBHOOK_SECRET"].removeprefix("whsec_"))
    signature = base64.b64encode(hmac.digest(key, b"e-1." + at.encode() + b"." + body, hashlib.sha256)).decode()
    headers = {"webhook-id": "e-1", "webhook-timestamp": at, "webhook-signature": f"v1,{signature}"}
    assert client.post("/webhooks", content=body, headers=headers).status_code == 204
    refused = client.post("/webhooks", content=body + b" ", headers=headers)
    assert (refused.status_code, refused.text) == (400, "no_match")


def follow_some() -> None:
    first = follow_beyond(0)
    with Vintem(api_key=os.environ["VINTEM_API_KEY"], base_url=os.environ["API_URL"]) as vintem:
        vintem.wallets.create({"currency": "BRL", "walletType": "RESERVE", "label": f"After {first}"})
    # Started again it goes on where it was.
    follow_beyond(first)


def follow_beyond(position: int) -> int:
    """Runs the sample until it has stored a later position. Returns that."""
    reading = subprocess.Popen([sys.executable, follow])
    try:
        end = time.monotonic() + SECONDS
        while handled()[0] <= position:
            assert time.monotonic() < end and reading.poll() is None
            time.sleep(0.2)
    finally:
        reading.terminate()
        reading.wait()
    last, count = handled()
    # Sequences begin at 1 and have no gaps.
    assert count == last, "every event was handled once"
    return last


def handled() -> tuple[int, int]:
    """The position that is stored, and how many events were handled."""
    if not Path("shop.db").exists():
        return 0, 0
    with closing(sqlite3.connect("shop.db", timeout=30)) as database:
        if database.execute("select 1 from sqlite_master where name = 'handled'").fetchone() is None:
            return 0, 0
        last, count = database.execute("select coalesce(max(position), 0), count(*) from handled").fetchone()
        return last, count


create_twice()
receive_one()
follow_some()
print("the samples hold")
