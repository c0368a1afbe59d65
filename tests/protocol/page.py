"""docs/protocol.md, taken apart for the tests that hold it against the code."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
TEXT = PAGE.read_text(encoding="utf-8")


def _parts(text: str, mark: str) -> dict[str, str]:
    """What stands under each heading of one level."""
    _, *parts = re.split(rf"^{mark} (.*)$", text, flags=re.MULTILINE)
    return {heading.strip("`"): body for heading, body in zip(parts[::2], parts[1::2], strict=True)}


SECTIONS = _parts(TEXT, "##")


def under(section: str) -> dict[str, str]:
    """What stands under each heading in a section."""
    return _parts(SECTIONS[section], "###")


def rows_of(body: str) -> list[list[str]]:
    """The rows of the first table, without its head."""
    lines = [line for line in body.split("\n\n") if line.startswith("|")][:1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in "".join(lines).split("\n")[2:]]


def first_column(body: str) -> list[str]:
    return [row[0].strip("`") for row in rows_of(body)]
