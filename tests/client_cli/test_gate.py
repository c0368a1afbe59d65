"""Every sentence that users read goes through `say` or `plural`: the source is searched for those that do not."""

import ast
import re
from pathlib import Path

import pytest

import client_cli

SOURCE = Path(client_cli.__file__).parent
GATE = {"say", "plural"}
PRINTING = {"echo", "secho", "print", "prompt", "confirm", "fail", "write"}
WORDED = {"help", "short_help", "epilog", "prompt", "label", "meaning", "title", "why"}
"""The names under which sentences are handed on."""
FOR_PROGRAMMERS = {"AssertionError", "TypeError", "KeyError", "NotImplementedError"}
"""Errors that no user gets to see: there is a mistake in the program."""
FOR_SERVERS = {"BadRecord"}
"""The engine's error, of which users are told the code and the facts in words of this client."""
A_SENTENCE = re.compile(r"[^\W\d_]{2,}[ ,.:;?!]+\s*[^\W\d_]{2,}")


def called(node: ast.expr) -> str:
    """The last part of the name of what is called."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def spoken(node: ast.AST) -> list[str]:
    """The sentences in an expression that are not handed to the gate."""
    if isinstance(node, ast.Call) and called(node.func) in GATE | FOR_SERVERS:
        return []
    if isinstance(node, ast.JoinedStr):
        text = " ".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return [text] * bool(A_SENTENCE.search(text))
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) and A_SENTENCE.search(node.value) else []
    return [text for part in ast.iter_child_nodes(node) for text in spoken(part)]


def past_the_gate(source: str) -> list[str]:
    """The sentences in a file that would be printed, raised or handed on as help without the gate."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            if called(node.func) in PRINTING or called(node.func).endswith(("Error", "BadParameter", "Exception")):
                found += [] if called(node.func) in FOR_PROGRAMMERS else [t for arg in node.args for t in spoken(arg)]
            found += [text for word in node.keywords if word.arg in WORDED for text in spoken(word.value)]
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            found += [] if called(node.exc.func) in FOR_PROGRAMMERS else spoken(node.exc)
    return found


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_sentence_goes_past_the_gate(file: Path) -> None:
    assert past_the_gate(file.read_text(encoding="utf-8")) == []


def filled_past_the_gate(source: str) -> list[str]:
    """Where facts are filled into sentences without having been looked at."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [ast.unparse(node) for node in nodes if called(node.func) in ("format", "format_map")]


@pytest.mark.parametrize("file", sorted(SOURCE.rglob("*.py")), ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_fact_goes_past_the_gate(file: Path) -> None:
    """`language.fill` does it for all: what is foreign may not write lines of its own."""
    assert filled_past_the_gate(file.read_text(encoding="utf-8")) == [] or file.name == "language.py"


@pytest.mark.parametrize(
    "source",
    [
        'print("Two words")',
        'click.echo(f"Well, {name} is here")',
        'raise click.UsageError("Choose one.")',
        'raise ClientError(Refusal("no", "not today"))',
        '@click.option("--x", help="Some help.")\ndef f(): ...',
        'click.group(epilog="\\n".join(["one sentence"]))',
        'click.prompt("The key", hide_input=True)',
    ],
)
def test_one_that_does_would_be_found(source: str) -> None:
    assert past_the_gate(source)


@pytest.mark.parametrize(
    "source",
    [
        'print(say("Two words"))',
        'raise AssertionError("not so")',
        'click.echo("\\n")',
        'help(a="x y", help=say("A b"))',
    ],
)
def test_others_would_not(source: str) -> None:
    assert not past_the_gate(source)
