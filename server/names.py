"""The names players give themselves, made fit to be shown to others."""

import unicodedata

LONGEST = 24
MARKS = 2
"""How many marks a letter may carry: Hindi and Thai need them, a name that grows over the lines above does not."""


def clean_name(name: str) -> str:
    """The name without control characters and invisible marks, its white space single.

    What is left of a name that had nothing else is "player".
    """
    shown, marks = "", MARKS
    for character in unicodedata.normalize("NFKC", name):
        kind = "Zs" if character.isspace() else unicodedata.category(character)
        if kind == "Zs":
            shown, marks = shown + " ", MARKS
        elif kind[0] == "M" and marks < MARKS and kind != "Me":
            shown, marks = shown + character, marks + 1
        elif kind[0] not in "CM":
            shown, marks = shown + character, 0
    return " ".join(shown.split())[:LONGEST].strip() or "player"
