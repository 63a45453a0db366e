"""Buys at the example shop, which runs at SHOP_URL beside a sandbox: a payment by Pix on its page, one on Vintem's page, and a refund."""

from __future__ import annotations

import os
import re
import time

import httpx

from vintem import Vintem

SHOP = os.environ["SHOP_URL"]
SECONDS = 120
vintem = Vintem(api_key=os.environ["VINTEM_API_KEY"], base_url=os.environ["API_URL"])
# A browser says where a form comes from.
shop = httpx.Client(base_url=SHOP, headers={"origin": SHOP}, timeout=60)


def until(what: str, url: str, text: str) -> None:
    end = time.monotonic() + SECONDS
    while text not in shop.get(url).text:
        assert time.monotonic() < end, what
        time.sleep(0.2)


def buy(way: str) -> tuple[str, str]:
    """The order's page, and where the shop sends the payer."""
    assert "Add Coffee beans" in shop.get("/").text
    assert shop.post("/cart/beans").status_code == 303
    assert "49,90" in shop.get("/cart").text
    target = shop.post(f"/pay/{way}").headers["location"]
    assert "It is empty" in shop.get("/cart").text
    [payment] = vintem.payments.list(limit=1).page()["data"]
    vintem.sandbox.pay_payment(payment["id"], {"method": "PIX", "scenario": "exact"})
    return f"/orders/{dict(payment['metadata'])['orderId']}", target


def pix_on_the_page() -> str:
    shop.post("/cart/mug")
    order, target = buy("pix")
    assert target == order
    page = shop.get(order).text
    assert "Pix code to scan" in page or "Paid. Your coffee is on its way." in page
    until("the payment", f"{order}/status", "PAID")
    assert "Paid. Your coffee is on its way." in shop.get(order).text
    return order


def vintems_page() -> None:
    order, target = buy("checkout")
    assert re.match(r"http://[^/]+/c/", target), target
    assert httpx.get(target).is_success
    until("the payment", f"{order}/status", "PAID")


def refund(order: str) -> None:
    action = f"/admin/{order.split('/')[-1]}/refund"
    assert action in shop.get("/admin").text
    assert [shop.post(action).status_code for _ in range(2)] == [303, 303], "the same click twice"
    until("the refund", order, "of which R$ 84,90 went back to you")
    assert action not in shop.get("/admin").text
    payment_ids = [each["paymentId"] for each in vintem.refunds.list(limit=5).page()["data"]]
    assert len(payment_ids) == len(set(payment_ids)), "no payment has two"


def what_is_refused() -> None:
    assert shop.post("/webhooks", content=b'{"type":"payment.completed"}').status_code == 400
    assert shop.post("/cart/beans", headers={"origin": "http://example.com"}).status_code == 403
    assert shop.get("/orders/none").status_code == 404
    assert shop.post("/cart/none").status_code == 404
    assert shop.post("/pay/pix").headers["location"] == "/cart", "an empty cart is not paid"


paid = pix_on_the_page()
vintems_page()
refund(paid)
what_is_refused()
print("the shop holds")
