"""Serves a drive by WebDAV to programs of this computer."""

import io
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from errno import (
    EACCES,
    EEXIST,
    EINVAL,
    EISDIR,
    ENAMETOOLONG,
    ENOENT,
    ENOSPC,
    ENOTDIR,
    ENOTEMPTY,
    EPERM,
    EXDEV,
)
from functools import wraps
from hashlib import blake2b
from typing import Any, ParamSpec, TypeVar

from cheroot.wsgi import Server
from wsgidav import util
from wsgidav.dav_error import (
    HTTP_BAD_GATEWAY,
    HTTP_CONFLICT,
    HTTP_FORBIDDEN,
    HTTP_INTERNAL_ERROR,
    HTTP_METHOD_NOT_ALLOWED,
    HTTP_NOT_FOUND,
    DAVError,
)
from wsgidav.dav_provider import DAVCollection, DAVNonCollection, DAVProvider
from wsgidav.error_printer import ErrorPrinter
from wsgidav.http_authenticator import HTTPAuthenticator
from wsgidav.request_resolver import RequestResolver
from wsgidav.wsgidav_app import WsgiDAVApp

from tessera_client.drive.drive import Handle, Status
from tessera_client.drive.mounted import Mounted
from tessera_client.drive.system_mount import ADDRESS, USER

_THREADS = 16
_COPY_BYTES = 1024 * 1024
_INSUFFICIENT_STORAGE = 507
_STATUS = {
    ENOENT: HTTP_NOT_FOUND,
    ENOTDIR: HTTP_CONFLICT,
    EEXIST: HTTP_METHOD_NOT_ALLOWED,
    EISDIR: HTTP_METHOD_NOT_ALLOWED,
    ENOTEMPTY: HTTP_CONFLICT,
    EACCES: HTTP_FORBIDDEN,
    EPERM: HTTP_FORBIDDEN,
    EINVAL: HTTP_FORBIDDEN,
    ENAMETOOLONG: HTTP_FORBIDDEN,
    EXDEV: HTTP_BAD_GATEWAY,
    ENOSPC: _INSUFFICIENT_STORAGE,
}

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Environ = dict[str, Any]


