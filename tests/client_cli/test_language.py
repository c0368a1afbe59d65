"""The languages: which one is spoken, that nothing lacks its translation, and that a bad translation does no harm."""

import gettext
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from client_cli import language, usage
from client_cli.language import plural, say
from client_cli.main import main

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ["de", "es"]
FIRST_WORDS = {"en": "Goal:", "de": "Ziel:", "es": "Objetivo:"}


@pytest.fixture(scope="module")
def texts() -> ModuleType:
    """scripts/texts.py."""
    pytest.importorskip("babel")
    spec = importlib.util.spec_from_file_location("texts", ROOT / "scripts" / "texts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Spoken(gettext.NullTranslations):
    """A catalog of one translation."""

    def __init__(self, *forms: str) -> None:
        super().__init__()
        self.forms = forms

    def gettext(self, message: str) -> str:
        return self.forms[0]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.forms[0 if n == 1 else -1]


# The catalogs


def test_the_catalogs_are_up_to_date(texts: ModuleType) -> None:
    old = [str(path) for path, content in texts.wanted().items() if path.read_bytes() != content]
    assert not old, "make texts brings them up to date"


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_nothing_lacks_its_translation(texts: ModuleType, spoken: str) -> None:
    assert texts.missing(spoken) == []


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_translations_name_the_same_facts(texts: ModuleType, spoken: str) -> None:
    for message in texts.updated(spoken, texts.extracted()):
        one, many = message.id if isinstance(message.id, tuple) else (message.id, message.id)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if one:
            assert language._fields(forms[-1]) == language._fields(many), message.id
            assert all(language._fields(form) in map(language._fields, (one, many)) for form in forms), message.id


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_translations_keep_their_shape(texts: ModuleType, spoken: str) -> None:
    """The same paragraphs, and no space more or less at the ends, where a sentence is put together with others."""
    for message in texts.updated(spoken, texts.extracted()):
        if message.id:
            pairs = (
                zip(message.id, message.string, strict=True) if message.pluralizable else [(message.id, message.string)]
            )
            for english, translated in pairs:
                assert english.count("\n") == translated.count("\n"), english
                assert english[: -len(english.lstrip()) or None].isspace() == translated[:1].isspace(), english
                assert english[-1:].isspace() == translated[-1:].isspace(), english


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_catalogs_say_nothing_of_when_and_where_they_were_made(texts: ModuleType, spoken: str) -> None:
    for file in (texts.po_file(spoken), texts.TEMPLATE):
        header = file.read_text(encoding="utf-8").split("\n\n")[0]
        assert "Date" not in header
        assert "/" not in header.replace("text/plain", "")
        assert "fuzzy" not in header


@pytest.mark.parametrize(
    ("spoken", "others"),
    [
        ("de", "Rennen|Neugeben|neu geben|in der Hand|Vorrat|Tippe|Lösche|Setze|Schreibe|Nenne"),
        ("es", r"[Cc]arrera|[Dd]escub\w+|volver una|Enter|mesas?|[Tt]u cuenta|[Ll]as? cuentas?|Meta|a punto|[Qq]uedan"),
    ],
)
def test_one_thing_has_one_word(texts: ModuleType, spoken: str, others: str) -> None:
    """The words that were used for a match, the stock, a turn, a count and others, beside the chosen ones."""
    said = [message.string for message in texts.updated(spoken, texts.extracted()) if message.id]
    forms = [form for string in said for form in (string if isinstance(string, tuple) else (string,))]
    assert [form for form in forms if re.search(rf"\b({others})\b", form)] == []


def test_the_texts_of_click_are_those_of_click() -> None:
    folder = Path(click.__file__).parent
    source = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    for text in usage.texts():
        assert f'"{text}"' in source
    assert len(usage.counted()) == 4


# A sentence


def test_facts_are_filled_in_after_the_translation() -> None:
    language.choose("de")
    assert say("{name} is ready.", name="{Ada}") == "{Ada} ist bereit."
    assert plural("{number} card", "{number} cards", 1) == "1 Karte"
    assert plural("{number} card", "{number} cards", 2) == "2 Karten"


def test_what_is_not_translated_is_english() -> None:
    language.choose("es")
    assert say("Nothing like it, {name}.", name="Ada") == "Nothing like it, Ada."
    assert plural("{number} such thing", "{number} such things", 3) == "3 such things"
    assert say("") == ""


@pytest.mark.parametrize(
    "wrong", ["{nome} ok", "{name", "{}", "{0}", "{name.x}", "{name[0]}", "{name!x}", "{name:d}", "}"]
)
def test_a_translation_with_other_facts_is_not_used(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setattr(language._Spoken, "catalog", Spoken(wrong))
    assert say("{name} is ready.", name="Ada") == "Ada is ready."
    assert say("{name} is ready.").format(name="Ada") == "Ada is ready."
    assert plural("one for {name}", "{number} for {name}", 1, name="Ada") == "one for Ada"
    assert plural("one for {name}", "{number} for {name}", 2, name="Ada") == "2 for Ada"


def test_a_catalog_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "fr" / "LC_MESSAGES" / "tommy.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"nonsense")
    monkeypatch.setattr(language, "LOCALE", tmp_path)
    assert language.choose("fr") == "en"


# Which language


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        (["de"], "de"),
        (["de_AT.UTF-8@euro"], "de"),
        (["ES-mx"], "es"),
        (["fr", "es", "de"], "es"),
        (["en_GB", "de"], "en"),
        (["C.UTF-8", "de"], "en"),
        (["POSIX"], "en"),
        ([], "en"),
        (["", "xx", "../de", "/", "d\0e", "de/../es", "ﬁ", "a" * 10_000], "en"),
    ],
)
def test_the_first_language_there_is(wanted: list[str], chosen: str) -> None:
    assert language.choose(*wanted) == chosen


