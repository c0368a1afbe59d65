"""Text that others wrote, made fit to be shown: whatever a server, a record, a file or a command line says.

Such a text stands in lines of this client's own. It may not begin a new one, nor hide anything from whoever reads it or
steer the terminal, nor take more than its share of the screen. `language.say` does this to every fact of a sentence;
what is shown without a sentence is handed to `shown` where that is done. Programs are told everything: `escaped` spells
what cannot be seen, as JSON does it, and leaves nothing out.
"""

import re

INSTEAD = "?"
"""What stands for a letter that cannot be seen: a control character, a change of direction, a break, one of no width."""
LONGEST = 200
"""Letters of a foreign text that are shown. No name, code or reason of an honest server is longer."""

_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
"""What counts as printable, and shows nothing all the same."""


def is_seen(text: str) -> bool:
    """Whether everything in a text can be seen, spaces as spaces."""
    return text.isprintable() and _BLANK.search(text) is None


def shown(text: str, longest: int = LONGEST) -> str:
    """A foreign text as it may stand in a line: without breaks, all of it to be seen, cut off where it is too long."""
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return text if is_seen(text) else "".join(letter if is_seen(letter) else INSTEAD for letter in text)


def escaped(json: str, encoding: str = "utf-8") -> str:
    r"""JSON that says the same, with \uXXXX for every letter that cannot be seen.

    JSON is UTF-8: for an output in another encoding it is spelled with letters that are the same there. Its line feeds
    stay, since within a text it has none.
    """
    plain = encoding.lower().replace("_", "-") not in ("utf-8", "utf8")
    return "\n".join(_escaped(line, plain=plain) for line in json.split("\n"))


def can_write(text: str, encoding: str) -> bool:
    """Whether a text can be written in an encoding."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _escaped(line: str, *, plain: bool) -> str:
    if is_seen(line) and (line.isascii() or not plain):
        return line
    return "".join(
        letter if is_seen(letter) and (letter.isascii() or not plain) else _spelled(letter) for letter in line
    )


def _spelled(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
