"""Every link in the docs leads somewhere."""

import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.protocol.page import PAGE

PAGES = [PAGE.parents[1] / "README.md", *sorted(PAGE.parent.glob("*.md"))]


def _anchor(heading: str, seen: Callable[[str], int]) -> str:
    plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"{plain}-{before}" if (before := seen(plain)) else plain


def _anchors(text: str) -> set[str]:
    counts: defaultdict[str, int] = defaultdict(int)

    def seen(plain: str) -> int:
        counts[plain] += 1
        return counts[plain] - 1

    return {_anchor(heading, seen) for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]*)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        if path.startswith("https:"):
            continue
        there = page.parent / path if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in _anchors(there.read_text(encoding="utf-8")), target
