"""The names players give themselves, made fit to be shown to others.

Names are no keys: two players may have the same, and the tag beside each name tells them apart. So no name is refused.
What must not be is a name that looks like another and is not, or that spoils the line it stands in.
"""

import unicodedata

LONGEST = 24
MARKS = 2
"""How many marks a letter may carry: Hindi and Thai need them, a name that grows over the lines above does not."""
SEAM = "·"
"""What stands within a word where its letters change from one of `LOOK_ALIKES` to another."""
LOOK_ALIKES = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU")
"""The scripts whose letters are taken for each other's, as the names of their characters begin."""
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U0001d159").union(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Characters that show nothing although Unicode counts them as letters, marks or symbols: fillers and selectors."""


def clean_name(name: str) -> str:
    """The name without control characters and invisible marks, its white space single, look-alike letters set apart.

    What is left of a name that had nothing else is "player".
    """
    visible = _with_few_marks("".join(map(_visible, name)))
    # Only now, since what is gone may have stood between a letter and its accent; and it may bring new marks.
    normal = _with_few_marks(unicodedata.normalize("NFKC", visible))
    return " ".join(_with_seams(normal).split())[:LONGEST].strip() or "player"


def _visible(character: str) -> str:
    """The character, a space for any white space, or nothing for what cannot be seen or goes round other characters."""
    if character.isspace():
        return " "
    kind = unicodedata.category(character)
    return "" if kind[0] == "C" or kind == "Me" or character in BLANKS else character


def _with_few_marks(text: str) -> str:
    """The text with no mark that has no letter, and none beyond `MARKS` on one letter."""
    kept, marks = "", MARKS
    for character in text:
        if not unicodedata.category(character).startswith("M"):
            marks = MARKS if character == " " else 0
        elif marks == MARKS:
            continue
        else:
            marks += 1
        kept += character
    return kept


def _with_seams(text: str) -> str:
    """The text with a `SEAM` wherever a word changes between scripts that look alike.

    So `Ann` with a Cyrillic A has one after the A. A word ends at a space, a sign or a symbol. A whole word of another
    script is left as it is: it may well be an honest name, and the tag tells it from others.
    """
    marked, script = "", ""
    for character in text:
        kind = unicodedata.category(character)[0]
        if kind in "ZPS":
            script = ""
        elif kind == "L":
            found = unicodedata.name(character, "").partition(" ")[0]
            if found in LOOK_ALIKES:
                if script not in ("", found):
                    marked += SEAM
                script = found
        marked += character
    return marked
