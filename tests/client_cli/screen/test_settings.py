"""The settings file: what it may say, and the one line that tells what is wrong with it."""

import sys
from pathlib import Path

import pytest

from client_cli.screen import settings
from client_cli.screen.look import Look
from client_cli.screen.settings import chosen, load
from client_cli.troubles import ClientError
from client_cli.wording import words


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "screen.toml"


def complaint(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ClientError) as caught:
        load(file)
    line = words(caught.value.problem)
    assert "\n" not in line
    assert line.startswith(f"{file}, line ")
    return line.removeprefix(f"{file}, line ")


def test_a_whole_file(file: Path) -> None:
    file.write_text(
        '[look]\nascii = true\nfour-colors = true\nbell = false\n\n[keys]\nturn = ["g", "space"]\npick-11 = "p"\nresign = []\n',
        encoding="utf-8",
    )
    said = load(file)
    assert said.look == {"ascii": True, "four_colors": True, "bell": False}
    assert said.keys == {"turn": ("g", "space"), "pick-11": ("p",), "resign": ()}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[look]\nascii = yes\n", "2: "),
        ("[look]\nascii = 1\n", "2: ascii is true or false"),
        ("\n[looks]\n", "2: section looks is not known: there is look, keys"),
        ("look = 3\n", "1: look is a section: write [look]"),
        ("[look]\ncolour = false\n", "2: look colour is not known: there is ascii, color, four-colors, light, "),
        ("[keys]\nturn = 'f'\n", "2: the key f is that of foundation already"),
        ("[keys]\n\njump = 'j'\n", "3: keys jump is not known: there is turn, pick-1 ... pick-13, foundation, "),
        ("[keys]\nturn = 7\n", '2: turn is a list of keys, such as ["space", "t"]'),
        ("[keys]\nturn = ['spacebar']\n", "2: 'spacebar' is no key: write one letter or sign, one of space, enter, "),
        ("[keys]\nturn = ['ctrl+c']\n", "2: 'ctrl+c' is no key"),
        ("[keys]\nturn = [' ']\n", "2: ' ' is no key"),
        ("[keys", "1: "),
    ],
)
def test_what_is_wrong_is_told_in_one_line(file: Path, text: str, told: str) -> None:
    assert complaint(file, text).startswith(told)


def test_a_file_that_cannot_be_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ClientError):
        load(file)
    monkeypatch.setattr(settings, "user_config_path", lambda *_, **__: file.parent)
    assert load() == settings.Settings()
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ClientError):
        load()
    with pytest.raises(ClientError):
        load(file.parent)


def test_the_command_line_counts_most(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "user_config_path", lambda *_, **__: file.parent)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", type("Out", (), {"encoding": "latin-1"}))
    assert chosen(None, {})[0] == Look(color=False, ascii=True)
    file.write_text("[look]\ncolor = true\nlight = true\nascii = false\n", encoding="utf-8")
    assert chosen(None, {})[0] == Look(light=True)
    assert chosen(None, {"light": False, "color": False})[0] == Look(color=False)
