"""The sheet of a recovery kit, as a page and as plain text."""

import hashlib
import html
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime

from tessera_client.texts import current_language, translate
from tessera_client.vault.kit import Kit, SpaceEnd, describe_time
from tessera_core.objects import ROOT
from tessera_core.version import __version__

_COMMAND = "tess rescue COPY1 COPY2 ... --to OUT"
_DIGESTS = (
    "Windows: certutil -hashfile {} SHA256",
    "macOS: shasum -a 256 {}",
    "Linux: sha256sum {}",
)
_READER_DIGITS = 32
_SQUARE_START = "TESSERA-KIT:1"
# So that a camera can still read it from paper.
_SQUARE_SPACES = 5


def kit_text(kit: Kit) -> str:
    """The kit as plain text. Isolates keep code and command in order in right-to-left text."""
    steps = [
        line
        for number, (step, details) in enumerate(_steps(kit), 1)
        for line in (
            *textwrap.wrap(f"{number}. {step}", 88, subsequent_indent="   "),
            *(f"   {_isolate(detail)}" for detail in details),
        )
    ]
    lines = [
        translate("kit.title"),
        kit.company_name,
        "",
        f"{translate('prompts.recovery_code')}:  {_isolate(kit.code)}",
        translate("kit.made", date=_isolate(_today()), counter=kit.counter),
        translate("kit.record", counter=kit.record, fingerprint=_isolate(kit.fingerprint)),
        "",
        *textwrap.wrap(translate("kit.purpose"), 88),
        "",
        *steps,
        "",
        translate("kit.spaces"),
        *map(_describe_end, kit.spaces),
    ]
    return "\n".join(lines) + "\n"


def kit_page(kit: Kit) -> str:
    language = current_language()
    title = html.escape(translate("kit.title"))
    made = html.escape(translate("kit.made", date=_isolate(_today()), counter=kit.counter))
    steps = "\n".join(
        f"<li>{html.escape(step)}{_detail_list(details)}</li>" for step, details in _steps(kit)
    )
    record = html.escape(
        translate("kit.record", counter=kit.record, fingerprint=_isolate(kit.fingerprint))
    )
    ends = "\n".join(f"<li>{html.escape(_describe_end(end))}</li>" for end in kit.spaces)
    return f"""<!doctype html>
<html lang="{language}" dir="{language.direction}">
<meta charset="utf-8">
<title>{title}</title>
<style>
  body {{ font: 12pt/1.5 system-ui, sans-serif; max-width: 42em; margin: 3em auto; }}
  code {{ display: block; font-size: 16pt; padding: 1em; border: 1px solid; text-align: center; }}
  figure {{ margin: 1em 0; }}
  svg {{ break-inside: avoid; margin-inline-end: 1em; }}
  kbd {{ font: 10pt ui-monospace, monospace; unicode-bidi: isolate; overflow-wrap: anywhere; }}
</style>
<h1>{title}</h1>
<p><bdi>{html.escape(kit.company_name)}</bdi><br>{made}<br>{record}</p>
<h2>{html.escape(translate("prompts.recovery_code"))}</h2>
<code dir="ltr">{kit.code}</code>
<figure>{_squares(kit)}<figcaption>{html.escape(translate("kit.scan"))}</figcaption></figure>
<p>{html.escape(translate("kit.purpose"))}</p>
<ol>
{steps}
</ol>
<h2>{html.escape(translate("kit.spaces"))}</h2>
<ul>
{ends}
</ul>
</html>
"""


def square_texts(kit: Kit) -> list[str]:
    """What the reader scans: the code, then the state of each space (frontend/src/kit/sheet.ts)."""
    ends = [f"S.{end.id.hex}.{end.sequence}.{end.hash.hex()[:32]}".upper() for end in kit.spaces]
    first, rest = ends[:_SQUARE_SPACES], ends[_SQUARE_SPACES:]
    groups = [rest[at : at + _SQUARE_SPACES] for at in range(0, len(rest), _SQUARE_SPACES)]
    return [":".join((_SQUARE_START, *parts)) for parts in ([f"C.{kit.code}", *first], *groups)]


def _squares(kit: Kit) -> str:
    import segno  # noqa: PLC0415 - only sheets need it

    codes = (segno.make(text, error="m", micro=False) for text in square_texts(kit))
    return "".join(code.svg_inline(scale=3, border=4, light="#fff") for code in codes)


def _steps(kit: Kit) -> Iterator[tuple[str, list[str]]]:
    """What to do without the service, each step with what to copy, fetch or type."""
    folder = f"{ROOT}/{kit.company}"
    clouds = [f"{cloud.name} ({cloud.type_name})" for cloud in kit.clouds]
    if clouds:
        values = {"count": kit.needed, "all": len(clouds), "folder": _isolate(folder)}
        yield translate("kit.copy", **values), clouds
    else:
        yield translate("kit.copy_any"), []
    yield (
        translate("kit.reader"),
        [f"SHA-256 {hashlib.sha256(kit.reader).hexdigest()[:_READER_DIGITS]}"],
    )
    yield translate("kit.check_reader"), [digest.format("kit.html") for digest in _DIGESTS]
    yield translate("kit.disconnect"), []
    yield translate("kit.read"), []
    release = kit.release
    files = [
        f"{file.name}  SHA-256 {file.sha256}" + (" (Python 3.11+)" if file.needs_python else "")
        for file in (release.files if release else ())
        if file.platforms and not file.is_installer
    ]
    version = release.version if release else __version__
    yield translate("kit.install", version=version), files
    if files:
        yield translate("kit.check"), [digest.format("FILE") for digest in _DIGESTS]
    yield translate("kit.run"), [_COMMAND]
    yield translate("kit.afterwards"), []


def _detail_list(details: list[str]) -> str:
    return "".join(f'<br><kbd dir="ltr">{html.escape(detail)}</kbd>' for detail in details)


def _describe_end(end: SpaceEnd) -> str:
    return translate(
        "kit.space_end", name=end.name, sequence=end.sequence, hash=end.hash.hex()[:32],
        time=_isolate(describe_time(end.time)),
    )  # fmt: skip


def _isolate(text: str) -> str:
    """Keeps left-to-right text together within a line of the other direction."""
    return f"\u2066{text}\u2069" if current_language().direction == "rtl" else text


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
