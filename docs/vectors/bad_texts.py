"""Secrets, salts and passphrases that must be refused before anything is sealed or stored."""

from tessera_core import base64url

GOOD_AUTH = "BnBMVO6srn2OfzkIzaZdWdDewx354ANqYyZU1r-V-sI"

Bad = dict[str, str]


def bad_auth_secrets() -> list[Bad]:
    return [
        {"reason": reason, "text": text}
        for reason, text in [
            ("empty", ""),
            ("a plain password", "correct horse battery staple"),
            ("a plain password of the right length", "p" * 46),
            ("no prefix", GOOD_AUTH),
            ("prefix only", "a1."),
            ("another prefix", f"a2.{GOOD_AUTH}"),
            ("prefix in capitals", f"A1.{GOOD_AUTH}"),
            ("prefix twice", f"a1.a1.{GOOD_AUTH}"),
            ("a character too few", f"a1.{GOOD_AUTH[:-1]}"),
            ("a character too many", f"a1.{GOOD_AUTH}A"),
            ("padded", f"a1.{GOOD_AUTH}="),
            ("stray trailing bits", f"a1.{GOOD_AUTH[:-1]}J"),
            ("standard alphabet, +", f"a1.+{GOOD_AUTH[1:]}"),
            ("standard alphabet, /", f"a1./{GOOD_AUTH[1:]}"),
            ("blank in front", f" a1.{GOOD_AUTH}"),
            ("line break at the end", f"a1.{GOOD_AUTH}\n"),
            ("line break in place of the last character", f"a1.{GOOD_AUTH[:-1]}\n"),
            ("a full-width letter", f"a1.Ｂ{GOOD_AUTH[1:]}"),
            ("hexadecimal", "a1." + "0d" * 32),
        ]
    ]


def bad_salts() -> list[Bad]:
    good = base64url.encode(bytes(range(16)))
    return [
        {"reason": reason, "text": text}
        for reason, text in [
            ("empty", ""),
            ("15 bytes", base64url.encode(bytes(15))),
            ("17 bytes", base64url.encode(bytes(17))),
            ("padded", f"{good}=="),
            ("stray trailing bits", f"{good[:-1]}x"),
            ("standard alphabet", f"+{good[1:]}"),
            ("blank inside", f"{good[:4]} {good[4:]}"),
            ("hexadecimal", bytes(range(16)).hex()),
        ]
    ]


def unsealable_passphrases() -> list[Bad]:
    return [
        {"reason": reason, "text": text}
        for reason, text in [
            ("empty", ""),
            ("blanks only", " \t\n\u00a0\u3000\ufeff"),
            ("511 bytes", "x" * 511),
            ("512 bytes in 256 characters", "é" * 256),
            # U+0958 is excluded from composition: NFC makes two characters of it.
            ("510 bytes as typed, 1020 after normalising", "\u0958" * 170),
            ("a lone surrogate", "mosaic \ud800 tile"),
        ]
    ]
