"""What there is to tell beside a match, whichever face shows the match."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client_cli.announcements import Announcement
from client_cli.main import main
from client_cli.options import Settings
from client_cli.reports import KeyReplaced
from client_cli.screen import opening
from client_cli.troubles import Exit
from tests.ports import free_port

TOLD = "Your key was one of tommy 0.1, and those have ended."


@pytest.fixture
def _on_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Settings, "full_screen", property(lambda _: True))
    monkeypatch.setenv("TOMMY_KEY_FILE", str(tmp_path / "key"))
    (tmp_path / "key").write_text("0d" * 16)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--server", f"127.0.0.1:{free_port()}"])


@pytest.mark.usefixtures("_on_a_terminal")
@pytest.mark.parametrize("face", ["play", "watch"])
def test_the_full_screen_shows_that_a_key_was_replaced_and_it_is_told_afterwards(
    monkeypatch: pytest.MonkeyPatch, face: str
) -> None:
    shown: list[Announcement] = []

    async def open_face(*_: object, notes: Sequence[Announcement], **__: object) -> Exit:
        shown.extend(notes)
        return Exit.FINE

    monkeypatch.setattr(opening, face, open_face)
    first, second = run(face), run(face)
    assert [type(told) for told in shown] == [KeyReplaced]
    assert first.exit_code == second.exit_code == 0
    assert first.stderr.startswith(TOLD)
    assert second.stderr == ""


@pytest.mark.usefixtures("_on_a_terminal")
@pytest.mark.parametrize("face", ["play", "watch"])
def test_it_is_told_too_when_no_screen_is_opened(face: str) -> None:
    result = run(face)
    assert result.exit_code == 3
    first, second = result.stderr.splitlines()
    assert first.startswith(TOLD)
    assert second.startswith("No connection to")
