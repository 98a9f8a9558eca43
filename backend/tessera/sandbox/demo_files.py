"""Northwind's files and who uploaded them when. They can be opened; their figures are random."""

import random
from collections.abc import Callable
from dataclasses import dataclass

_TILES = ("#0e7c86", "#f4a259", "#5b8e7d", "#bc4b51", "#8cb369", "#2f4858")


@dataclass(frozen=True)
class Upload:
    """`month` counts back from the current one, of which `part` had passed; `author` is a number in
    the order of the company's users."""

    month: int
    part: float
    author: int
    files: dict[str, bytes]
    loses_piece: bool = False


def uploads() -> list[Upload]:
    """In their order. What loses a piece is an earlier version of a file: nothing that people still
    use depends on it."""
    dice = random.Random(2026)  # noqa: S311 - demo data, the same each time
    return [
        Upload(2, 0.12, 0, {
            "Harbour Street/Survey.csv": _table(dice, 22_000, _reading),
            "Harbour Street/Brief.md": _minutes(dice, "Brief", 6),
        }),
        Upload(2, 0.55, 1, {"Finance/Ledger, first half.csv": _table(dice, 9_000, _booking)}),
        Upload(2, 0.81, 2, {"Harbour Street/Facade.svg": _drawing(dice, 60)}),
        Upload(1, 0.08, 0, {
            "Harbour Street/Survey, second run.csv": _table(dice, 31_000, _reading),
        }),
        Upload(1, 0.33, 1, {"Finance/Ledger, second half.csv": _table(dice, 16_000, _booking)}),
        Upload(1, 0.46, 3, {
            "Library/Ground floor.svg": _drawing(dice, 80),
            "Library/First floor.svg": _drawing(dice, 70),
        }),
        Upload(1, 0.92, 2, {"Harbour Street/Minutes.md": _minutes(dice, "Minutes", 40)}),
        Upload(0, 0.2, 1, {"Finance/Budget.csv": _table(dice, 7_000, _booking)}),
        Upload(0, 0.4, 0, {"Library/Tender.md": _minutes(dice, "Tender, draft", 60)},
               loses_piece=True),
        Upload(0, 0.7, 3, {"Library/Roof.svg": _drawing(dice, 90)}),
        Upload(0, 0.9, 0, {
            "Library/Tender.md": _minutes(dice, "Tender", 90),
            "Library/Survey.csv": _table(dice, 13_000, _reading),
        }),
    ]  # fmt: skip


def _table(dice: random.Random, rows: int, row: Callable[[random.Random, int], str]) -> bytes:
    return "".join(row(dice, number) for number in range(rows)).encode()


def _reading(dice: random.Random, number: int) -> str:
    height = 12_000 + dice.randrange(4_000)
    return f"{number:06},{height / 1000},{dice.randrange(360)},ok\n"


def _booking(dice: random.Random, number: int) -> str:
    cents = dice.randrange(100, 900_000)
    return f"{number + 1},{4000 + cents % 97},{cents // 100}.{cents % 100:02},USD\n"


def _minutes(dice: random.Random, title: str, sections: int) -> bytes:
    return "".join(
        [
            f"# {title}\n",
            *(
                f"\n## {number}. Item {dice.randrange(10_000):04}\n\n"
                + f"Decided with {dice.randrange(3, 12)} votes. Next look on day {number * 7}.\n"
                for number in range(1, sections + 1)
            ),
        ]
    ).encode()


def _drawing(dice: random.Random, side: int) -> bytes:
    tiles = "".join(
        f'<rect x="{10 * (at % side)}" y="{10 * (at // side)}" width="9" height="9"'
        f' fill="{dice.choice(_TILES)}"/>\n'
        for at in range(side * side)
    )
    size = 10 * side
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}">\n{tiles}</svg>\n'
    ).encode()
