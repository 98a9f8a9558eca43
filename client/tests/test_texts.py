"""The commands' texts in every language."""

import ast
import plistlib
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import tessera_client
from client.tests.conftest import Computer
from client.tests.service import Service
from tessera_client.commands.language import _mac_tag, choose_language
from tessera_client.texts import Language, catalogue, set_language, translate
from tessera_client.vault.kit import Kit
from tessera_client.vault.kit_sheet import kit_page, kit_text
from tessera_client.vault.profile import StateFolder
from tessera_core.plurals import plural_form

ROOT = Path(tessera_client.__file__).parent
CATEGORIES = {
    Language.EN: {"one", "other"},
    Language.TR: {"one", "other"},
    Language.AR: {"zero", "one", "two", "few", "many", "other"},
}
# Forms that are never those of other numbers; the rest may be the same as "other".
DISTINCT_FORMS = {
    Language.EN: {"one", "other"},
    Language.TR: {"one", "other"},
    Language.AR: {"one", "two", "other"},
}
# Calls, and which of their arguments people read.
SHOWN_ARGUMENT = {
    "ClientError": 0,
    "WrongUsage": 0,
    "NeedsInput": 0,
    "Refused": 0,
    "BadParameter": 0,
    "fail": 0,
    "NotEnoughShards": 0,
    "notice": 0,
    "progress": 0,
    "ask": 0,
    "echo": 0,
    "getpass": 0,
    "write": 0,
    "print": 0,
    "Problem": 1,
    "Result": 1,
    "read_secret": 1,
}
KEYWORDS = {"help", "prompt", "text", "message"}


def is_plural(value: Any) -> bool:
    return isinstance(value, dict) and "other" in value


def most_used(text: Any) -> str:
    return str(text["other"] if is_plural(text) else text)


def entries(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Texts and sets of plural forms, by their paths."""
    if isinstance(tree, dict) and not is_plural(tree):
        for key, value in tree.items():
            yield from entries(value, (*path, key))
    else:
        yield path, tree


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def keys(language: Language = Language.EN) -> set[str]:
    return {".".join(path) for path, _ in entries(catalogue(language))}


@cache
def calls() -> list[tuple[Path, ast.Call, str]]:
    """Every call in the client's code, with the name of what is called."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                name = function.id if isinstance(function, ast.Name) else ""
                name = function.attr if isinstance(function, ast.Attribute) else name
                found.append((path, node, name))
    return found


@pytest.mark.parametrize("language", [Language.TR, Language.AR])
def test_the_languages_hold_the_same_texts_with_the_same_values(language: Language) -> None:
    english, other = (dict(entries(catalogue(each))) for each in (Language.EN, language))
    assert english.keys() == other.keys()
    for path, text in english.items():
        assert fields(most_used(text)) == fields(most_used(other[path])), path
        assert most_used(text) != most_used(other[path]), path


@pytest.mark.parametrize("language", Language)
def test_plural_forms_differ_and_name_the_same_values(language: Language) -> None:
    for path, text in entries(catalogue(language)):
        if is_plural(text):
            assert DISTINCT_FORMS[language] <= text.keys() <= CATEGORIES[language], path
            special = {name: form for name, form in text.items() if name != "other"}
            assert text["other"] not in special.values(), path
            assert all(fields(form) | {"count"} == fields(text["other"]) for form in text.values())


def test_every_text_named_in_code_exists() -> None:
    named = (
        {
            node.args[0].value
            for _, node, name in calls()
            if name in {"translate", "entry"} and isinstance(node.args[0], ast.Constant)
        }
        | {
            f"errors.{node.args[0].value!s}"
            for _, node, name in calls()
            if name == "from_code" and isinstance(node.args[0], ast.Constant)
        }
        | {
            keyword.value.value
            for _, node, name in calls()
            if name in {"Option", "Argument"}
            for keyword in node.keywords
            if keyword.arg == "help" and isinstance(keyword.value, ast.Constant)
        }
    )
    assert len(named) > 150
    known = keys() | {".".join(path[:-1]) for path, _ in entries(catalogue(Language.EN))}
    assert named - known == set()


def test_every_text_is_used() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))
    found_by_name = (
        "program.",
        "commands.",
        "manual.",
        "system.",
        "results.version_",
    )
    options = {"options.help", "options.install_completion", "options.show_completion"}
    unused = {
        key
        for key in keys() - options
        if not key.startswith(found_by_name)
        and f'"{key}"' not in code
        and f"'{key}'" not in code
        and not re.search(rf'from_code\(\s*"{key.removeprefix("errors.")}"', code)
    }
    assert unused == set()


