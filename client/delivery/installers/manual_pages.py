"""Manual pages of the program and of each command, from the texts of `--help`."""

import gzip
from pathlib import Path
from typing import Any

import typer

from tessera_client.cli import app
from tessera_client.commands.manual import manual_sections
from tessera_client.texts import Language, set_language, translate
from tessera_core.version import __version__

_INDENT = "    "


def write_manual_pages(folder: Path) -> None:
    """`folder` is a `share/man`. The same texts give the same bytes."""
    program: Any = typer.main.get_command(app)
    try:
        for language in Language:
            set_language(language)
            pages = folder if language is Language.EN else folder / language
            pages = pages / "man1"
            pages.mkdir(parents=True)
            context = program.make_context("tess", [], resilient_parsing=True)
            _write(pages, "tess", manual_sections(program, context))
            for name, command in program.commands.items():
                own = command.make_context(name, [], parent=context, resilient_parsing=True)
                _write(pages, f"tess-{name}", manual_sections(command, own))
    finally:
        set_language(Language.EN)


def _write(folder: Path, name: str, sections: dict[str, list[str]]) -> None:
    page = manual_page(name, sections).encode()
    (folder / f"{name}.1.gz").write_bytes(gzip.compress(page, mtime=0))


def manual_page(name: str, sections: dict[str, list[str]]) -> str:
    """In the language of man(7)."""
    lines = [f'.TH {_escape(name.upper())} 1 "" "tess {__version__}" "Tessera"']
    for section, paragraphs in sections.items():
        lines.append(f".SH {_escape(translate(f'manual.{section}'))}")
        if section == "name":
            # mandb reads the name of the page from it.
            _, _, summary = paragraphs[0].partition(" - ")
            lines.append(f"{_escape(name)} \\- {_escape(summary)}")
        elif section == "synopsis":
            lines.append(f"\\fB{_escape(paragraphs[0])}\\fR")
        elif section == "description":
            lines += _description(paragraphs)
        else:
            lines += _terms(paragraphs)
    return "\n".join(lines) + "\n"


def _description(paragraphs: list[str]) -> list[str]:
    lines = list[str]()
    for line in "\n".join(paragraphs).split("\n"):
        if not line.strip():
            lines.append(".PP")
        elif line.startswith(" "):
            lines += [".RS 4", _escape(line.strip()), ".RE"]
        else:
            is_first = not lines or lines[-1] in {".PP", ".RE"}
            lines += [_escape(line)] if is_first else [".br", _escape(line)]
    return lines


def _terms(paragraphs: list[str]) -> list[str]:
    lines = []
    for paragraph in paragraphs:
        term, _, text = paragraph.partition(f"\n{_INDENT}")
        lines += [".TP", f"\\fB{_escape(term)}\\fR", *_description([text])]
    return lines


def _escape(text: str) -> str:
    """Backslashes and hyphens as themselves; a dot or an apostrophe at the start is no request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
