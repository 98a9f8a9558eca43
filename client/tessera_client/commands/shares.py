"""Links by which people without an account get files."""

import sys
from typing import Annotated
from uuid import UUID

import typer

from tessera_client.commands.given_secrets import given_secret
from tessera_client.commands.options import Bandwidth
from tessera_client.commands.output import Result
from tessera_client.commands.paths import parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import ask, is_interactive, vault
from tessera_client.errors import NeedsInput, WrongUsage
from tessera_client.texts import show_bytes, translate, visible
from tessera_client.transfer.answers import ShareRow
from tessera_client.vault.kit import describe_time
from tessera_client.vault.shares import (
    MAX_DAYS,
    MAX_DOWNLOADS,
    ShareOptions,
    Source,
    create_share,
    end_share,
    list_shares,
    new_password,
)

_STATES = {
    "open": "share_states.open",
    "expired": "share_states.expired",
    "used": "share_states.used",
    "guessed": "share_states.guessed",
}


def share(
    places: Annotated[list[str], typer.Argument(help="options.place", metavar="SPACE:/PATH...")],
    days: Annotated[
        int, typer.Option(min=1, max=MAX_DAYS, help="options.share_days", metavar="DAYS")
    ] = 7,
    downloads: Annotated[
        int,
        typer.Option(min=1, max=MAX_DOWNLOADS, help="options.share_downloads", metavar="NUMBER"),
    ] = 5,
    password: Annotated[bool, typer.Option("--password", help="options.share_password")] = False,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="options.share_password_stdin")
    ] = False,
    bandwidth: Bandwidth = None,
) -> Result:
    """Makes a link by which people without an account get files."""
    parsed = [parse_place(place) for place in places]
    proposed = new_password()
    share_password = _read_password(proposed, from_stdin=password_stdin, wanted=password)
    with vault(bandwidth) as opened:
        names = dict.fromkeys(source.space for source in parsed)
        spaces = {name: opened.find(name) for name in names}
        sources = [Source(spaces[source.space], source.path) for source in parsed]
        new_share = create_share(
            opened, sources, ShareOptions(days, downloads, share_password), progress
        )
    is_proposed = share_password == proposed
    data = {
        "id": str(new_share.id),
        "link": new_share.link,
        "password": share_password if is_proposed else None,
        "expiresAt": new_share.expires_at.isoformat(),
        "downloads": downloads,
        "files": new_share.files,
        "bytes": new_share.bytes,
        "leftOut": new_share.left_out,
    }
    lines = [
        new_share.link,
        translate("results.shared", count=new_share.files, days=days, downloads=downloads),
        *(translate("results.share_left_out", path=path) for path in new_share.left_out),
    ]
    if is_proposed:
        lines.append(translate("results.share_password", password=share_password))
    if share_password is not None:
        lines.append(translate("results.share_password_apart"))
    return Result(data, "\n".join(lines))


def shares(
    end: Annotated[
        str | None, typer.Option("--end", help="options.share_end", metavar="ID")
    ] = None,
) -> Result:
    """Lists the links to files and how often each was opened, or ends one."""
    with vault() as opened:
        api = opened.account.api
        if end is not None:
            try:
                share_id = UUID(end)
            except ValueError:
                raise WrongUsage.from_code("bad_share_id", text=end) from None
            end_share(api, share_id)
            return Result({"ended": str(share_id)}, translate("results.share_ended"))
        rows = list_shares(api)
    lines = [_describe(row) for row in rows]
    return Result(
        {"shares": [_as_json(row) for row in rows]},
        "\n".join(lines) or translate("results.no_shares"),
    )


def _read_password(proposed: str, *, from_stdin: bool, wanted: bool) -> str | None:
    """The one that is proposed is as good as any, and nobody has to think of it."""
    if from_stdin:
        typed = sys.stdin.readline().rstrip("\r\n")
        if not typed:
            raise NeedsInput.from_code("password_required")
        return typed
    if not wanted:
        return None
    if (secret := given_secret("TESS_SHARE_PASSWORD")) is not None:
        return secret or proposed
    if not is_interactive():
        return proposed
    return ask(translate("prompts.new_share_password", proposed=proposed)) or proposed


def _as_json(row: ShareRow) -> dict[str, object]:
    return {
        "id": str(row.id),
        "author": str(row.author),
        "authorName": row.author_name,
        "state": row.state,
        "bytes": row.bytes,
        "downloads": row.downloads,
        "maxDownloads": row.max_downloads,
        "createdAt": row.created_at.isoformat(),
        "expiresAt": row.expires_at.isoformat(),
        "lastDownloadAt": row.last_download_at and row.last_download_at.isoformat(),
    }


def _describe(row: ShareRow) -> str:
    return translate(
        "results.share_row",
        id=row.id,
        name=visible(row.author_name),
        size=show_bytes(row.bytes),
        downloads=row.downloads,
        most=row.max_downloads,
        state=translate(_STATES.get(row.state, "share_states.ended")),
        end=describe_time(int(row.expires_at.timestamp() * 1000)),
    )
