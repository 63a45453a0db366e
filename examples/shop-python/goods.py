"""What the shop sells. Prices are integers of minor units: 4990 is R$ 49,90."""

from typing import NamedTuple


class Good(NamedTuple):
    sku: str
    name: str
    price: int


GOODS = {
    good.sku: good
    for good in (
        Good("beans", "Coffee beans, 1 kg", 4990),
        Good("mug", "Mug", 3500),
        Good("filter", "Paper filters, 100", 1290),
    )
}


class Line(NamedTuple):
    good: Good
    quantity: int

    @property
    def total(self) -> int:
        return self.good.price * self.quantity


def total_of(lines: list[Line]) -> int:
    return sum(line.total for line in lines)


def price_text(minor: int) -> str:
    """`R$ 49,90`."""
    whole, cents = divmod(minor, 100)
    return f"R$ {whole:,}".replace(",", ".") + f",{cents:02}"
