"""Places in spaces, as people write them: SPACE:/PATH, and links in their stead."""

from typing import Annotated, NamedTuple

import typer

from tessera_client.errors import WrongUsage
from tessera_core.errors import Malformed
from tessera_core.files import check_path

Place = Annotated[str, typer.Argument(help="options.place", metavar="SPACE:/PATH")]


class SpacePath(NamedTuple):
    space: str
    path: str
    """Without a slash at either end; empty for the whole space."""

    def __str__(self) -> str:
        return f"{self.space}:/{self.path}"

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def parent(self) -> "SpacePath":
        return SpacePath(self.space, self.path.rpartition("/")[0])

    def below(self, name: str) -> str:
        return f"{self.path}/{name}" if self.path else name


def parse_place(text: str) -> SpacePath:
    space, colon, path = text.partition(":")
    if not colon or not space:
        raise WrongUsage.from_code("bad_place", text=text)
    path = path.strip("/")
    try:
        return SpacePath(space, check_path(path) if path else "")
    except Malformed:
        raise WrongUsage.from_code("bad_place", text=text) from None


def is_link(text: str) -> bool:
    return text.lstrip(" \n<\"'([").startswith(("https://", "http://"))
