"""Links by which people without an account send files."""

from typing import Annotated
from uuid import UUID

import typer

from tessera_client.commands.files import put_result
from tessera_client.commands.options import Bandwidth, DryRun
from tessera_client.commands.output import Result, notice
from tessera_client.commands.paths import parse_place
from tessera_client.commands.progress import progress
from tessera_client.commands.prompts import vault
from tessera_client.errors import PARTLY_DONE, WrongUsage
from tessera_client.texts import show_bytes, translate, visible
from tessera_client.transfer.answers import ArrivalRow
from tessera_client.transfer.links import parse_bytes
from tessera_client.vault.kit import describe_time
from tessera_client.vault.requests import (
    MAX_DAYS,
    Accepted,
    ListedRequest,
    RequestOptions,
    accept_arrival,
    create_request,
    end_request,
    list_requests,
    refuse_arrival,
)
from tessera_core.requests import MAX_FILES

_STATES = {
    "open": "request_states.open",
    "expired": "request_states.expired",
    "superseded": "request_states.superseded",
}


def request(
    title: Annotated[str, typer.Argument(help="options.request_title", metavar="TITLE")],
    to: Annotated[str, typer.Option("--to", help="options.request_to", metavar="SPACE:/PATH")],
    days: Annotated[
        int, typer.Option(min=1, max=MAX_DAYS, help="options.share_days", metavar="DAYS")
    ] = 7,
    files: Annotated[
        int,
        typer.Option(min=1, max=MAX_FILES, help="options.request_files", metavar="NUMBER"),
    ] = 100,
    size: Annotated[str, typer.Option(help="options.request_size", metavar="SIZE")] = "1G",
) -> Result:
    """Makes a link by which people without an account send files to a space."""
    place = parse_place(to)
    options = RequestOptions(days, files, parse_bytes(size))
    with vault() as opened:
        file_request = create_request(opened, opened.find(place.space), place.path, title, options)
    data = {
        "id": str(file_request.id),
        "link": file_request.link,
        "to": str(place),
        "expiresAt": file_request.expires_at.isoformat(),
        "files": files,
        "bytes": options.bytes,
    }
    lines = [
        file_request.link,
        translate("results.requested", files=files, size=show_bytes(options.bytes), days=days),
    ]
    return Result(data, "\n".join(lines))


def requests(
    accept: Annotated[
        str | None, typer.Option("--accept", help="options.request_accept", metavar="ID")
    ] = None,
    refuse: Annotated[
        str | None, typer.Option("--refuse", help="options.request_refuse", metavar="ID")
    ] = None,
    end: Annotated[
        str | None, typer.Option("--end", help="options.request_end", metavar="ID")
    ] = None,
    bandwidth: Bandwidth = None,
    dry_run: DryRun = False,
) -> Result:
    """Lists requests for files and what has come, accepts or refuses it, or ends a request."""
    if sum(option is not None for option in (accept, refuse, end)) > 1:
        raise WrongUsage.from_code("one_decision")
    if dry_run and accept is None:
        raise WrongUsage.from_code("dry_run_of_accept")
    with vault(bandwidth) as opened:
        api = opened.account.api
        if accept is not None:
            accepted = accept_arrival(opened, _parse_id(accept), progress, dry_run=dry_run)
            return _accepted_result(accepted, dry_run=dry_run)
        if refuse is not None:
            refuse_arrival(api, arrival := _parse_id(refuse))
            return Result({"refused": str(arrival)}, translate("results.arrival_refused"))
        if end is not None:
            end_request(api, request_id := _parse_id(end))
            return Result({"ended": str(request_id)}, translate("results.request_ended"))
        rows = list_requests(opened)
    lines = [line for row in rows for line in _describe(row)]
    if any(row.row.arrivals for row in rows):
        lines.append(translate("results.from_outside"))
    return Result(
        {"requests": [_as_json(row) for row in rows]},
        "\n".join(lines) or translate("results.no_requests"),
        PARTLY_DONE if any(row.is_forged for row in rows) else 0,
    )


def _parse_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise WrongUsage.from_code("bad_request_id", text=text) from None


def _accepted_result(accepted: Accepted, *, dry_run: bool) -> Result:
    summary = accepted.summary
    summary.stored = accepted.paths
    for text in summary.notices:
        notice(text)
    result = put_result(summary, accepted.request.space.label, dry_run=dry_run)
    lines = [] if dry_run else [visible(path) for path in summary.stored]
    return Result(
        result.data,
        "\n".join([*lines, result.text, translate("results.from_outside")]),
        result.exit_code,
    )


def _as_json(listed: ListedRequest) -> dict[str, object]:
    row, opened = listed.row, listed.opened
    return {
        "id": str(row.id),
        "title": opened and opened.details.title,
        "to": opened and f"{opened.space.label}:/{opened.folder}",
        "link": opened.link if opened and row.state == "open" else None,
        "authorName": row.author_name,
        "state": row.state,
        "isForged": listed.is_forged,
        "accepted": row.accepted,
        "expiresAt": row.expires_at.isoformat(),
        "arrivals": [
            {
                "id": str(arrival.id),
                "bytes": arrival.bytes,
                "arrivedAt": arrival.arrived_at.isoformat(),
            }
            for arrival in row.arrivals
        ],
    }


def _describe(listed: ListedRequest) -> list[str]:
    row, opened = listed.row, listed.opened
    missing = "results.request_forged" if listed.is_forged else "results.request_hidden"
    title = visible(opened.details.title) if opened else translate(missing)
    lines = [
        translate(
            "results.request_row",
            id=row.id,
            title=title,
            name=visible(row.author_name),
            count=row.accepted,
            state=translate(_STATES.get(row.state, "request_states.ended")),
            end=describe_time(int(row.expires_at.timestamp() * 1000)),
        )
    ]
    if opened and row.state == "open":
        lines.append(f"  {opened.link}")
    return lines + [f"  {_describe_arrival(arrival)}" for arrival in row.arrivals]


def _describe_arrival(arrival: ArrivalRow) -> str:
    return translate(
        "results.arrival_row",
        id=arrival.id,
        size=show_bytes(arrival.bytes),
        time=describe_time(int(arrival.arrived_at.timestamp() * 1000)),
    )
