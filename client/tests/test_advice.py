"""Every command that a text names can be run as it is written."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from client.tests.test_texts import entries, is_plural
from tessera_client.cli import app
from tessera_client.texts import Language, catalogue

PROGRAM: Any = typer.main.get_command(app)
# What a command needs besides what its command line says.
ONE_OF = {"recovery-kit": {"--to", "--confirm"}, "rescue": {"--to", "--list"}}

# A command that is only mentioned: its name, and the options right after it.
MENTION = re.compile(r"\btess ([a-z][a-z-]*[a-z])\b((?: --[a-z-]+)*)")
# A command that somebody is told to run, up to the end of the sentence.
ADVICE = re.compile(
    r"(?:: |\b[Rr]un:? |\bUse |\bWrite |, (?:or )?)tess ([a-z][^;,.\n]*(?:\.(?:\.\.|\w)[^;,.\n]*)*)"
)
# Words that follow the program's name where no command is meant.
NO_COMMANDS = {"once", "is", "knows", "has", "storing"}


def texts(language: Language) -> Iterator[tuple[str, str]]:
    for path, text in entries(catalogue(language)):
        for form in text.values() if is_plural(text) else (text,):
            yield ".".join(path), str(form)


def examples() -> list[str]:
    found = [*catalogue(Language.EN)["program"]["examples"]]
    for command in catalogue(Language.EN)["commands"].values():
        found += command["examples"]
    return found


def mentions(text: str) -> Counter[tuple[str, str]]:
    return Counter(found for found in MENTION.findall(text) if found[0] in PROGRAM.commands)


def options_of(command: str) -> set[str]:
    return {name for parameter in PROGRAM.commands[command].params for name in parameter.opts}


def check_command_line(line: str) -> None:
    """Parses a command line without running it."""
    name, *arguments = shlex.split(re.sub(r"\{\w+\}", "VALUE", line))
    assert name in PROGRAM.commands, line
    context = PROGRAM.make_context("tess", [], resilient_parsing=True)
    PROGRAM.commands[name].make_context(name, [*arguments], parent=context)
    assert name not in ONE_OF or ONE_OF[name] & {*arguments}, line


@pytest.mark.parametrize("example", examples())
def test_example_can_be_run(example: str) -> None:
    check_command_line(example.partition("tess ")[2].partition("|")[0])


def test_commands_that_somebody_is_told_to_run_are_complete() -> None:
    advice = [
        (key, line.strip()) for key, text in texts(Language.EN) for line in ADVICE.findall(text)
    ]
    assert len(advice) > 10
    wrong = []
    for key, line in advice:
        try:
            check_command_line(line)
        except (typer.exceptions.TyperException, AssertionError) as error:
            wrong.append(f"{key}: tess {line}: {error}")
    assert wrong == []


def test_commands_that_are_mentioned_exist_with_their_options() -> None:
    found = [mention for _, text in texts(Language.EN) for mention in MENTION.findall(text)]
    assert len(found) > 20
    assert {command for command, _ in found} <= PROGRAM.commands.keys() | NO_COMMANDS
    for command, options in found:
        if command in NO_COMMANDS:
            continue
        assert {*options.split()} <= options_of(command), (command, options)


@pytest.mark.parametrize("language", [Language.TR, Language.AR])
def test_translations_name_the_same_commands(language: Language) -> None:
    english, translated = dict[str, Any](), dict[str, Any]()
    for catalogue_texts, language_of_texts in ((english, Language.EN), (translated, language)):
        for key, text in texts(language_of_texts):
            catalogue_texts[key] = catalogue_texts.get(key, Counter()) | mentions(text)
    assert translated == english
