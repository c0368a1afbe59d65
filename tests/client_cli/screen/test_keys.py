"""The table of keys: no key has two meanings at a time, and every row has its help."""

from pathlib import Path

from client_cli.screen import keys
from client_cli.screen.keys import CHOOSING, PLAYING, TABLES, clashes, helped, hints, of_game, rebound
from client_cli.screen.playing import Playing
from client_cli.screen.settings import LOOKS
from engine.games import variant


def test_no_key_has_two_meanings_at_a_time() -> None:
    assert clashes({row.name: row.keys for table in TABLES for row in table if row.name not in shared_names()}) == []


def shared_names() -> set[str]:
    """Actions that are in several tables with keys of their own."""
    return {row.name for row in PLAYING} & {row.name for row in CHOOSING} - {"help", "quit"}


def test_every_row_has_its_help() -> None:
    for table in TABLES:
        told = helped(table)
        assert all(keys_of and meaning for keys_of, meaning in told)
        assert {row.meaning for row in table} == {meaning for _, meaning in told}


def test_every_row_has_something_to_do() -> None:
    for row in PLAYING:
        assert callable(row.do)
        assert row.keys
    assert keys.PLAYING is Playing.table


def test_a_row_of_keys_is_told_by_its_ends() -> None:
    picks = [row for row in of_game(PLAYING, variant("lucas").rules) if row.name.startswith("pick-")]
    assert helped(picks) == [("1…9 0 - = +", picks[0].meaning)]
    assert hints(picks[:4]) == [("1…4", picks[0].label)]
    assert hints(picks[:1]) == [("1", picks[0].label)]


def test_keys_can_be_chosen_anew() -> None:
    rows = rebound(PLAYING, {"turn": ("g", "ctrl+t"), "waste": ()})
    assert next(row for row in rows if row.name == "turn").keys == ("g", "ctrl+t")
    assert ("turn", "g", "foundation") not in clashes({"turn": ("g",)})
    assert ("turn", "f", "foundation") in clashes({"turn": ("f",)})
    # Enter is for being ready before the race and for a rematch after it.
    assert clashes({"ready": ("enter",), "turn": ("enter",)}) == []
    assert clashes({"quit": ("enter",)})


def test_keys_are_spelled_for_people() -> None:
    assert [keys.spelled(key) for key in ("space", "a", "f1", "ctrl+t", "escape")] == [
        "Space",
        "a",
        "F1",
        "Ctrl+T",
        "Esc",
    ]


def test_the_page_about_the_screen_names_every_action() -> None:
    page = (Path(__file__).parents[3] / "docs" / "screen.md").read_text(encoding="utf-8")
    missing = [name for name in keys.names() if f"`{name}`" not in page and not name.startswith("pick-")]
    assert not missing
    assert all(name in page for name in LOOKS)
