"""The shop's routes. Read from top to bottom: cart, two ways to pay, the order, the webhook, refunds."""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from fastapi.templating import Jinja2Templates

from goods import GOODS, price_text, total_of
from orders import Order, Orders
from vintem import AsyncVintem, VintemConnectionError, VintemProblem, VintemSignatureError, verify_webhook
from vintem.types import CreatePaymentRequest

templates = Jinja2Templates(Path(__file__).parent / "templates")
templates.env.filters["price"] = price_text

Way = Literal["checkout", "pix"]


@dataclass(frozen=True)
class Shop:
    vintem: AsyncVintem
    orders: Orders
    webhook_secret: str
    """`whsec_…`."""
    url: str
    """Where payers and webhooks reach this shop, such as `http://127.0.0.1:3000`."""


def create_app(shop: Shop) -> FastAPI:
    """The web application; uvicorn in shop.py listens."""
    vintem, orders = shop.vintem, shop.orders

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        reading = asyncio.create_task(read_events(shop))
        yield
        reading.cancel()
        await vintem.close()

    app = FastAPI(lifespan=lifespan)

    @app.middleware("http")
    async def refuse_forms_of_others(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        # Webhooks come from a server: they carry a signature, not the Origin of a page.
        is_form = request.method == "POST" and request.url.path != "/webhooks"
        if is_form and urlsplit(request.headers.get("origin", "")).netloc != request.headers.get("host"):
            return PlainTextResponse("a form of another site", 403)
        return await go_on(request)

    @app.get("/")
    async def show_goods(request: Request) -> Response:
        return page(request, "goods.html", goods=GOODS.values())

    @app.get("/cart")
    async def show_cart(request: Request) -> Response:
        lines = orders.lines_of(cart_of(request))
        return page(request, "cart.html", lines=lines, total=total_of(lines))

    @app.post("/cart/{sku}")
    async def put_in_cart(request: Request, sku: str) -> Response:
        if sku not in GOODS:
            raise HTTPException(404)
        cart = cart_of(request)
        orders.put_in_cart(cart, sku)
        answer = RedirectResponse("/cart", 303)
        answer.set_cookie("cart", cart, max_age=30 * 24 * 3600, httponly=True, samesite="lax")
        return answer

    # Way 1, `checkout`: Vintem's page. The payer chooses a method there, and comes back to the order's page. Coming back proves nothing.
    # Way 2, `pix`: our own page, which shows the code of Pix.
    @app.post("/pay/{way}")
    async def pay(request: Request, way: Way) -> Response:
        order = orders.place(cart_of(request))
        if order is None:
            return RedirectResponse("/cart", 303)
        body: CreatePaymentRequest = {
            "amount": order.total,
            "currency": "BRL",
            # The same order never has two payments, even if this is repeated after a crash.
            "idempotencyKey": order.id,
            "metadata": {"orderId": order.id},
            "webhookUrl": f"{shop.url}/webhooks",
            "returnUrl": f"{shop.url}/orders/{order.id}",
        }
        if way == "checkout":
            body["checkout"] = "default"
        else:
            body["paymentMethods"] = ["PIX"]
        payment = await vintem.payments.create(body)
        orders.set_payment(order.id, payment["id"])
        return RedirectResponse(payment.get("checkoutUrl", f"/orders/{order.id}"), 303)

    @app.get("/orders/{order_id}")
    async def show_order(request: Request, order_id: str) -> Response:
        order = found(orders.find(order_id))
        payment = None
        if order.payment_id is not None and order.status == "NEW":
            payment = await vintem.payments.get(order.payment_id)
        return page(request, "order.html", order=order, payment=payment)

    @app.get("/orders/{order_id}/status")
    async def show_status(order_id: str) -> Response:
        return PlainTextResponse(found(orders.find(order_id)).status)

    @app.post("/webhooks")
    async def receive(request: Request) -> Response:
        orders.apply(verify_webhook(await request.body(), request.headers, shop.webhook_secret))
        return Response(status_code=204)

    @app.get("/admin")
    async def show_orders(request: Request) -> Response:
        return page(request, "orders.html", orders=orders.newest())

    @app.post("/admin/{order_id}/refund")
    async def refund(order_id: str) -> Response:
        order = found(orders.find(order_id))
        if order.payment_id is None:
            raise HTTPException(404)
        # The key counts the refunds that have ended: a second click asks for the same refund, and after one that failed for a new one.
        key = f"refund-{order.id}-{order.refunds_ended}"
        await vintem.refunds.create(order.payment_id, {"amount": order.total - order.refunded}, idempotency_key=key)
        return RedirectResponse("/admin", 303)

    @app.exception_handler(VintemSignatureError)
    async def refuse(_: Request, error: Exception) -> Response:
        return PlainTextResponse(str(error), 400)

    @app.exception_handler(VintemProblem)
    @app.exception_handler(VintemConnectionError)
    async def explain(request: Request, error: Exception) -> Response:
        return page(request, "problem.html", status=502, detail=str(error))

    return app


async def read_events(shop: Shop) -> None:
    """Webhooks bring news at once. This loop brings what no webhook brought: both call the same code, so nothing happens twice."""
    try:
        async for batch in shop.vintem.events.follow_batches(after=shop.orders.position()):
            shop.orders.apply_all(batch.events, batch.read_to)
    except Exception:
        logging.exception("The shop reads no events any more")
        raise


def cart_of(request: Request) -> str:
    return request.cookies.get("cart") or str(uuid.uuid4())


def found(order: Order | None) -> Order:
    if order is None:
        raise HTTPException(404)
    return order


def page(request: Request, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Jinja escapes every value that is put into a page."""
    return templates.TemplateResponse(request, name, values, status_code=status)
