"""The tree that the drive shows: a space's files, with what is not sent yet on top."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from errno import ENOENT, ENOTDIR

from tessera_client.drive.staging import StagedFile
from tessera_core.files import File, Folder, Link
from tessera_core.tree import Tree

Content = StagedFile | File | Link | Folder


@dataclass(slots=True)
class Node:
    content: Content
    sequence: int = 0
    """The entry that put it there; 0 if the space does not have it yet."""
    children: dict[str, "Node"] = field(default_factory=dict)

    @property
    def is_folder(self) -> bool:
        return isinstance(self.content, Folder)

    def walk(self) -> Iterator["Node"]:
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children.values()

    def is_stored(self) -> bool:
        """Whether the space has it or anything below it."""
        return any(node.sequence for node in self.walk())


class View:
    def __init__(self, tree: Tree) -> None:
        self.root = Node(Folder(0))
        for path, item in tree.walk():
            version = tree.current(path)
            self.put(path, item, version.sequence if version else 0)

    def items(self) -> Iterator[tuple[str, Node]]:
        waiting = [("", self.root)]
        while waiting:
            path, node = waiting.pop()
            yield path, node
            waiting += [
                (f"{path}/{name}" if path else name, child) for name, child in node.children.items()
            ]

    def find(self, path: str) -> Node | None:
        node = self.root
        for name in path.split("/") if path else ():
            child = node.children.get(name)
            if child is None:
                return None
            node = child
        return node

    def get(self, path: str) -> Node:
        node = self.root
        for name in path.split("/") if path else ():
            if not node.is_folder:
                raise OSError(ENOTDIR, "", path)
            child = node.children.get(name)
            if child is None:
                raise OSError(ENOENT, "", path)
            node = child
        return node

    def put(self, path: str, content: Content, sequence: int = 0) -> Node:
        """Folders on the way are made; what has to be a folder becomes one."""
        parent, name = self._parent(path)
        node = parent.children.get(name)
        if node is None:
            node = parent.children[name] = Node(content, sequence)
        else:
            node.content, node.sequence = content, sequence or node.sequence
            if not node.is_folder:
                node.children.clear()
        return node

    def remove(self, path: str) -> None:
        parent, name = self._parent(path)
        parent.children.pop(name, None)

    def move(self, source: str, target: str) -> None:
        parent, name = self._parent(source)
        node = parent.children.pop(name)
        parent, name = self._parent(target)
        parent.children[name] = node

    def _parent(self, path: str) -> tuple[Node, str]:
        *folders, name = path.split("/")
        node = self.root
        for folder in folders:
            child = node.children.get(folder)
            if child is None:
                child = node.children[folder] = Node(Folder(0))
            elif not child.is_folder:
                child.content = Folder(0)
            node = child
        return node, name


def is_below(path: str, folder: str) -> bool:
    """Whether a path is the folder itself, or in it."""
    return path == folder or path.startswith(f"{folder}/")


def is_related(one: str, other: str) -> bool:
    """Whether one of two paths is the other, or in it."""
    return is_below(one, other) or is_below(other, one)
