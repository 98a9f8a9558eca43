from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.tests.log_example import COMPANY
from tessera_core.errors import Malformed, NoSeed, NotAuthentic
from tessera_core.files import Folder
from tessera_core.keyring import Keyring
from tessera_core.requests import (
    RequestDetails,
    RequestKeys,
    RequestLink,
    read_request_keys,
    seal_upload_key,
    upload_keys,
)
from tessera_core.shares import LinkRefused, Manifest, manifest_hash, new_secret

REQUEST, UPLOAD = UUID(int=88), UUID(int=99)
KEYRING = Keyring((b"1" * 32, b"2" * 32))
KEYS = RequestKeys.derive(KEYRING, 2, company=COMPANY, request=REQUEST)
LINK = KEYS.link("https://share.example")


class TestLink:
    @given(st.uuids(), st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16))
    def test_request_link_is_parsed_as_it_was_written(
        self, request_id: UUID, digest: bytes, token: bytes
    ) -> None:
        link = RequestLink("https://share.example:8443", request_id, digest, token)
        assert RequestLink.parse(str(link)) == link

    @given(st.integers(0, len(str(LINK)) - 1))
    def test_request_link_that_was_cut_is_refused(self, size: int) -> None:
        with pytest.raises(LinkRefused) as refusal:
            RequestLink.parse(str(LINK)[:size])
        at = str(LINK).index("#")
        assert refusal.value.reason == (
            "cut" if size > at + 1 else "no_fragment" if size >= at else "no_link"
        )

    @given(st.text(max_size=200))
    @example(str(LINK) + "\n")
    def test_other_links_are_no_request_links(self, text: str) -> None:
        with pytest.raises(LinkRefused):
            RequestLink.parse(text)

    def test_newer_link_is_told_apart(self) -> None:
        with pytest.raises(LinkRefused) as refusal:
            RequestLink.parse(str(LINK).replace("#1.", "#2."))
        assert refusal.value.reason == "newer"

    def test_token_is_not_shown(self) -> None:
        assert repr(LINK.token) not in repr(LINK)


class TestKeys:
    def test_each_generation_and_request_has_its_own_keys(self) -> None:
        other = RequestKeys.derive(KEYRING, 1, company=COMPANY, request=REQUEST)
        another = RequestKeys.derive(KEYRING, 2, company=COMPANY, request=UPLOAD)
        assert len({KEYS.key, other.key, another.key}) == 3
        with pytest.raises(NoSeed):
            RequestKeys.derive(KEYRING, 3, company=COMPANY, request=REQUEST)

    def test_keys_of_another_company_are_refused(self) -> None:
        with pytest.raises(NotAuthentic):
            read_request_keys(KEYS.private.public.encode(), LINK, company=UPLOAD)

    @given(st.text(min_size=1, max_size=60), st.integers(1, 4000), st.integers(1, 10**12))
    def test_details_are_opened_as_they_were_sealed(
        self, title: str, files: int, size: int
    ) -> None:
        details = RequestDetails(title, files, size)
        sealed = KEYS.access.seal_details(details, KEYS.private)
        assert KEYS.access.open_details(sealed, KEYS.private.public) == details
        assert len(sealed) <= 512 + 16


class TestUpload:
    def test_each_sealing_of_a_key_differs_and_opens(self) -> None:
        secret = new_secret()
        keys = upload_keys(secret, company=COMPANY, request=REQUEST, upload=UPLOAD)
        manifest = keys.seal_manifest(Manifest(0, (), (), (("a", Folder(0)),)))
        sealed = {
            seal_upload_key(
                secret, manifest_hash(manifest), KEYS.private.public,
                company=COMPANY, request=REQUEST, upload=UPLOAD,
            )
            for _ in range(2)
        }  # fmt: skip
        assert len(sealed) == 2
        for key in sealed:
            assert KEYS.open_upload(UPLOAD, key, manifest).keys == keys

    def test_short_secret_is_refused(self) -> None:
        with pytest.raises(Malformed):
            upload_keys(b"short", company=COMPANY, request=REQUEST, upload=UPLOAD)
