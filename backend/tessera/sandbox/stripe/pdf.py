"""A one-page PDF invoice, generated without a library."""

from datetime import UTC, datetime

from tessera.sandbox.stripe.store import Body


def invoice_pdf(invoice: Body) -> bytes:
    amount = f"{invoice['amount_due'] / 100:,.2f} {invoice['currency'].upper()}"
    lines = [
        ("F2", 22, "Tessera sandbox"),
        ("F1", 12, f"Invoice {invoice['number']}"),
        ("F1", 12, f"Date {_day(invoice['created'])}"),
        ("F1", 12, f"For {invoice['customer_name'] or invoice['customer_email'] or ''}"),
        ("F1", 12, f"Period {_day(invoice['period_start'])} to {_day(invoice['period_end'])}"),
        ("F2", 14, f"Total {amount}"),
        ("F1", 12, f"Status: {invoice['status']}"),
        ("F1", 9, "No money was moved: this is a sandbox."),
    ]
    y, drawn = 760, []
    for font, size, text in lines:
        drawn.append(f"BT /{font} {size} Tf 60 {y} Td ({_escaped(text)}) Tj ET")
        y -= size + 14
    content = "\n".join(drawn).encode("latin-1", "replace")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
