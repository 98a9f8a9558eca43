"""What a rescue writes, and where."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from tessera_client.vault.disk_names import free_disk_name
from tessera_client.vault.progress import ShowProgress
from tessera_core.files import Item

Items = list[tuple[str, Item]]


@dataclass
class Target:
    """What is wanted, and where it is written. Every space and history gets its own folder."""

    folder: Path | None
    """None to say only what is there."""
    show_progress: ShowProgress
    wanted: Collection[tuple[str, str]] = ()
    """Names or ids of spaces, and paths in them; none for everything."""
    taken: set[str] = field(default_factory=set)
    _found: set[tuple[str, str]] = field(default_factory=set)

    def new_folder(self, name: str) -> str:
        return free_disk_name(name, self.taken)

    def select(self, space: UUID, name: str, items: Items) -> Items | None:
        """What is wanted of a space; None if it is not."""
        if not self.wanted:
            return items
        places = [place for place in self.wanted if place[0] in {name, str(space)}]
        chosen = set[str]()
        for place, below in places:
            inside = {path for path, _ in items if not below or f"{path}/".startswith(f"{below}/")}
            if inside or not below:
                self._found.add((place, below))
            chosen |= inside
        return [item for item in items if item[0] in chosen] if places else None

    def not_found(self) -> list[str]:
        return [":/".join(place) for place in self.wanted if place not in self._found]

    def concerns(self, space: UUID, name: str) -> bool:
        """A space whose name cannot be read may be one that was not found."""
        names = {place[0] for place in self.wanted}
        is_unknown = not name and bool(self.not_found())
        return not names or is_unknown or not names.isdisjoint({name, str(space)})
