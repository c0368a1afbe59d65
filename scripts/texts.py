"""Bring the catalogs in client_cli/locale up to date with the texts in the source: .pot, .po and .mo.

usage: scripts/texts.py [--check]     --check writes nothing, and says what is not up to date
"""

import argparse
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "client_cli"
LOCALE = SOURCE / "locale"
TEMPLATE = LOCALE / "tommy.pot"
LANGUAGES = ("de", "es")
KEYWORDS = {"say": None, "plural": (1, 2)}

# Dates, names and versions, which would change on every run, whatever else did.
NOISE = re.compile(
    r'^"(?:POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By|Report-Msgid-Bugs-To):.*\n',
    re.MULTILINE,
)


def po_file(language: str) -> Path:
    """Where a language's translations are."""
    return LOCALE / language / "LC_MESSAGES" / "tommy.po"


def mo_file(language: str) -> Path:
    """The same, compiled."""
    return po_file(language).with_suffix(".mo")


def extracted() -> Catalog:
    """The texts in the source, each with the files it is in."""
    catalog = Catalog(project="tommy", version="texts", header_comment="# The texts of tommy.", fuzzy=False)
    for file, _, text, comments, context in extract_from_dir(SOURCE, [("**.py", "python")], keywords=KEYWORDS):
        catalog.add(text, None, [(f"{SOURCE.name}/{Path(file).as_posix()}", 0)], (), comments, context=context)
    return catalog


def updated(language: str, template: Catalog) -> Catalog:
    """A language's catalog with the texts that are in the template, and no others; what is new is left empty."""
    catalog = Catalog(language)
    if po_file(language).exists():
        with po_file(language).open("rb") as opened:
            catalog = read_po(opened, locale=language)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.project, catalog.version, catalog.fuzzy = template.project, template.version, False
    catalog.header_comment = f"# The texts of tommy, in the language {language}."
    return catalog


def written(catalog: Catalog) -> bytes:
    """The catalog as a .po or .pot file."""
    file = io.BytesIO()
    write_po(file, catalog, width=0, include_lineno=False)
    return NOISE.sub("", file.getvalue().decode()).encode()


class Bare(Catalog):
    """A catalog with no more of a header than a program needs."""

    plurals = ""

    def __iter__(self) -> Iterator[Message]:
        _, *messages = super().__iter__()
        yield Message("", f"Content-Type: text/plain; charset=utf-8\nPlural-Forms: {self.plurals}\n")
        yield from messages


def compiled(catalog: Catalog) -> bytes:
    """The catalog as an .mo file."""
    bare = Bare(fuzzy=False)
    bare.plurals = catalog.plural_forms
    for message in catalog:
        if message.id and message.string and not message.fuzzy:
            bare.add(message.id, message.string, context=message.context)
    file = io.BytesIO()
    write_mo(file, bare)
    return file.getvalue()


def wanted() -> dict[Path, bytes]:
    """Every file as it should be."""
    template = extracted()
    files = {TEMPLATE: written(template)}
    for language in LANGUAGES:
        catalog = updated(language, template)
        files |= {po_file(language): written(catalog), mo_file(language): compiled(catalog)}
    return files


def missing(language: str) -> list[str]:
    """The texts that a language lacks."""
    catalog = updated(language, extracted())
    return [
        str(message.id)
        for message in catalog
        if message.id
        and (message.fuzzy or not all(message.string if isinstance(message.string, tuple) else [message.string]))
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, and say what is not up to date")
    check = parser.parse_args().check
    old = [path for path, content in wanted().items() if not path.exists() or path.read_bytes() != content]
    for path, content in wanted().items():
        if path in old and not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for path in old:
        print(f"texts: {path.relative_to(ROOT)} {'is not up to date' if check else 'is written'}")
    lacking = {language: missing(language) for language in LANGUAGES}
    for language, texts in lacking.items():
        for text in texts:
            print(f"texts: {language} lacks {text!r}")
    return 1 if any(lacking.values()) or (check and old) else 0


if __name__ == "__main__":
    sys.exit(main())
