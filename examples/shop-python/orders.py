"""The shop's own database.

Only `_apply` changes an order, wherever an event came from: a webhook, the same webhook again, an older one, or the loop that reads events.
So an order is fulfilled exactly once. All calls come from one thread, that of the event loop.
"""

import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from goods import GOODS, Line, total_of
from vintem.types import Payment, Refund, WebhookEvent

TABLES = """
  pragma journal_mode = wal;
  pragma busy_timeout = 5000;
  create table if not exists cart_line (cart text, sku text, quantity integer not null, primary key (cart, sku));
  create table if not exists orders (
    id text primary key, payment_id text unique, status text not null default 'NEW', total integer not null,
    version integer not null default 0, created_at text not null default (strftime('%Y-%m-%d %H:%M:%f'))
  );
  create table if not exists fulfilment (order_id text primary key references orders, at text not null default current_timestamp);
  create table if not exists refund (id text primary key, payment_id text not null, amount integer not null, status text not null, version integer not null);
  create table if not exists reader (one integer primary key check (one = 1), read_to integer not null);
  insert or ignore into reader values (1, 0);
"""

ORDERS = """
  select id, payment_id, status, total, at,
    (select coalesce(sum(amount), 0) from refund where refund.payment_id = orders.payment_id and refund.status = 'COMPLETED'),
    (select count(*) from refund where refund.payment_id = orders.payment_id and refund.status in ('COMPLETED', 'FAILED'))
  from orders left join fulfilment on order_id = id"""


@dataclass(frozen=True)
class Order:
    id: str
    payment_id: str | None
    status: str
    total: int
    fulfilled_at: str | None
    """When the goods were sent; None until then."""
    refunded: int
    refunds_ended: int
    """Refunds that have ended, completed or failed: a later refund is a new one."""


class Orders:
    def __init__(self, path: str) -> None:
        """Opens the database at a path, or `:memory:`."""
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.executescript(TABLES)

    def put_in_cart(self, cart: str, sku: str) -> None:
        add = "insert into cart_line values (?, ?, 1) on conflict do update set quantity = quantity + 1"
        self._db.execute(add, (cart, sku))

    def lines_of(self, cart: str) -> list[Line]:
        rows = self._db.execute("select sku, quantity from cart_line where cart = ? order by sku", (cart,))
        return [Line(GOODS[sku], quantity) for sku, quantity in rows if sku in GOODS]

    def place(self, cart: str) -> Order | None:
        """Makes an order of the cart, which is empty then. None when it was empty."""
        with self._together():
            lines = self.lines_of(cart)
            if lines == []:
                return None
            order_id = str(uuid.uuid4())
            self._db.execute("insert into orders (id, total) values (?, ?)", (order_id, total_of(lines)))
            self._db.execute("delete from cart_line where cart = ?", (cart,))
        return self.find(order_id)

    def set_payment(self, order_id: str, payment_id: str) -> None:
        self._db.execute("update orders set payment_id = ? where id = ?", (payment_id, order_id))

    def find(self, order_id: str) -> Order | None:
        row = self._db.execute(f"{ORDERS} where id = ?", (order_id,)).fetchone()
        return None if row is None else Order(*row)

    def newest(self) -> list[Order]:
        return [Order(*row) for row in self._db.execute(f"{ORDERS} order by created_at desc, id limit 50")]

    def apply(self, event: WebhookEvent) -> None:
        with self._together():
            self._apply(event)

    def position(self) -> int:
        """The sequence up to which events were read."""
        return int(self._db.execute("select read_to from reader").fetchone()[0])

    def apply_all(self, events: Sequence[WebhookEvent], read_to: int) -> None:
        """Applies events and stores the position behind them, in one transaction."""
        with self._together():
            for event in events:
                self._apply(event)
            self._db.execute("update reader set read_to = max(read_to, ?)", (read_to,))

    @contextmanager
    def _together(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    def _apply(self, event: WebhookEvent) -> None:
        """What comes twice, late or out of order changes nothing: only a version above the stored one counts."""
        if event["type"].startswith("payment."):
            self._apply_payment(cast(Payment, event["data"]))
        if event["type"].startswith("refund."):
            self._apply_refund(cast(Refund, event["data"]))

    def _apply_payment(self, payment: Payment) -> None:
        # The order is found by what we put into `metadata`: so it is found even if we died before we had stored the payment's id.
        order_id = str(payment.get("metadata", {}).get("orderId"))
        changed = self._db.execute(
            "update orders set status = ?, version = ?, payment_id = ? where id = ? and version < ?",
            (payment["status"], payment["version"], payment["id"], order_id, payment["version"]),
        )
        # The primary key is the second line of defence: an order has one fulfilment.
        if changed.rowcount == 1 and payment["status"] == "PAID":
            self._db.execute("insert or ignore into fulfilment (order_id) values (?)", (order_id,))

    def _apply_refund(self, refund: Refund) -> None:
        self._db.execute(
            """insert into refund values (?, ?, ?, ?, ?) on conflict do update
              set status = excluded.status, version = excluded.version where excluded.version > refund.version""",
            (refund["id"], refund["paymentId"], refund["amount"], refund["status"], refund["version"]),
        )