def has_words(node: ast.expr | None) -> bool:
    """Whether an expression is a text for people, written into the code."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.search(r"[A-Za-z]{2}", node.value) is not None
    if isinstance(node, ast.JoinedStr):
        return any(has_words(part) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.IfExp):
        return has_words(node.body) or has_words(node.orelse)
    if isinstance(node, ast.BinOp):
        return has_words(node.left) or has_words(node.right)
    return isinstance(node, ast.BoolOp) and any(map(has_words, node.values))


def test_no_text_for_people_is_written_into_the_code() -> None:
    found = []
    for path, node, name in calls():
        at = SHOWN_ARGUMENT.get(name)
        shown = [node.args[at]] if at is not None and len(node.args) > at else []
        if name not in {"Option", "Argument"}:
            shown += [each.value for each in node.keywords if each.arg in KEYWORDS]
        if any(has_words(each) for each in shown):
            found.append(f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)[:80]}")
    allowed = ("typer.echo(f'tess {__version__}')", "json.dumps", "sys.stdout.write")
    assert [each for each in found if not any(text in each for text in allowed)] == []


class TestChoice:
    @pytest.fixture(autouse=True)
    def nothing_chosen(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        for variable in ("TESS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.setenv("TESSERA_CLIENT_DIR", str(tmp_path))

    def test_language_comes_from_the_first_source_that_names_one(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        assert choose_language(["status"]) == Language.EN
        monkeypatch.setenv("LANG", "tr_TR.UTF-8")
        assert choose_language(["status"]) == Language.TR
        monkeypatch.setenv("LC_MESSAGES", "ar_EG")
        assert choose_language(["status"]) == Language.AR
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        assert choose_language(["status"]) == Language.EN
        StateFolder(tmp_path, use_keyring=False).save_language("ar")
        assert choose_language(["status"]) == Language.AR
        monkeypatch.setenv("TESS_LANG", "tr")
        assert choose_language(["status"]) == Language.TR
        assert choose_language(["status", "--lang", "ar"]) == Language.AR
        assert choose_language(["--lang=en", "status"]) == Language.EN

    def test_json_is_always_english(self) -> None:
        assert choose_language(["status", "--lang", "ar", "--json"]) == Language.EN
        assert choose_language(["put", "--lang", "ar", "--", "--json"]) == Language.AR

    def test_an_unknown_language_is_passed_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LANG", "tr_TR.UTF-8")
        monkeypatch.setenv("TESS_LANG", "fr")
        assert choose_language([]) == Language.TR

    def test_language_on_macos_without_variables_is_the_system_s(self, tmp_path: Path) -> None:
        preferences = tmp_path / "preferences.plist"
        assert _mac_tag(preferences) == ""
        preferences.write_bytes(plistlib.dumps({"AppleLanguages": ["ar-EG", "en"]}))
        assert _mac_tag(preferences) == "ar-EG"


@pytest.mark.parametrize(
    ("count", "form"),
    [(0, "zero"), (1, "one"), (2, "two"), (3, "few"), (110, "few"), (11, "many"), (102, "other")],
)
def test_arabic_counts_use_their_plural_forms(count: int, form: str) -> None:
    assert plural_form(count, Language.AR) == form


def run(computer: Computer, language: str, *arguments: str | Path) -> tuple[int, str, str]:
    return computer.say(*arguments, "--lang", language)


class TestCommands:
    def test_commands_answer_in_turkish(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        for name in ("a", "b"):
            (tmp_path / name).write_text(name)
        assert run(leader, "tr", "put", tmp_path / "a", tmp_path / "b", "Designs:/")[1] == (
            "2 öğe saklandı. 0 öğe değişmemiş.\n"
        )
        assert run(leader, "tr", "spaces")[1] == "Designs  2 dosya, 1 üye\n"
        assert run(leader, "tr", "rm", "Designs:/a")[1] == "1 öğe kaldırıldı.\n"
        assert "! Henüz bir kurtarma seti yok." in run(leader, "tr", "status")[1]
        exit_code, _, said = run(leader, "tr", "ls", "Other:/")
        assert (exit_code, said) == (1, "Other adında bir alan yok.\n")
        assert service.languages[-1] == "tr"

    def test_commands_answer_in_arabic(
        self, service: Service, leader: Computer, tmp_path: Path
    ) -> None:
        for name in ("a", "b", "c"):
            (tmp_path / name).write_text(name)
        sources = [tmp_path / name for name in ("a", "b", "c")]
        assert run(leader, "ar", "put", *sources, "Designs:/")[1] == (
            "خُزّنت 3 عناصر. لا عناصر دون تغيير.\n"
        )
        assert run(leader, "ar", "spaces")[1] == "Designs  3 ملفات, عضو واحد\n"
        assert run(leader, "ar", "get", "Designs:/a", tmp_path / "out")[1] == "جُلب ملف واحد.\n"
        assert "لم تُفقد أي حزمة.\n" in run(leader, "ar", "verify", "Designs")[1]
        exit_code, _, said = run(leader, "ar", "get", "Designs", tmp_path / "out")
        assert (exit_code, said) == (2, "Designs ليس موضعًا. اكتب SPACE:/PATH\n")

    @pytest.mark.parametrize("language", ["tr", "ar"])
    def test_manual_page_is_in_the_chosen_language(self, leader: Computer, language: str) -> None:
        texts = catalogue(Language(language))
        page = run(leader, language, "put", "--help")[1]
        assert f"tess put - {texts['commands']['put']['summary']}" in page
        assert texts["options"]["dry_run"] in page
        assert page.count(texts["manual"]["examples"]) == 1
        wrong = run(leader, language, "put")[2]
        set_language(Language(language))
        assert wrong.startswith(translate("usage.missing", name="SRC..."))


class TestKit:
    KIT = Kit(UUID(int=1), "Acme & Sons", "ABCD-EFGH-2345", 3, 1, "0123456789abcdef" * 2)

    def test_the_page_is_in_the_language_and_keeps_the_code_left_to_right(self) -> None:
        set_language(Language.AR)
        page = kit_page(self.KIT)
        assert '<html lang="ar" dir="rtl">' in page
        assert '<code dir="ltr">ABCD-EFGH-2345</code>' in page
        assert '<kbd dir="ltr">tess rescue' in page
        assert "<bdi>Acme &amp; Sons</bdi>" in page
        assert "رمز استرداد الملفات" in page
        assert re.search("\u2066\\d{4}-\\d\\d-\\d\\d\u2069", page), "the date keeps its order"
        set_language(Language.EN)
        assert '<html lang="en" dir="ltr">' in kit_page(self.KIT)

    def test_the_text_isolates_code_and_command(self) -> None:
        set_language(Language.AR)
        text = kit_text(self.KIT)
        assert "\u2066ABCD-EFGH-2345\u2069" in text
        assert "\u2066tess rescue COPY1 COPY2 ... --to OUT\u2069" in text
        set_language(Language.TR)
        assert "Dosya kurtarma kodu:  ABCD-EFGH-2345\n" in kit_text(self.KIT)
