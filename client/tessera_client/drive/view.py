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
    owner: object = None
    """Whoever may change it; others copy it before."""

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
    def __init__(self, root: Node | None = None) -> None:
        self._owner = object()
        self.root = root or Node(Folder(0), owner=self._owner)

    def copy(self) -> "View":
        """Costs nothing: both have the same nodes, and copy those that they change."""
        self._owner = object()
        return View(self.root)

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
            node = parent.children[name] = Node(content, sequence, owner=self._owner)
        else:
            node = parent.children[name] = self._own(node)
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
        node = self.root = self._own(self.root)
        for folder in folders:
            child = node.children.get(folder)
            child = Node(Folder(0), owner=self._owner) if child is None else self._own(child)
            node.children[folder] = child
            if not child.is_folder:
                child.content = Folder(0)
            node = child
        return node, name

    def _own(self, node: Node) -> Node:
        if node.owner is self._owner:
            return node
        return Node(node.content, node.sequence, dict(node.children), self._owner)


class StoredView:
    """Shows a space's files alone. Of a large space, only what has changed is looked at."""

    def __init__(self) -> None:
        self._tree: Tree | None = None
        self._view = View()

    def follow(self, tree: Tree) -> View:
        if tree is self._tree and tree.changed is not None:
            # A folder comes before what is in it.
            for path in sorted(tree.changed):
                self._update(tree, path)
            tree.changed.clear()
        else:
            self._tree, self._view, tree.changed = tree, View(), set()
            for path, _ in tree.walk():
                self._update(tree, path)
        return self._view.copy()

    def _update(self, tree: Tree, path: str) -> None:
        version = tree.current(path)
        if version and version.item:
            self._view.put(path, version.item, version.sequence)
            return
        node = self._view.find(path)
        if node is None or not node.sequence:
            return
        self._view.remove(path)
        # Folders that only something else's path names go with it.
        while path := path.rpartition("/")[0]:
            above = self._view.get(path)
            if above.sequence or above.children:
                return
            self._view.remove(path)


def is_below(path: str, folder: str) -> bool:
    """Whether a path is the folder itself, or in it."""
    return path == folder or path.startswith(f"{folder}/")


def is_related(one: str, other: str) -> bool:
    """Whether one of two paths is the other, or in it."""
    return is_below(one, other) or is_below(other, one)
