import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tessera_core import base64url
from tessera_core.errors import Malformed, NotAuthentic
from tessera_core.release import Release, ReleaseFile, _read_file, open_release, sign_release

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
PUBLIC = base64url.encode(KEY.public_key().public_bytes_raw())
FILE = ReleaseFile("tess.exe", ("windows",), "x64", False, 5, "ab" * 32)
SETUP = ReleaseFile("setup.exe", ("windows",), "x64", False, 6, "cd" * 32, True, True)
RELEASE = Release("0.7.7", (FILE, SETUP))


def signed(**changes: Any) -> str:
    """A manifest that is signed, with a malformed file inside."""
    return sign_release(Release("0.7.7", (ReleaseFile(**{**vars(FILE), **changes}),)), KEY)


def test_a_release_is_decoded_again() -> None:
    assert open_release(sign_release(RELEASE, KEY), {PUBLIC}) == RELEASE


def test_versions_are_ordered_by_number() -> None:
    assert Release("0.10.0", ()).order > Release("0.9.9", ()).order


def test_another_key_is_refused() -> None:
    with pytest.raises(NotAuthentic, match="key"):
        open_release(sign_release(RELEASE, Ed25519PrivateKey.generate()), {PUBLIC})


@pytest.mark.parametrize("field", ["release", "signature"])
def test_a_change_is_noticed(field: str) -> None:
    manifest = json.loads(sign_release(RELEASE, KEY))
    other = json.loads(sign_release(Release("0.7.8", ()), KEY))
    with pytest.raises(NotAuthentic, match="signature"):
        open_release(json.dumps({**manifest, field: other[field]}), {PUBLIC})


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "1", '{"release": 1}', "x" * 70_000])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(Malformed):
        open_release(text, {PUBLIC})


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "../tess"},
        {"name": ""},
        {"sha256": "AB" * 32},
        {"platforms": ("beos",)},
        {"machine": "vax"},
        {"needs_python": 1},
        {"is_installer": 1},
        {"is_signed": None},
        {"size": -1},
        {"size": "5"},
    ],
)
def test_malformed_files_are_refused_even_if_signed(changes: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        open_release(signed(**changes), {PUBLIC})


def test_a_malformed_version_is_refused_even_if_signed() -> None:
    with pytest.raises(Malformed):
        open_release(sign_release(Release("0.7.7-beta", ()), KEY), {PUBLIC})


def test_release_of_an_older_build_has_no_installers() -> None:
    payload = json.loads(json.loads(sign_release(RELEASE, KEY))["release"])
    for file in payload["files"]:
        del file["isInstaller"], file["isSigned"]
    assert [_read_file(file).is_installer for file in payload["files"]] == [False, False]
