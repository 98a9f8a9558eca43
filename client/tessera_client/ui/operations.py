"""What the page does with an open vault."""

from collections.abc import Mapping, Sequence

from tessera_client.errors import ClientError, WrongUsage
from tessera_client.texts import translate
from tessera_client.transfer.download import MAX_LINK_PACKS, ChunkPlace, ask_for_links
from tessera_client.ui.schemas import (
    FileVersion,
    FormerAddress,
    KitInfo,
    Pieces,
    Protection,
    TeamMember,
    shown_time,
)
from tessera_client.vault.history import apply_changes
from tessera_client.vault.kit import check_passphrase, make_kit
from tessera_client.vault.kit_sheet import kit_page, kit_text
from tessera_client.vault.members import check_words, find_member, list_members
from tessera_client.vault.membership import add_member, remove_member
from tessera_client.vault.spaces import Space
from tessera_client.vault.vault import Vault
from tessera_core.changes import Move, Put, Remove
from tessera_core.errors import Malformed
from tessera_core.files import File, Folder, check_path

# The service is asked about the packs of a file or folder only if it has no more than these.
MAX_ASKED_PACKS = 16 * MAX_LINK_PACKS


def create_folder(vault: Vault, space: str, path: str) -> None:
    found, path = vault.find(space), checked_path(path)
    if next(found.tree.walk(path), None) is not None:
        raise ClientError.from_code("name_taken")
    apply_changes(vault, found, [Put(path, 0, Folder(found.state.time * 10**6))])


def move(vault: Vault, space: str, moves: dict[str, str]) -> None:
    """Moves items to new paths, all of them at once."""
    found = vault.find(space)
    checked = {checked_path(source): checked_path(target) for source, target in moves.items()}
    for source, target in checked.items():
        _check_exists(found, source)
        if f"{target}/".startswith(f"{source}/"):
            raise WrongUsage.from_code("into_itself")
        if next(found.tree.walk(target), None) is not None:
            raise ClientError.from_code("name_taken")
    if len({*checked.values()}) < len(moves):
        raise ClientError.from_code("name_taken")
    apply_changes(vault, found, [Move(source, target) for source, target in checked.items()])


def remove(vault: Vault, space: str, paths: list[str]) -> None:
    found = vault.find(space)
    changes = []
    for path in map(checked_path, paths):
        _check_exists(found, path)
        current = found.tree.current(path)
        changes.append(Remove(path, current.sequence if current else 0))
    apply_changes(vault, found, changes)


def versions(vault: Vault, space: str, path: str) -> list[FileVersion]:
    """The newest first."""
    found = vault.find(space)
    names = {member.user: member.name for member in list_members(vault.account)}
    rows = [
        FileVersion(
            sequence=version.sequence,
            time=shown_time(version.time),
            author=names.get(version.author),
            size=version.item.size,
            is_conflict=version.conflict,
        )
        for version in found.tree.versions.get(path, [])
        if isinstance(version.item, File)
    ]
    return rows[::-1]


def pieces(vault: Vault, space: str, path: str) -> Pieces:
    """How many pieces of a file each warehouse holds."""
    found = vault.find(space)
    version = found.tree.current(path)
    item = version.item if version else None
    if not isinstance(item, File):
        raise ClientError(translate("errors.not_a_file"), code="no_such_path")
    packs = _packs(item, found.chunk_places())
    held: dict[int, int] = {}
    missing, needed = 0, 0
    for at in range(0, len(packs), MAX_LINK_PACKS):
        for pack, warehouses in _holders(vault, found, packs[at : at + MAX_LINK_PACKS]).items():
            coding = found.state.packs[pack].record.coding
            needed, missing = needed + coding.k, missing + coding.n - len(warehouses)
            for warehouse in warehouses:
                held[warehouse] = held.get(warehouse, 0) + 1
    return Pieces(len(packs), held, missing, needed)


