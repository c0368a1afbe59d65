"""Which of some names may have been meant by one that is not among them."""

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 3
"""How many names a question offers."""
LONGEST = 60
"""Characters; what is longer is no slip of the hand."""


def near(text: str, names: Iterable[str]) -> list[str]:
    """The names that the text, or a slip of it, may stand for: first those with a word that begins like it."""
    known = list(names)
    if not text or len(text) > LONGEST:
        return []
    begun = [name for name in known if any(word.startswith(text) for word in (name, *name.split("-")))]
    return list(dict.fromkeys([*begun, *get_close_matches(text, known, n=MOST)]))[:MOST]
