"""Places in spaces, as people write them: SPACE:/PATH."""

from typing import Annotated, NamedTuple

import typer

from tessera_client.errors import WrongUsage
from tessera_core.errors import Malformed
from tessera_core.files import check_path

Place = Annotated[
    str, typer.Argument(help="A place such as Designs:/logos.", metavar="SPACE:/PATH")
]


class SpacePath(NamedTuple):
    space: str
    path: str
    """Without a slash at either end; empty for the whole space."""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def below(self, name: str) -> str:
        return f"{self.path}/{name}" if self.path else name


def parse_place(text: str) -> SpacePath:
    space, colon, path = text.partition(":")
    if not colon or not space:
        raise WrongUsage(f"{text} is not a place; write SPACE:/PATH", code="bad_place")
    path = path.strip("/")
    try:
        return SpacePath(space, check_path(path) if path else "")
    except Malformed:
        raise WrongUsage(f"{text} is not a place; write SPACE:/PATH", code="bad_place") from None