def protection(
    vault: Vault, space: str, paths: Sequence[str], *, is_intact: bool
) -> dict[str, Protection]:
    """How many pieces of files, and of all files in folders, are stored, and how many more may be
    lost. The service is asked about packs only if some pieces are missing."""
    target = vault.find(space)
    places = target.chunk_places()
    packs = {path: _packs_below(target, path, places) for path in paths}
    if not is_intact:
        packs = {path: own for path, own in packs.items() if len(own) <= MAX_ASKED_PACKS}
    needed = [*dict.fromkeys(pack for own in packs.values() for pack in own)]
    codings = {pack: target.state.packs[pack].record.coding for pack in needed}
    stored = {pack: coding.n for pack, coding in codings.items()}
    if not is_intact:
        for at in range(0, len(needed), MAX_LINK_PACKS):
            batch = needed[at : at + MAX_LINK_PACKS]
            holders = _holders(vault, target, batch)
            stored |= {pack: len(holders.get(pack, ())) for pack in batch}
    return {
        path: Protection(
            stored=sum(stored[pack] for pack in own),
            total=sum(codings[pack].n for pack in own),
            spare=min(stored[pack] - codings[pack].k for pack in own),
        )
        for path, own in packs.items()
        if own
    }


def _packs_below(
    space: Space, path: str, places: Mapping[bytes, Sequence[ChunkPlace]]
) -> list[bytes]:
    files = (item for _, item in space.tree.walk(path) if isinstance(item, File))
    return [*dict.fromkeys(pack for file in files for pack in _packs(file, places))]


def _packs(item: File, places: Mapping[bytes, Sequence[ChunkPlace]]) -> list[bytes]:
    return [*dict.fromkeys(places[chunk][0].pack for chunk in item.chunks if chunk in places)]


def _holders(vault: Vault, space: Space, packs: Sequence[bytes]) -> dict[bytes, list[int]]:
    """The warehouses from which pieces of packs can be fetched."""
    return {
        pack: [
            shard.warehouse_id for shard in shards if shard.link and shard.warehouse_id is not None
        ]
        for pack, shards in ask_for_links(vault.account.api, space.id, packs).items()
    }


# People


def team(vault: Vault) -> list[TeamMember]:
    """Everybody with keys, and the spaces they are in."""
    spaces = vault.spaces()
    return [
        TeamMember(
            name=member.name,
            email=member.email,
            is_leader=member.is_leader,
            is_active=member.is_active,
            is_you=member.user == vault.account.user,
            spaces=[space.id for space in spaces if member.user in space.state.members],
            former_address=FormerAddress.of(member),
        )
        for member in list_members(vault.account)
    ]


def grant(vault: Vault, space: str, email: str, words: str) -> None:
    found, (member, keys) = vault.find(space), find_member(vault.account, email)
    if found.state.members.get(member.user) != keys:
        check_words(vault.account, member, keys, words)
        add_member(found, member.user, keys)
    found.flush()


def revoke(vault: Vault, space: str, email: str) -> None:
    found, (member, _) = vault.find(space), find_member(vault.account, email)
    if member.user not in found.state.members:
        raise ClientError(
            translate("errors.no_access", email=email, space=found.label), code="not_a_member"
        )
    remove_member(found, member.user)
    found.flush()


def make_recovery_kit(vault: Vault, passphrase: str) -> KitInfo:
    if not passphrase:
        raise WrongUsage.from_code("passphrase_required")
    check_passphrase(vault.account, passphrase)
    kit = make_kit(vault, passphrase)
    return KitInfo(kit.code, kit.counter, kit_page(kit), kit_text(kit))


def checked_path(text: str) -> str:
    try:
        return check_path(text)
    except Malformed:
        raise WrongUsage(translate("errors.name_unusable"), code="bad_name") from None


def _check_exists(space: Space, path: str) -> None:
    if next(space.tree.walk(path), None) is None:
        raise ClientError(translate("errors.gone"), code="no_such_path")
