"""What `get` and `put` do with a link: fetch a share, or send files to a request."""

import sys
from collections.abc import Sequence
from pathlib import Path

from tessera_client.commands.fetch import FetchOptions, describe
from tessera_client.commands.output import Result
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import read_share_password
from tessera_client.errors import PARTLY_DONE
from tessera_client.texts import translate
from tessera_client.transfer.links import Bandwidth, parse_rate
from tessera_client.vault.guest_requests import parse_request_link, send_files
from tessera_client.vault.guest_shares import OpenShare, open_share, parse_link
from tessera_client.vault.patterns import Patterns
from tessera_client.vault.restore import Restorer
from tessera_client.vault.saved_shares import save_share
from tessera_core.files import File

_STANDARD_INPUT = "-"


def open_share_link(text: str, bandwidth: str | None, *, password_stdin: bool) -> OpenShare:
    link = parse_link(_read(text))
    password = read_share_password(from_stdin=password_stdin) if link.has_password else None
    limit = Bandwidth(parse_rate(bandwidth)) if bandwidth else None
    return open_share(link, password, limit)


def save_share_sealed(share: OpenShare, target: Path) -> Result:
    packs = share.manifest.records
    total = sum(record.coding.length for record in packs)
    with progress(translate("progress.fetching"), total) as advance:
        failed = save_share(share, target, advance)
    data = {"out": str(target), "packs": len(packs) - len(failed), "failed": failed}
    if failed:
        return Result(data, translate("results.sealed_incomplete", count=len(failed)), PARTLY_DONE)
    return Result(data, translate("results.sealed_saved", folder=target))


def fetch_share(share: OpenShare, target: Path, options: FetchOptions) -> Result:
    total = sum(item.size for _, item in share.manifest.items if isinstance(item, File))
    with progress(translate("progress.fetching"), total) as advance:
        restorer = Restorer(share.reader, share.places, advance, overwrite=options.overwrite)
        restored = restorer.restore(share.manifest.items, target, dry_run=options.dry_run)
    return describe(restored, target, target.name, is_dry=options.dry_run)


def send_to_request(
    link: str, sources: Sequence[Path], patterns: Patterns, *, dry_run: bool
) -> Result:
    opened = parse_request_link(_read(link))
    sent = send_files(opened, sources, patterns, progress, dry_run=dry_run)
    data = {
        "title": sent.title,
        "files": sent.files,
        "bytes": sent.bytes,
        "leftOut": sent.left_out,
        "failed": sent.failed,
        "dryRun": dry_run,
    }
    key = "results.would_be_sent" if dry_run else "results.sent"
    lines = [translate(key, count=sent.files, title=sent.title)]
    lines += [translate("results.share_left_out", path=path) for path in sent.left_out]
    lines += [problem.as_text() for problem in sent.failed]
    exit_code = (PARTLY_DONE if sent.files else 1) if sent.failed else 0
    return Result(data, "\n".join(lines), exit_code)


def _read(link: str) -> str:
    """A link on the command line can be seen by other users of the computer."""
    return sys.stdin.readline() if link == _STANDARD_INPUT else link
