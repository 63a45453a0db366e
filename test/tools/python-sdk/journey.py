"""A merchant's program on the installed SDK, at a running sandbox: a payment from its creation to its refund and payout, by both clients."""

from __future__ import annotations

import asyncio
import os
import queue
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from vintem import AsyncVintem, Vintem, VintemProblem, VintemSignatureError, is_newer, is_problem, verify_webhook
from vintem.types import CreatePaymentRequest, WebhookEvent

API_URL, API_KEY = os.environ["API_URL"], os.environ["VINTEM_API_KEY"]
SECRET = os.environ["VINTEM_WEBHOOK_SECRET"]
SECONDS = 120
# Beyond 32 bits, so that nothing on the way is a float or a short integer.
AMOUNT = 5_000_000_000


def until(what: str, is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.2)


@contextmanager
def hook() -> Iterator[tuple[str, queue.Queue[WebhookEvent]]]:
    """A server that verifies what it gets."""
    events: queue.Queue[WebhookEvent] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            try:
                verify_webhook(body + b" ", self.headers, SECRET)
                raise AssertionError("a changed body was accepted")
            except VintemSignatureError as error:
                assert error.reason == "no_match", error
            events.put(verify_webhook(body, self.headers, SECRET))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/hook", events
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def next_of(events: queue.Queue[WebhookEvent], kind: str, payment_id: str) -> WebhookEvent:
    end = time.monotonic() + SECONDS
    while True:
        event = events.get(timeout=end - time.monotonic())
        if event["type"] == kind and dict(event["data"]).get("id") == payment_id:
            return event


def synchronous() -> None:
    with hook() as (url, events), Vintem(api_key=API_KEY, base_url=API_URL) as vintem:
        body: CreatePaymentRequest = {
            "amount": AMOUNT,
            "currency": "BRL",
            "idempotencyKey": str(uuid.uuid4()),
            "paymentMethods": ["PIX"],
            "webhookUrl": url,
        }
        made = vintem.payments.create(body)
        assert made["amount"] == AMOUNT
        assert vintem.payments.create(body)["id"] == made["id"], "the same key finds the same payment"
        vintem.sandbox.pay_payment(made["id"], {"scenario": "exact"})
        event = next_of(events, "payment.completed", made["id"])
        assert event["type"] == "payment.completed"
        assert event["data"]["amountReceived"] == AMOUNT
        assert is_newer(event, None) and not is_newer(event, event["data"]["version"])
        assert vintem.payments.get(made["id"])["status"] == "PAID"
        assert made["id"] in [payment["id"] for payment in vintem.payments.list(status="PAID", limit=1)]

        refund = vintem.refunds.create(made["id"], {"amount": 1000})
        until("the refund", lambda: vintem.refunds.get(refund["id"])["status"] == "COMPLETED")
        assert [each["id"] for each in vintem.refunds.list(payment_id=made["id"], limit=1)] == [refund["id"]]

        payout = vintem.withdrawals.create(
            {
                "type": "PIX",
                "amount": 2500,
                "currency": "BRL",
                "pixKey": "ana@example.com",
                "pixKeyType": "EMAIL",
                "idempotencyKey": str(uuid.uuid4()),
            }
        )
        until("the payout", lambda: vintem.withdrawals.get(payout["id"])["status"] == "COMPLETED")

        ours = (event for event in vintem.events.follow(after=0) if dict(event["data"])["id"] in (made["id"], refund["id"]))
        kinds = [next(ours)["type"] for _ in range(3)]
        assert kinds == ["payment.completed", "refund.created", "refund.completed"], kinds
        assert vintem.request("GET", "/v1/wallets/statement?format=csv").headers["content-type"].startswith("text/csv")
        try:
            vintem.payments.get(str(uuid.uuid4()))
            raise AssertionError("a payment that is none was found")
        except VintemProblem as refused:
            assert is_problem(refused, "not_found") and refused.request_id


async def asynchronous() -> None:
    async with AsyncVintem(api_key=API_KEY, base_url=API_URL) as vintem:
        key = str(uuid.uuid4())
        body: CreatePaymentRequest = {"amount": 4990, "currency": "BRL", "paymentMethods": ["PIX"], "idempotencyKey": key}
        made, again = await asyncio.gather(*[vintem.payments.create(body) for _ in range(2)])
        assert made["id"] == again["id"]
        events = vintem.events.follow(after=0, types=["payment.completed"])
        await vintem.sandbox.pay_payment(made["id"], {"scenario": "exact"})
        async for event in events:
            assert event["type"] == "payment.completed"
            if event["data"]["id"] == made["id"]:
                break
        assert made["id"] in [each["id"] async for each in vintem.payments.list(status="PAID", limit=2)]
        assert len((await vintem.payments.list(limit=1).page())["data"]) == 1


synchronous()
asyncio.run(asynchronous())
print(f"all holds on Python {sys.version_info.major}.{sys.version_info.minor}")