def _answers(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Turns a system's error into a status."""

    @wraps(function)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except OSError as error:
            status = _STATUS.get(error.errno or 0, HTTP_INTERNAL_ERROR)
            raise DAVError(status) from error

    return run


class _Stream(io.RawIOBase):
    """An open file as Python's files are."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._offset = 0

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        begin = {io.SEEK_SET: 0, io.SEEK_CUR: self._offset}.get(whence)
        self._offset = (self._handle.status().size if begin is None else begin) + offset
        return self._offset

    def read(self, size: int = -1) -> bytes:
        wanted = self._handle.status().size if size < 0 else size
        data = self._handle.read(self._offset, wanted)
        self._offset += len(data)
        return data

    @_answers
    def write(self, data: Any) -> int:  # noqa: ANN401 - anything that holds bytes
        self._offset += self._handle.write(self._offset, data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._handle.close()
        super().close()


class _Resource:
    """What files and folders have in common."""

    path: str
    environ: Environ
    provider: "DriveProvider"
    status: Status

    def get_creation_date(self) -> float:
        return self.status.modified / 1e9

    def get_last_modified(self) -> float:
        return self.status.modified / 1e9

    def get_display_name(self) -> str:
        return self.path.rstrip("/").rpartition("/")[2]

    def support_recursive_move(self, dest_path: str) -> bool:  # noqa: ARG002
        return True

    @_answers
    def move_recursive(self, dest_path: str) -> None:
        drive, source = self.provider.mounted.find(self.path)
        other, target = self.provider.mounted.find(dest_path)
        if drive is not other:
            raise OSError(EXDEV, "")
        drive.move(source, target)
        properties = self.provider.prop_manager
        moved = self.provider.get_resource_inst(dest_path, self.environ)
        if properties and moved:
            properties.move_properties(
                self.get_ref_url(),  # type: ignore[attr-defined]
                moved.get_ref_url(),
                with_children=True,
                environ=self.environ,
            )

    @_answers
    def set_last_modified(self, dest_path: str, time_stamp: int | str, *, dry_run: bool) -> bool:
        seconds = time_stamp if isinstance(time_stamp, int) else util.parse_time_string(time_stamp)
        if seconds is None:
            raise DAVError(HTTP_CONFLICT)
        if not dry_run:
            drive, inner = self.provider.mounted.find(dest_path)
            drive.set_times(inner, int(seconds) * 10**9)
        return True

    def _copy_properties(self, dest_path: str) -> None:
        properties = self.provider.prop_manager
        copy = self.provider.get_resource_inst(dest_path, self.environ)
        if properties and copy:
            properties.copy_properties(
                self.get_ref_url(),  # type: ignore[attr-defined]
                copy.get_ref_url(),
                self.environ,
            )

    def _forget(self) -> None:
        self.remove_all_properties(recursive=True)  # type: ignore[attr-defined]
        self.remove_all_locks(recursive=True)  # type: ignore[attr-defined]


class _File(_Resource, DAVNonCollection):  # type: ignore[misc]
    def __init__(self, path: str, environ: Environ, status: Status) -> None:
        super().__init__(path, environ)
        self.status = status

    def get_content_length(self) -> int:
        return self.status.size

    def get_content_type(self) -> str:
        # Nothing that a browser would run.
        return "application/octet-stream"

    def get_etag(self) -> str:
        text = f"{self.path}/{self.status.size}/{self.status.modified}"
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def support_etag(self) -> bool:
        return True

    def support_ranges(self) -> bool:
        return True

    @_answers
    def get_content(self) -> _Stream:
        drive, inner = self.provider.mounted.find(self.path)
        return _Stream(drive.open(inner))

    @_answers
    def begin_write(self, *, content_type: str | None = None) -> _Stream:  # noqa: ARG002
        drive, inner = self.provider.mounted.find(self.path)
        return _Stream(drive.open(inner, write=True, truncate=True))

    @_answers
    def delete(self) -> None:
        drive, inner = self.provider.mounted.find(self.path)
        drive.remove(inner)
        self._forget()

    @_answers
    def copy_move_single(self, dest_path: str, *, is_move: bool) -> None:  # noqa: ARG002
        drive, inner = self.provider.mounted.find(self.path)
        other, target = self.provider.mounted.find(dest_path)
        source = drive.open(inner)
        try:
            if self.provider.exists(dest_path, self.environ):
                copy = other.open(target, write=True, truncate=True)
            else:
                copy = other.create(target, executable=self.status.executable)
            try:
                for offset in range(0, source.status().size, _COPY_BYTES):
                    copy.write(offset, source.read(offset, _COPY_BYTES))
            finally:
                copy.close()
        finally:
            source.close()
        self._copy_properties(dest_path)


class _Folder(_Resource, DAVCollection):  # type: ignore[misc]
    def __init__(self, path: str, environ: Environ, status: Status) -> None:
        super().__init__(path, environ)
        self.status = status

    def get_directory_info(self) -> None:
        return None

    def get_etag(self) -> None:
        return None

    def get_used_bytes(self) -> int:
        quota, left = self.provider.mounted.room()
        return quota - left

    def get_available_bytes(self) -> int:
        return self.provider.mounted.room()[1]

    @_answers
    def get_member_names(self) -> list[str]:
        entries = self.provider.mounted.entries(self.path)
        return [name for name, status in entries if status.type != "link"]

    def get_member(self, name: str) -> DAVCollection | DAVNonCollection | None:
        return self.provider.get_resource_inst(util.join_uri(self.path, name), self.environ)

    @_answers
    def get_member_list(self) -> list[Any]:
        """With one look instead of one for each member."""
        return [
            self.provider.make(util.join_uri(self.path, name), self.environ, status)
            for name, status in self.provider.mounted.entries(self.path)
            if status.type != "link"
        ]

    @_answers
    def create_empty_resource(self, name: str) -> DAVNonCollection:
        path = util.join_uri(self.path, name)
        drive, inner = self.provider.mounted.find(path)
        drive.create(inner).close()
        return self.provider.get_resource_inst(path, self.environ)

    @_answers
    def create_collection(self, name: str) -> None:
        drive, inner = self.provider.mounted.find(util.join_uri(self.path, name))
        drive.make_folder(inner)

    @_answers
    def delete(self) -> None:
        drive, inner = self.provider.mounted.find(self.path)
        if not inner:
            raise DAVError(HTTP_FORBIDDEN)
        drive.remove_folder(inner, with_contents=True)
        self._forget()

    def support_recursive_delete(self) -> bool:
        return True

    @_answers
    def copy_move_single(self, dest_path: str, *, is_move: bool) -> None:  # noqa: ARG002
        drive, inner = self.provider.mounted.find(dest_path)
        if not self.provider.exists(dest_path, self.environ):
            drive.make_folder(inner)
        self._copy_properties(dest_path)


class DriveProvider(DAVProvider):  # type: ignore[misc]
    def __init__(self, mounted: Mounted) -> None:
        super().__init__()
        self.mounted = mounted

    def get_resource_inst(self, path: str, environ: Environ) -> Any:  # noqa: ANN401 - either kind
        try:
            status = self.mounted.status(path)
        except OSError:
            return None
        return None if status.type == "link" else self.make(path, environ, status)

    def make(self, path: str, environ: Environ, status: Status) -> _File | _Folder:
        kind = _Folder if status.type == "folder" else _File
        return kind(path, environ, status)


@dataclass
class WebDavServer:
    """Listens on loopback at a port that nobody knows before."""

    mounted: Mounted
    password: str = field(default_factory=secrets.token_urlsafe, repr=False)

    def __post_init__(self) -> None:
        self._server = Server((ADDRESS, 0), self._guard, numthreads=_THREADS, server_name="tess")
        self._server.prepare()
        self.port: int = self._server.bind_addr[1]
        self._app = WsgiDAVApp(
            {
                "provider_mapping": {"/": DriveProvider(self.mounted)},
                "middleware_stack": [ErrorPrinter, HTTPAuthenticator, RequestResolver],
                "http_authenticator": {"accept_basic": True, "accept_digest": True},
                "simple_dc": {"user_mapping": {"*": {USER: {"password": self.password}}}},
                "property_manager": True,
                "lock_storage": True,
                "honor_mtime_header": True,
                "mutable_live_props": ["{DAV:}getlastmodified"],
                "suppress_version_info": True,
                "verbose": 0,
                "logging": {"enable": False},
            }
        )

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.port}/"

    def serve(self) -> None:
        """Returns after `stop`."""
        self._server.serve()

    def stop(self) -> None:
        self._server.stop()

    def _guard(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """A page of another site must not reach the files through the user's browser."""
        hosts = {f"{ADDRESS}:{self.port}", f"localhost:{self.port}"}
        origin = environ.get("HTTP_ORIGIN")
        if environ.get("HTTP_HOST") not in hosts or (
            origin is not None and origin not in {f"http://{host}" for host in hosts}
        ):
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b""]

        def start(status: str, headers: list[tuple[str, str]], *error: object) -> object:
            # WsgiDAV 4.3 answers LOCK with half a type, and 4.4 has no wheel.
            mended = [
                (name, value.replace("application;", "application/xml;")) for name, value in headers
            ]
            return start_response(status, mended, *error)

        answer: Iterable[bytes] = self._app(environ, start)
        return answer
