"""The names players give themselves, made fit to be shown to others."""

import unicodedata

LONGEST = 24


def clean_name(name: str) -> str:
    """The name without control characters, invisible marks and stacked accents, its white space single.

    What is left of a name that had nothing else is "player".
    """
    normal = unicodedata.normalize("NFKC", name)
    visible = "".join(" " if character.isspace() else character for character in normal if _may_be_shown(character))
    return " ".join(visible.split())[:LONGEST].strip() or "player"


def _may_be_shown(character: str) -> bool:
    """Control, format, private, unassigned and combining characters may not; white space becomes a space."""
    return character.isspace() or unicodedata.category(character)[0] not in "CM"
