"""Options that several commands have."""

from typing import Annotated

import typer

from tessera_client.texts import Language

AsJson = Annotated[bool, typer.Option("--json", help="options.json")]
Lang = Annotated[
    Language | None, typer.Option("--lang", help="options.language", metavar="en|tr|ar")
]
Bandwidth = Annotated[str | None, typer.Option(help="options.bandwidth", metavar="RATE")]
Exclude = Annotated[list[str] | None, typer.Option(help="options.exclude", metavar="PATTERN")]
Include = Annotated[list[str] | None, typer.Option(help="options.include", metavar="PATTERN")]
Checksum = Annotated[bool, typer.Option("--checksum", help="options.checksum")]
Replace = Annotated[bool, typer.Option("--replace", help="options.replace")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="options.dry_run")]
