"""The gate for all text: every sentence a user reads goes through `say` or `plural`.

Sentences are whole, with their facts named in braces, so that each can be translated as one piece; the translations
are in `locale`. What is filled in for a fact is foreign, unless it was `Said` here before: a name with line feeds in it
writes no lines of its own (`foreign`).

The language is settled before the modules are imported that word something at once (`__main__` does it): until then,
and where nothing fits, it is English.
"""

import gettext
import os
import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Formatter

from client_cli.foreign import shown

DOMAIN = "tommy"
LOCALE = Path(__file__).with_name("locale")
ENGLISH = "en"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where the language is looked for: the first of these that is set counts."""


class _Spoken:
    """The language that is spoken now."""

    catalog = gettext.NullTranslations()
    language = ENGLISH


class Said(str):
    """A text of this client's own. In another sentence it stays as it is; any other text is foreign there."""

    __slots__ = ()


def spoken() -> str:
    """The language that is spoken now, as its code."""
    return _Spoken.language


def say(sentence: str, /, **facts: object) -> str:
    """The sentence in the user's language, its facts filled in."""
    return fill(_translated(sentence), **facts)


def plural(one: str, many: str, number: int, /, **facts: object) -> str:
    """The sentence for one thing or for many; `{number}` is the number itself."""
    english = one if number == 1 else many
    translated = _Spoken.catalog.ngettext(one, many, number)
    known = {"number", *(_fields(one) or ()), *(_fields(many) or ())}
    return fill(translated if _fits(translated, known) else english, **{"number": number, **facts})


def fill(sentence: str, /, **facts: object) -> str:
    """A sentence that was said without its facts, with them."""
    return Said(sentence.format(**{name: _fact(fact) for name, fact in facts.items()}) if facts else sentence)


def joined(between: str, parts: Iterable[str]) -> str:
    """Parts of a sentence, or sentences, side by side."""
    return Said(between.join(part if isinstance(part, Said) else shown(part) for part in parts))


def choose(*wanted: str) -> str:
    """Speak the first of these languages (de, es_ES.UTF-8, C) that there is, else English. Tells which it is."""
    for name in wanted:
        language = re.split("[_.@-]", name.strip().lower())[0]
        if language in (ENGLISH, "c", "posix"):
            break
        if catalog := _catalog(language):
            _Spoken.catalog, _Spoken.language = catalog, language
            return language
    _Spoken.catalog, _Spoken.language = gettext.NullTranslations(), ENGLISH
    return ENGLISH


def settle(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Speak the language that a command line asks for, else that of its environment; click's own texts too."""
    given = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    chosen = choose(*(_asked(arguments) or given).split(":"))
    # click asks gettext itself, in the domain and the language that are set for the whole process.
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    os.environ[VARIABLES[0]] = chosen


def _asked(arguments: Sequence[str]) -> str:
    """What --lang says, the last one if there are several."""
    asked = ""
    for number, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == "--lang":
            asked = next(iter(arguments[number + 1 : number + 2]), "")
        elif argument.startswith("--lang="):
            asked = argument.partition("=")[2]
    return asked


def _catalog(language: str) -> gettext.NullTranslations | None:
    """The catalog of a language, if there is one that can be read."""
    if not re.fullmatch("[a-z]{2,3}", language, re.ASCII):
        return None
    try:
        return gettext.translation(DOMAIN, LOCALE, [language])
    except (OSError, ValueError, struct.error):
        return None


def _translated(sentence: str) -> str:
    """The sentence in the user's language; in English where its translation has other facts."""
    translated = _Spoken.catalog.gettext(sentence) if sentence else sentence
    return translated if translated == sentence or _fits(translated, _fields(sentence) or set()) else sentence


def _fact(fact: object) -> object:
    """A fact as it may be filled in. Numbers and nothing stay what they are, for the sake of how they are spelled."""
    return fact if fact is None or isinstance(fact, Said | int | float) else shown(str(fact))


def _fits(translated: str, known: set[str]) -> bool:
    fields = _fields(translated)
    return fields is not None and fields <= known


def _fields(sentence: str) -> set[str] | None:
    """The facts a sentence names, each as it is written in the braces; None if the braces make no sense."""
    try:
        parts = list(Formatter().parse(sentence))
    except ValueError:
        return None
    return {
        name + f"!{conversion}" * bool(conversion) + f":{spec}" * bool(spec)
        for _, name, spec, conversion in parts
        if name is not None
    }
