"""However events come, an order ends in its last state and is fulfilled once."""

import itertools
import random
from typing import Any

import pytest
from orders import Order, Orders

CART = "c-1"


def placed() -> tuple[Orders, str]:
    orders = Orders(":memory:")
    orders.put_in_cart(CART, "beans")
    orders.put_in_cart(CART, "beans")
    order = orders.place(CART)
    assert order is not None and order.total == 9980
    return orders, order.id


def now(orders: Orders, order_id: str) -> Order:
    order = orders.find(order_id)
    assert order is not None
    return order


def news(order_id: str, version: int, kind: str, status: str) -> Any:
    return {"type": kind, "data": {"id": "p-1", "version": version, "status": status, "metadata": {"orderId": order_id}}}


def refund(version: int, status: str) -> Any:
    data = {"id": "r-1", "paymentId": "p-1", "amount": 1000, "status": status, "version": version}
    return {"type": "refund.completed", "data": data}


def test_events_that_come_twice_late_and_in_any_order_leave_one_fulfilment_and_the_newest_state() -> None:
    dice = random.Random(20261128)
    for order_of_events in itertools.permutations(range(6)):
        orders, order_id = placed()
        events = [
            news(order_id, 2, "payment.underpaid", "WAITING_PAYMENT"),
            news(order_id, 3, "payment.expired", "EXPIRED"),
            news(order_id, 4, "payment.completed", "PAID"),
            news(order_id, 5, "payment.received_after_close", "PAID"),
            refund(1, "PENDING"),
            refund(2, "COMPLETED"),
        ]
        sent = [events[nth] for nth in order_of_events] + dice.choices(events, k=3)
        orders.apply_all(sent[:3], 3)
        for event in sent[3:]:
            orders.apply(event)
        order = now(orders, order_id)
        assert (order.status, order.refunded, order.fulfilled_at is not None) == ("PAID", 1000, True)
        assert orders.position() == 3


def test_an_order_that_is_not_paid_is_not_fulfilled_and_a_payment_of_somebody_else_changes_nothing() -> None:
    orders, order_id = placed()
    orders.apply(news(order_id, 2, "payment.underpaid", "WAITING_PAYMENT"))
    orders.apply(news("another", 9, "payment.completed", "PAID"))
    assert now(orders, order_id).fulfilled_at is None


def test_what_fails_in_the_middle_leaves_neither_the_effect_nor_the_position() -> None:
    orders, order_id = placed()
    broken: Any = {"type": "refund.completed", "data": {}}
    with pytest.raises(KeyError):
        orders.apply_all([news(order_id, 4, "payment.completed", "PAID"), broken], 9)
    assert (now(orders, order_id).status, orders.position()) == ("NEW", 0)


def test_an_empty_cart_is_no_order_and_a_cart_is_empty_after_its_order() -> None:
    orders, _ = placed()
    assert orders.lines_of(CART) == []
    assert orders.place(CART) is None


def test_a_refund_that_has_ended_makes_room_for_another_one_whichever_way_it_ended() -> None:
    orders, order_id = placed()
    orders.apply(news(order_id, 4, "payment.completed", "PAID"))
    assert now(orders, order_id).refunds_ended == 0
    orders.apply(refund(1, "PENDING"))
    assert now(orders, order_id).refunds_ended == 0
    orders.apply(refund(2, "FAILED"))
    assert (now(orders, order_id).refunds_ended, now(orders, order_id).refunded) == (1, 0)
