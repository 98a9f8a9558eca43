"""The local page's server: calls of the page, and its files."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints
from uuid import UUID

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tessera_client.errors import EXPECTED, WrongUsage, to_client_error
from tessera_client.texts import set_language, translate
from tessera_client.transfer.answers import CodeSent
from tessera_client.ui.conflicts import Choice, list_conflicts, preview, resolve
from tessera_client.ui.folders import LeftOut, NewFolder
from tessera_client.ui.guard import Guard
from tessera_client.ui.history import moments, restore
from tessera_client.ui.listing import MAX_ROWS, one_page
from tessera_client.ui.operations import (
    checked_path,
    create_folder,
    grant,
    make_recovery_kit,
    move,
    pieces,
    protection,
    remove,
    revoke,
    team,
    versions,
)
from tessera_client.ui.page import Page
from tessera_client.ui.requests import (
    Arrival,
    NewRequest,
    create_request,
    end_request,
    refuse_arrival,
    request_rules,
    requests,
)
from tessera_client.ui.schemas import (
    ArrivalAccepted,
    BackupPreview,
    BackupRules,
    ConflictPage,
    ConflictPreview,
    Failure,
    LocalFolder,
    PageState,
    Protection,
    RequestMade,
    RowPage,
    Settings,
    ShareMade,
    SpaceCreated,
    TeamMember,
    TransferInfo,
)
from tessera_client.ui.selection import Selection
from tessera_client.ui.settings import change_settings, save_settings
from tessera_client.ui.shares import NewShare, end_share, share_rules, shares
from tessera_client.ui.space_settings import (
    change_space_settings,
    preview_prune,
    prune,
    space_settings,
    statistics,
)
from tessera_client.vault.login import request_code
from tessera_core.bip39_english import WORDS

WEB = Path(__file__).parent / "web"

Handler = Callable[[Page, Request], Awaitable[object]]


def create_app(page: Page) -> Starlette:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        _remove_leftovers(page.uploads)
        jobs = (
            page.transfers.run,
            page.keep_up,
            page.backups.follow,
            page.folders.follow,
            page.session.start,
        )
        tasks = [asyncio.create_task(job()) for job in jobs]
        yield
        for task in tasks:
            task.cancel()
        page.worker.shut_down()

    async def events(_: Request) -> Response:
        return StreamingResponse(
            page.events(), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    async def start(_: Request) -> Response:
        return FileResponse(WEB / "client.html", headers={"cache-control": "no-store"})

    async def link(_: Request) -> Response:
        return _json({"url": page.keys.new_link()})

    async def stop(_: Request) -> Response:
        page.stopped.set()
        return _json({"stopped": True})

    routes = [
        Route("/api/events", events),
        *(
            Route(f"/api/{path}", _answer(page, handler), methods=[method])
            for method, path, handler in CALLS
        ),
        Route("/control/link", link, methods=["POST"]),
        Route("/control/stop", stop, methods=["POST"]),
        Route("/", start),
        Mount("/", StaticFiles(directory=WEB, check_dir=False)),
    ]
    return Starlette(
        routes=routes, lifespan=lifespan, middleware=[Middleware(Guard, keys=page.keys)]
    )


async def serve(listener: socket.socket, page: Page, show: Callable[[str], None]) -> None:
    """Shows a link to the page, and serves it until it has ended."""
    config = uvicorn.Config(create_app(page), log_level="error", server_header=False)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    # The socket listens already: the browser waits until the server takes its call.
    show(page.keys.new_link())
    ended = asyncio.create_task(page.stopped.wait())
    await asyncio.wait({serving, ended}, return_when=asyncio.FIRST_COMPLETED)
    page.stopped.set()
    server.should_exit = True
    await serving
    ended.cancel()


def _answer(page: Page, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        page.used_at = time.monotonic()
        try:
            result = await handler(page, request)
        except EXPECTED as error:
            failure = to_client_error(error)
        except (KeyError, ValueError, TypeError):
            failure = WrongUsage(translate("errors.missing_argument"), code="bad_request")
        else:
            return _json(result)
        return _json(Failure.of(failure), failure.http_status)

    return answer


def _json(content: object, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(content), status, headers, "application/json")


def _remove_leftovers(folder: Path) -> None:
    """Files that a killed run had received; the browser has the originals."""
    for path in folder.glob("*/content"):
        path.unlink(missing_ok=True)
        path.parent.rmdir()


async def _body(request: Request) -> dict[str, Any]:
    body = await request.json()
    if not isinstance(body, dict):
        raise TypeError("not an object")
    return body


async def _send_code(page: Page, request: Request) -> CodeSent:
    body = await _body(request)
    return await page.session.send_code(
        str(body["url"]),
        str(body["email"]),
        str(body["password"]),
        is_password_changed=body.get("isPasswordChanged") is True,
    )


async def _log_in(page: Page, request: Request) -> PageState:
    body = await _body(request)
    await page.session.log_in(str(body["code"]), str(body.get("device", "")))
    return page.state()


async def _log_out(page: Page, _: Request) -> PageState:
    with page.jobs_ended():
        page.transfers.clear()
        await page.session.log_out()
    return page.state()


def _then_state(action: Callable[..., Awaitable[None]], *names: str) -> Handler:
    """A call whose body holds these arguments, answered by what the page shows then."""

    async def handler(page: Page, request: Request) -> PageState:
        body = await _body(request) if names else {}
        await action(page, *(str(body[name]) for name in names))
        return page.state()

    return handler


async def _create_space(page: Page, request: Request) -> SpaceCreated:
    name = str((await _body(request))["name"]).strip()
    space = await page.worker.use(lambda vault: vault.create_space(name).id)
    await page.session.refresh()
    return SpaceCreated(space)


async def _list(page: Page, request: Request) -> RowPage:
    query = request.query_params
    listing, path = page.session.listing(query["space"]), query.get("path", "")
    if at := query.get("at"):
        listing = await page.worker.use(partial(page.session.listing_at, listing, int(at)))
    if query.get("trash"):
        rows = listing.trash.get(path, [])
    elif text := query.get("search", "").strip():
        rows = listing.search(text)
    else:
        order, descending = query.get("sort", "name"), query.get("descending") == "true"
        rows = listing.ordered(path, order, descending=descending)
    if query.get("folders"):
        rows = [row for row in rows if row.type == "folder"]
    limit = len(rows) if query.get("all") else MAX_ROWS
    return one_page(rows, int(query.get("offset", "0")), limit)


def _in_vault(function: Callable[..., object]) -> Handler:
    """A call with the arguments of a function that uses the vault. The listings follow a change at
    once."""
    hints = get_type_hints(function)
    names = [name for name in hints if name not in {"vault", "return"}]
    arguments = msgspec.defstruct(
        "Arguments", [(name, hints[name]) for name in names], rename="camel"
    )

    async def handler(page: Page, request: Request) -> object:
        is_change = request.method != "GET"
        given = await _body(request) if is_change else dict(request.query_params)
        values = msgspec.structs.asdict(msgspec.convert(given, arguments, strict=is_change))
        result = await page.worker.use(lambda vault: function(vault, **values))
        if is_change:
            await page.worker.use(page.session.list_spaces)
        return result

    handler.__annotations__["return"] = hints["return"]
    return handler


async def _protection(page: Page, request: Request) -> dict[str, Protection]:
    body = await _body(request)
    space, paths = str(body["space"]), _texts(body["paths"])
    is_intact = page.session.is_intact
    return await page.worker.use(lambda vault: protection(vault, space, paths, is_intact=is_intact))


async def _upload(page: Page, request: Request) -> TransferInfo:
    return await page.receive(request)


async def _download(page: Page, request: Request) -> TransferInfo:
    body = await _body(request)
    paths, sequence = tuple(map(checked_path, _texts(body["paths"]))), body.get("sequence")
    is_archive = body.get("isArchive") is True
    if not paths or (len(paths) > 1 and not is_archive):
        raise WrongUsage.from_code("bad_request")
    sequence = None if sequence is None else int(sequence)
    return page.download(str(body["space"]), Selection(paths, is_archive, sequence))


async def _transfers(page: Page, request: Request) -> PageState:
    body = await _body(request)
    action, transfer = body["action"], body.get("id")
    transfers = page.transfers
    match action:
        case "pause":
            transfers.pause()
        case "resume":
            transfers.resume()
        case "cancel":
            transfers.cancel(int(transfer) if transfer is not None else None)
        case "retry":
            transfers.retry(int(str(transfer)))
        case "clear":
            transfers.clear()
        case _:
            raise WrongUsage.from_code("bad_request")
    return page.state()


async def _confirm_kit(page: Page, passphrase: str, code: str) -> None:
    await page.session.confirm_kit(passphrase, code)


async def _team(page: Page, _: Request) -> list[TeamMember]:
    return await page.worker.use(team)


async def _request_code(page: Page, _: Request) -> CodeSent:
    return await page.worker.use(lambda vault: request_code(vault.account.api))


async def _verify(page: Page, request: Request) -> None:
    await page.session.verify(str((await _body(request))["code"]))


async def _local_folders(page: Page, request: Request) -> LocalFolder:
    return page.local_folders.list(request.query_params.get("path", ""))


async def _backups(page: Page, request: Request) -> PageState:
    body = await _body(request)
    action, backup, backups = body["action"], str(body.get("id", "")), page.backups
    match action:
        case "add":
            folder, space, path = (str(body[name]) for name in ("folder", "space", "path"))
            await backups.add(folder, space, path, msgspec.convert(body, BackupRules))
        case "change":
            await backups.change(backup, msgspec.convert(body, BackupRules))
        case "run":
            backups.start(backup)
        case "remove":
            await backups.remove(backup)
        case _:
            raise WrongUsage.from_code("bad_request")
    return page.state()


async def _connected_folders(page: Page, request: Request) -> PageState:
    body = await _body(request)
    action, identifier, folders = body["action"], str(body.get("id", "")), page.folders
    match action:
        case "add":
            await folders.add(msgspec.convert(body, NewFolder))
        case "pause" | "resume":
            await folders.set_paused(identifier, paused=action == "pause")
        case "exclude":
            await folders.leave_out(identifier, msgspec.convert(body, LeftOut))
        case "remove":
            await folders.remove(identifier)
        case "open":
            await folders.show(identifier)
        case "install":
            await folders.install()
        case _:
            raise WrongUsage.from_code("bad_request")
    return page.state()


async def _conflicts(page: Page, request: Request) -> ConflictPage:
    query = request.query_params
    connected, offset = page.folders.find(query["id"]), int(query.get("offset", "0"))
    return await page.worker.use(lambda vault: list_conflicts(vault, connected, offset))


async def _preview_conflict(page: Page, request: Request) -> ConflictPreview:
    query = request.query_params
    connected = page.folders.find(query["id"])
    space, path, kept_as = UUID(query["space"]), query["path"], query["keptAs"]
    is_other = query.get("side") == "other"
    return await page.worker.use(
        lambda vault: preview(vault, connected, space, path, kept_as, other=is_other)
    )


async def _resolve_conflict(page: Page, request: Request) -> PageState:
    body = await _body(request)
    connected, choice = page.folders.find(str(body["id"])), msgspec.convert(body, Choice)
    await page.worker.use(lambda vault: resolve(vault, connected, choice))
    await page.worker.use(page.session.list_spaces)
    return page.state()


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return [str(text) for text in value]


async def _preview_backup(page: Page, request: Request) -> BackupPreview:
    return await page.backups.preview(request.query_params["id"])


async def _verify_files(page: Page, request: Request) -> PageState:
    match (await _body(request))["action"]:
        case "start":
            page.verification.start()
        case "cancel":
            page.verification.cancel()
        case _:
            raise WrongUsage.from_code("bad_request")
    return page.state()


async def _share(page: Page, request: Request) -> ShareMade:
    return await page.sharing.create(msgspec.convert(await _body(request), NewShare))


async def _cancel_share(page: Page, _: Request) -> PageState:
    page.sharing.cancel()
    return page.state()


async def _create_request(page: Page, request: Request) -> RequestMade:
    wanted = msgspec.convert(await _body(request), NewRequest)
    return await page.worker.use(lambda vault: create_request(vault, wanted))


async def _accept_arrival(page: Page, request: Request) -> ArrivalAccepted:
    return await page.receiving.accept(msgspec.convert(await _body(request), Arrival).arrival)


async def _stop_accepting(page: Page, _: Request) -> PageState:
    page.receiving.cancel()
    return page.state()


async def _settings(page: Page, request: Request) -> PageState:
    page.settings = change_settings(page.settings, await _body(request))
    save_settings(page.settings, page.worker.folder)
    page.worker.bandwidth.rate = page.settings.bandwidth
    if page.settings.language:
        set_language(page.settings.language)
    return page.state()


async def _read_settings(page: Page, _: Request) -> Settings:
    return page.settings


async def _words(_page: Page, _: Request) -> Sequence[str]:
    return WORDS


CALLS: list[tuple[str, str, Handler]] = [
    ("POST", "login/code", _send_code),
    ("POST", "login", _log_in),
    ("POST", "unlock", _then_state(lambda page, word: page.session.unlock(word), "password")),
    ("POST", "lock", _then_state(Page.lock)),
    ("POST", "logout", _log_out),
    ("POST", "password-reset", _then_state(lambda page: page.session.confirm_reset())),
    ("POST", "refresh", _then_state(lambda page: page.session.refresh())),
    ("POST", "trust", _then_state(lambda page, words: page.session.trust_leader(words), "words")),
    ("POST", "spaces", _create_space),
    ("GET", "files", _list),
    ("GET", "versions", _in_vault(versions)),
    ("GET", "pieces", _in_vault(pieces)),
    ("GET", "moments", _in_vault(moments)),
    ("POST", "protection", _protection),
    ("POST", "folders", _in_vault(create_folder)),
    ("POST", "move", _in_vault(move)),
    ("POST", "remove", _in_vault(remove)),
    ("POST", "restore", _in_vault(restore)),
    ("GET", "space-settings", _in_vault(space_settings)),
    ("POST", "space-settings", _in_vault(change_space_settings)),
    ("POST", "prune/preview", _in_vault(preview_prune)),
    ("POST", "prune", _in_vault(prune)),
    ("GET", "statistics", _in_vault(statistics)),
    ("PUT", "uploads", _upload),
    ("POST", "downloads", _download),
    ("POST", "transfers", _transfers),
    ("GET", "local-folders", _local_folders),
    ("POST", "backups", _backups),
    ("GET", "backups/preview", _preview_backup),
    ("POST", "connected-folders", _connected_folders),
    ("GET", "connected-folders/conflicts", _conflicts),
    ("GET", "connected-folders/preview", _preview_conflict),
    ("POST", "connected-folders/conflicts", _resolve_conflict),
    ("POST", "verify-files", _verify_files),
    ("GET", "shares", _in_vault(shares)),
    ("GET", "shares/rules", _in_vault(share_rules)),
    ("POST", "shares", _share),
    ("POST", "shares/cancel", _cancel_share),
    ("POST", "shares/end", _in_vault(end_share)),
    ("GET", "requests", _in_vault(requests)),
    ("GET", "requests/rules", _in_vault(request_rules)),
    ("POST", "requests", _create_request),
    ("POST", "requests/accept", _accept_arrival),
    ("POST", "requests/cancel", _stop_accepting),
    ("POST", "requests/refuse", _in_vault(refuse_arrival)),
    ("POST", "requests/end", _in_vault(end_request)),
    ("GET", "team", _team),
    ("POST", "grant", _in_vault(grant)),
    ("POST", "revoke", _in_vault(revoke)),
    ("POST", "verification", _request_code),
    ("POST", "verify", _verify),
    ("POST", "recovery-kit", _in_vault(make_recovery_kit)),
    ("POST", "recovery-kit/confirmation", _then_state(_confirm_kit, "passphrase", "code")),
    ("GET", "words", _words),
    ("GET", "settings", _read_settings),
    ("POST", "settings", _settings),
]
