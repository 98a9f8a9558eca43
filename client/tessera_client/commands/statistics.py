"""How much a space holds, and what storing it takes."""

from tessera_client.commands.output import Result
from tessera_client.commands.people import SpaceName
from tessera_client.commands.prompts import vault
from tessera_client.texts import show_bytes, translate, visible
from tessera_client.vault.members import list_members
from tessera_client.vault.statistics import count_space


def stats(space: SpaceName) -> Result:
    """Counts the files of a space, and what repetition and compression save."""
    with vault() as opened:
        counted = count_space(opened.find(space))
        names = {member.user: member.name for member in list_members(opened.account)}
    sizes = {
        "keptBytes": counted.kept,
        "storedBytes": counted.stored,
        "savedByDeduplication": counted.saved_by_deduplication,
        "savedByCompression": counted.saved_by_compression,
    }
    members = [
        {"author": names.get(author, str(author)), "files": count, "bytes": total}
        for author, (count, total) in counted.authors.items()
    ]
    lines = [
        translate("stats.files", count=counted.files, bytes=show_bytes(counted.bytes)),
        translate("stats.kept", bytes=show_bytes(sizes["keptBytes"])),
        translate("stats.stored", bytes=show_bytes(sizes["storedBytes"])),
        translate("stats.deduplicated", bytes=show_bytes(sizes["savedByDeduplication"])),
        translate("stats.compressed", bytes=show_bytes(sizes["savedByCompression"])),
    ]
    for author, (count, total) in counted.authors.items():
        text = translate("stats.files", count=count, bytes=show_bytes(total))
        lines.append(f"{visible(names.get(author, str(author)))}: {text}")
    data = {"files": counted.files, "bytes": counted.bytes, **sizes, "members": members}
    return Result(data, "\n".join(lines))