def rules(*arguments: str, **environment: str) -> str:
    """What `tommy rules` prints with nothing in its environment that says a language but this."""
    kept = {name: value for name, value in os.environ.items() if name not in language.VARIABLES}
    done = subprocess.run(
        [sys.executable, "-m", "client_cli", *arguments],
        cwd=ROOT,
        env=kept | {"PYTHONIOENCODING": "utf-8"} | environment,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("arguments", "environment", "chosen"),
    [
        (["rules"], {}, "en"),
        (["rules", "--lang", "de"], {}, "de"),
        (["--lang=es", "rules"], {"LANG": "de_DE.UTF-8"}, "es"),
        (["--lang", "es", "rules", "--lang", "de"], {}, "de"),
        (["rules", "--lang", "klingon"], {"LANG": "de"}, "en"),
        (["rules"], {"LC_MESSAGES": "es_ES.UTF-8"}, "es"),
        (["rules"], {"LANG": "de_DE.UTF-8"}, "de"),
        (["rules"], {"LANG": "de", "LC_MESSAGES": "es"}, "es"),
        (["rules"], {"LC_MESSAGES": "es", "LC_ALL": "de"}, "de"),
        (["rules"], {"LC_ALL": "de", "LANGUAGE": "fr:es:de"}, "es"),
        (["rules"], {"LC_ALL": "de", "LANGUAGE": "en:de"}, "en"),
        (["rules"], {"LC_ALL": "xx_YY.nonsense@x"}, "en"),
        (["rules"], {"LANGUAGE": "", "LANG": "de"}, "de"),
    ],
)
def test_a_process_speaks_the_language_it_is_asked_for(
    arguments: list[str], environment: dict[str, str], chosen: str
) -> None:
    printed = rules(*arguments, **environment)
    assert {spoken for spoken, word in FIRST_WORDS.items() if word in printed} == {chosen}


def test_what_is_worded_at_import_is_translated_too() -> None:
    assert "  help, h         diese Wörter\n" in rules("rules", "lucas", "--lang", "de")
    printed = rules("play", "--help", "--lang", "es")
    assert "Contra un bot de la casa." in printed
    assert "Uso: tommy play" in printed


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_help_fits_80_columns(spoken: str) -> None:
    lines = rules("--help", "--lang", spoken).split("\n")
    assert max(map(len, lines)) <= 80
    assert not any(line.endswith("...") for line in lines[1:])


def test_the_option_counts_in_one_process_as_well() -> None:
    for arguments in (["--lang", "de", "rules"], ["rules", "--lang", "de"]):
        assert FIRST_WORDS["de"] in CliRunner().invoke(main, arguments).output
