import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessera.integrations.clouds import paths


@pytest.mark.parametrize(
    ("path", "normalised"),
    [
        ("tessera", "tessera"),
        ("/tessera/", "tessera"),
        ("///tessera///", "tessera"),
        ("/", ""),
        ("", ""),
        ("a/b/.tessera/health.json", "a/b/.tessera/health.json"),
        ("Ürün dosyaları/ملفات", "Ürün dosyaları/ملفات"),
        ("a..b/...c", "a..b/...c"),
        ("%2e%2e/a", "%2e%2e/a"),
    ],
)
def test_sound_paths_are_accepted(path: str, normalised: str) -> None:
    assert paths.problem(path) is None
    assert paths.normalised(path) == normalised


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("..", "path"),
        ("../other", "path"),
        ("a/../../other", "path"),
        ("a/..", "path"),
        ("/..", "path"),
        (".", "path"),
        ("a/./b", "path"),
        ("a//b", "path"),
        ("..\\other", "path"),
        ("a\\b", "path"),
        ("a/ b", "path"),
        ("a /b", "path"),
        ("a./b", "path"),
        ("a\0b", "characters"),
        ("a\nb", "characters"),
        ("a\x7fb", "characters"),
        ("a\u202eb", "characters"),
        ("a\ud800b", "characters"),
        ("x" * 201, "too_long"),
        ("é" * 101, "too_long"),
        ("a/" * 300, "too_long"),
    ],
)
def test_paths_that_lead_astray(path: str, code: str) -> None:
    assert paths.problem(path) == code
    with pytest.raises(ValueError, match=code):
        paths.normalised(path)


@given(st.text(alphabet=st.sampled_from("./\\ab%2e\0 "), max_size=40))
def test_a_sound_path_never_leaves_its_root(path: str) -> None:
    if paths.problem(path) is None:
        names = paths.normalised(path).split("/")
        assert not {"..", "."} & set(names)
        assert paths.normalised(paths.normalised(path)) == paths.normalised(path)
