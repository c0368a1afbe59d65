"""Every link in docs/protocol.md leads somewhere."""

import re
from collections import defaultdict
from collections.abc import Callable

from tests.protocol.page import PAGE, TEXT


def _anchor(heading: str, seen: Callable[[str], int]) -> str:
    plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    return f"{plain}-{before}" if (before := seen(plain)) else plain


def _anchors(text: str) -> set[str]:
    counts: defaultdict[str, int] = defaultdict(int)

    def seen(plain: str) -> int:
        counts[plain] += 1
        return counts[plain] - 1

    return {_anchor(heading, seen) for heading in re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)}


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]*)\)", TEXT):
        path, _, anchor = target.partition("#")
        if path.startswith("https:"):
            continue
        page = PAGE.parent / path if path else PAGE
        assert page.exists(), target
        if anchor:
            assert anchor in _anchors(page.read_text(encoding="utf-8")), target
