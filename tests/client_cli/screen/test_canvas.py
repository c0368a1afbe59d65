"""The sheet everything is drawn on, and how long heaps are folded."""

from client_cli.screen.canvas import Area, Canvas, shortened
from client_cli.screen.heaps import collapsed, packed
from engine.cards import parse_card
from engine.games import variant
from engine.moves import pile


def test_what_does_not_fit_is_cut_off() -> None:
    canvas = Canvas(6, 2)
    assert canvas.put(4, 0, "abc") == 7
    canvas.put(-1, 1, "xyz")
    canvas.put(0, 5, "no such line")
    assert canvas.lines() == ["    ab", "yz    "]


def test_wide_letters_take_two_cells() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "愛a")
    canvas.put(5, 0, "愛")
    canvas.put(4, 0, "e\u0301\x1b")
    assert canvas.lines() == ["愛a e?"]
    assert shortened("愛愛愛", 4) == "愛…"
    assert shortened("ab", 2) == "ab"
    assert shortened("ab", 0) == ""


def test_of_a_wide_letter_that_is_half_covered_nothing_stays() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "愛愛愛")
    canvas.put(1, 0, "ab")
    assert canvas.lines() == [" ab 愛"]


def test_a_text_is_put_at_its_side() -> None:
    canvas = Canvas(7, 3)
    for row, align in enumerate("<^>"):
        canvas.put_in(canvas.area, "abc", align=align, row=row)
    assert canvas.lines() == ["abc    ", "  abc  ", "    abc"]


def test_letters_painted_alike_are_one_run() -> None:
    canvas = Canvas(6, 1)
    canvas.put(1, 0, "ab", "face")
    canvas.put(3, 0, "c", "face")
    assert list(canvas.runs(0)) == [(" ", ""), ("abc", "face"), ("  ", "")]


def test_the_place_drawn_last_is_the_one_that_is_clicked() -> None:
    canvas = Canvas(10, 10)
    canvas.claim(Area(0, 0, 5, 5), pile(1))
    canvas.claim(Area(4, 4, 5, 5), pile(2))
    assert [canvas.place_at(*point) for point in ((0, 0), (4, 4), (8, 8), (9, 9))] == [pile(1), pile(2), pile(2), None]


def cards(text: str) -> list[int]:
    return [parse_card(card) for card in text.split()]


def test_the_oldest_cards_of_a_pile_become_ranks() -> None:
    heap = cards("Ks 10d 9h 8c 7s 6d")
    assert [row.text for row in packed(heap, 6, 8)] == ["Ks", "10d", "9h", "8c", "7s", "6d"]
    assert [row.text for row in packed(heap, 5, 8)] == ["K 10", "9h", "8c", "7s", "6d"]
    assert [row.text for row in packed(heap, 3, 8)] == ["K 10 9 8", "7s", "6d"]
    assert [row.text for row in packed(heap, 2, 4)] == ["+5", "6d"]
    assert packed([], 5, 8) == []


def test_the_inside_of_a_run_becomes_a_number() -> None:
    builds = variant("forty-thieves").rules.builds  # type: ignore[union-attr]
    heap = cards("2h Ks Qs Js 10s 9s 4d 3d")
    assert [row.text for row in collapsed(heap, 8, builds)] == ["2h", "Ks", "Qs", "Js", "10s", "9s", "4d", "3d"]
    assert [row.text for row in collapsed(heap, 7, builds)] == ["2h", "Ks", "⋮3", "9s", "4d", "3d"]
    assert [row.text for row in collapsed(heap, 4, builds)] == ["+5", "9s", "4d", "3d"]
    assert collapsed([], 4, builds) == []
