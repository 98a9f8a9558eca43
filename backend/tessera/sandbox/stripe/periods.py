"""Billing periods."""

import calendar
from datetime import UTC, datetime

from tessera.sandbox.stripe.store import Body


def next_end(anchor: int, start: int, price: Body) -> int:
    """The first anniversary of the anchor after `start`; the 31st becomes the month's last day."""
    first = datetime.fromtimestamp(anchor, UTC)
    months = 12 if price["recurring"]["interval"] == "year" else 1
    count = 0
    while True:
        count += months
        year, month = divmod(first.month - 1 + count, 12)
        last = calendar.monthrange(first.year + year, month + 1)[1]
        moment = first.replace(year=first.year + year, month=month + 1, day=min(first.day, last))
        if moment.timestamp() > start:
            return int(moment.timestamp())
