"""Every kind of announcement has its words, and every code its sentence."""

import re
import string
from pathlib import Path

import msgspec
import pytest

import client_cli
from client_cli import announcements, answers, phrases, reasons, receipt_words, troubles
from client_cli.announcements import Announcement
from client_cli.comparing import CHECKS
from client_cli.key_file import Kind
from client_cli.language import plural, say
from client_cli.wording import words
from engine.board import Status
from engine.forty_thieves import FortyThievesView
from engine.games import CATALOGUE
from engine.result import Reason
from engine.sir_tommy import SirTommyView
from protocol.codes import MOVES, REQUESTS
from protocol.messages import OFFERS
from tests.client_cli import receipt_samples, reports_samples

CLIENT = Path(client_cli.__file__).parent
VIEW = SirTommyView(
    stock=31,
    hand="7h",
    piles=[["Ks"], ["10d", "9d"], [], ["3c"]],
    foundations=[["As", "2s", "3s"], ["Ah"], [], []],
    redeals=0,
)
THIEVES = FortyThievesView(
    stock=31,
    waste=["9c", "10h"],
    columns=[["Ks", "10d"], [], *([["2c", "3c", "10s"]] * 11)],
    foundations=[["Ac", "2c"], ["Ac"], [], [], [], [], [], []],
    peek="Qd",
)
NAMES = ["Ada", "Bo"]
PEOPLE: list[str | None] = [None, None]
CHOICE = answers.MoveChoice(word="2", move="hp2", card="7h", onto="9d")

SAMPLES: list[tuple[Announcement, str]] = [
    (announcements.Connected("ws://h:1", "Ada"), "Connected to ws://h:1 as Ada."),
    (
        announcements.Unencrypted("ws://h:1"),
        "What is said to ws://h:1 and back can be read on the way. Only an address with wss:// is encrypted.",
    ),
    (announcements.ConnectionLost(75_000), "The connection is lost. Trying to come back for 1 min 15 s."),
    (announcements.ConnectionBack(), "Connected again."),
    (
        announcements.Waiting("abcdefgh", "sir-tommy", 900_000, 60_000, ["Ada"], 0),
        (
            "Match abcdefgh: Sir Tommy, clock 15 min, 1 min to come back after a lost connection. "
            "Waiting for an opponent; they can type: tommy join abcdefgh"
        ),
    ),
    (
        announcements.Seated("abcdefgh", "numerica+redeal", 900_000, 60_000, NAMES, PEOPLE, 1),
        "Match abcdefgh: you race Ada. Numerica with a redeal, clock 15 min, 1 min to come back after a lost connection.",
    ),
    (
        announcements.Resumed("abcdefgh", "sir-tommy", "playing", NAMES, PEOPLE, 0, 1000),
        "Back in match abcdefgh, Sir Tommy, Ada against Bo: the race is on.",
    ),
    (announcements.AskReady(119_500), "Press Enter when you are ready: within 2 min."),
    (announcements.IsReady("Bo", you=False), "Bo is ready."),
    (announcements.Countdown(3000), "Both are ready. The race starts in 3 s."),
    (
        announcements.Started(900_000, 0),
        "Go! 15 min on the clock. Type t to turn a card, ? for the moves, help for all words.",
    ),
    (announcements.Clock(30_000), "30 s left on the clock."),
    (announcements.Away("Bo", 45_000), "Bo is away, with 45 s to come back."),
    (announcements.Returned("Bo"), "Bo is back."),
    (announcements.Aborted("abcdefgh", "nobody-came"), "Match abcdefgh did not take place: nobody came."),
    (announcements.Over("abcdefgh", 1, "count", NAMES, [28, 31], 52, 0, "0"), "Bo wins: 31 to your 28."),
    (
        announcements.Afterwards("abcdefgh", again=True),
        "To check the moves and the result too: tommy verify abcdefgh. For a rematch type: again. To go: quit.",
    ),
    (announcements.WantsRematch("Bo", you=False, answer=True), "Bo asks for a rematch. Type again to play it."),
    (announcements.HasLeft("Bo"), "Bo has left."),
    (announcements.Rematch("zzzzzzzz"), "A rematch: match zzzzzzzz."),
    (
        announcements.Position(None, VIEW, 4, 52),
        "7♥ in hand · piles K♠ 9♦ \N{EN DASH} 3♣ · foundations 3 A \N{EN DASH} \N{EN DASH} · count 4 · stock 31",
    ),
    (
        announcements.Made(3, "t", "7h", VIEW, 4, 52, "playing"),
        "7♥ in hand · piles K♠ 9♦ \N{EN DASH} 3♣ · foundations 3 A \N{EN DASH} \N{EN DASH} · count 4 · stock 31",
    ),
    (announcements.Finished("Bo", you=False, status="stuck", count=31, total=52), "Bo is stuck at 31 of 52."),
    (announcements.RivalCount("Bo", 12, 52, 20), "Bo has 12 of 52."),
    (announcements.Played("Ada", 4, "hp2", "7h", turned=True, before=12, count=12), "Ada turns 7♥, to pile 2 (12)"),
    (
        announcements.BotFinished("Bo", "abcdefgh", [28, 31], NAMES, 1),
        "Bo: match abcdefgh, Ada against Bo, 28 to 31: Bo wins",
    ),
    (answers.LegalMoves([CHOICE]), "You may type:\n  2  7♥ to pile 2, on 9♦"),
    (
        answers.BoardShown(None, VIEW, 4, 52),
        (
            "  Count         4 of 52\n"
            "  Stock         31 cards\n"
            "  Hand          7♥\n"
            "  Foundation 1  A♠ 2♠ 3♠\n"
            "  Foundation 2  A♥\n"
            "  Foundation 3  \N{EN DASH}\n"
            "  Foundation 4  \N{EN DASH}\n"
            "  Pile 1        K♠\n"
            "  Pile 2        10♦ 9♦\n"
            "  Pile 3        \N{EN DASH}\n"
            "  Pile 4        3♣"
        ),
    ),
    (
        answers.RivalNow("Bo", 20, 12, 52, finished=False, status="playing", away=None),
        "Bo has turned 20 cards; the count you may see is 12 of 52.",
    ),
    (answers.TimeNow(61_000, "playing"), "1 min 1 s left on the clock."),
    (answers.Help([answers.WordHelp("t", "turn"), answers.WordHelp("done", "stop")]), "  t     turn\n  done  stop"),
    (answers.Confirm("done", 31), "Stop here with a count of 31? Type yes to do it."),
    (answers.NotConfirmed(), "Then not."),
    (answers.Unparsable("x"), "I do not know the word x. Type help for those I know."),
    (answers.Incomplete("4"), "Where to? 4 7 goes to column 7, 4f to a foundation."),
    (answers.Illegal("t", "card-in-hand", hand="7h"), "Place 7♥ first: it is in your hand."),
    (
        answers.Ambiguous("f", "6c", [answers.MoveChoice("f1", "hf1", "6c", None)]),
        "6♣ fits several foundations. Which one?\n  f1  6♣ to foundation 1",
    ),
    (answers.NotNow("t", "seated"), "t: not now, the players get ready."),
    (
        answers.NotTaken("t 2"),
        "t 2: not taken, there is no connection. Type it again when you are connected and see your board.",
    ),
    (answers.InputEnded(stands=True), "The input has ended, so you stand."),
    (answers.SeatKept("abcdefgh", 60_000), "Your seat in match abcdefgh is kept for 1 min: tommy play takes you back."),
    (
        answers.Listed(1, "abcdefgh", "sir-tommy", NAMES, [3, 4], PEOPLE, 60_000, 2),
        "  1  abcdefgh  Ada against Bo · Sir Tommy · 3 to 4 · 1 min left · 2 spectators",
    ),
    (answers.NoMatches(), "No match is being raced now."),
    (answers.Choose(3), "Which one to watch? Type its number."),
    (answers.Written("abcdefgh", "a.json"), "Written: a.json. To check it: tommy verify a.json"),
    (answers.RecordChecked("abcdefgh", "sir-tommy", "2026", NAMES), "Match abcdefgh: Ada against Bo, Sir Tommy, 2026"),
    (answers.Checking("Ada", 1, 2), "Ada's board is being played again (1 of 2) ..."),
    (answers.Checked("digest", fits=True, facts={}), "Fits: the digest: the record is as it was written."),
    (answers.Verdict(8, 0), "This record is true to itself: all 8 checks fit."),
    (answers.Text("TITLE", ["One.", "Two."]), "TITLE\n\nOne.\n\nTwo."),
    (
        troubles.Unreachable("ws://h:1", "refused"),
        "No connection to ws://h:1: the connection was refused. Is a tommy-server running there?",
    ),
    (
        troubles.SentOn("ws://h:1", "ws://g:1/", "host"),
        "ws://h:1 sends you on to ws://g:1/. That is another host: name it yourself if you trust it.",
    ),
    (troubles.GaveUp("ws://h:1", 75_000), "No connection to ws://h:1 for 1 min 15 s: giving up."),
    (troubles.WrongVersion("ws://h:1", "2"), "ws://h:1 does not speak this program's version: 2"),
    (troubles.NotAccepted("ws://h:1", "hello-first", "no"), "ws://h:1 does not let you in: no (hello-first)"),
    (troubles.Replaced(), "Your seat was taken over by another client with your key; this one goes."),
    (troubles.Garbled("x"), "The server said something that cannot be read: x"),
    (troubles.Refusal("unknown-match", "no"), "There is no match with this code."),
    (troubles.FileTrouble("a", "No such file"), "a: No such file"),
    (troubles.SystemTrouble("Too many open files"), "The system says: Too many open files"),
    (
        troubles.StrangeGame("abcdefgh", "whist"),
        "Match abcdefgh: this version of tommy does not know the game whist. Upgrade it.",
    ),
    (
        troubles.BadKey("key", "none"),
        "key: This is no key: a key is 64 hex digits, in lower case. Remove the file to get a new one.",
    ),
    (troubles.FileThere("copy"), "copy is there already, and was left as it is. Name another file."),
    (
        troubles.NotOffered("house-bots"),
        "This server has no house bots. Race a person here, or start a bot yourself: tommy bot",
    ),
    (troubles.BadRecord("-", "no-record", {}), "standard input: this is no match record."),
    (troubles.BadSettings("screen.toml", 3, "no key"), "screen.toml, line 3: no key"),
    (troubles.Bug("x"), "Something went wrong in tommy itself: x. Please report it."),
    *receipt_samples.SAMPLES,
    *reports_samples.SAMPLES,
]


@pytest.mark.parametrize(("told", "sentence"), SAMPLES, ids=[type(told).__name__ for told, _ in SAMPLES])
def test_an_announcement_in_words(told: Announcement, sentence: str) -> None:
    assert words(told) == sentence


def test_no_kind_is_without_words() -> None:
    assert {type(told) for told, _ in SAMPLES} == set(Announcement.__subclasses__())


def test_every_kind_is_an_event_of_its_own_name() -> None:
    events = [msgspec.to_builtins(told)["event"] for told, _ in SAMPLES]
    assert len(set(events)) == len(events)
    assert {"rival-count", "deal-checked", "not-now"} <= set(events)


def test_every_refusal_has_a_sentence() -> None:
    assert set(reasons.refusals()) == {"wrong-host", "bad-signature", *REQUESTS, *MOVES}


def test_a_game_that_is_not_offered_is_answered_with_those_that_are() -> None:
    refused = troubles.Refusal("not-offered", "not here", games=("lucas", "calculation"))
    assert words(refused) == "The server does not offer this game. It offers lucas, calculation."


@pytest.mark.parametrize("code", ["wrong-host", "bad-signature"])
def test_whose_hello_is_refused_is_told_what_to_do(code: str) -> None:
    sentence = words(troubles.NotAccepted("ws://10.0.0.1:7777", code, "this server is called races.example.org"))
    assert "ws://10.0.0.1:7777" in sentence
    assert code not in sentence
    assert ("races.example.org. Dial it by one of its names." in sentence) == (code == "wrong-host")


def test_all_that_may_not_be_offered_and_all_that_is_no_key_has_a_sentence() -> None:
    assert set(reasons.offers()) == set(OFFERS)
    assert set(reasons.no_keys()) == set(Kind) - {Kind.KEY}


def test_unknown_codes_are_told_as_the_server_says_them() -> None:
    assert words(troubles.Refusal("new-code", "so it is")) == "Refused: so it is (new-code)"


@pytest.mark.parametrize("code", MOVES)
def test_every_rule_can_be_named(code: str) -> None:
    for target in ("f2", None):
        move = answers.Illegal("x", code, card="7h", hand="7h", source="p1", target=target)
        sentence = words(move)
        assert sentence.endswith(".")
        assert code not in sentence


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.PLAYING])
@pytest.mark.parametrize("you", [True, False])
def test_every_end_has_a_sentence(status: Status, *, you: bool) -> None:
    sentence = words(announcements.Finished("Bo", you, status, 31, 52))
    assert sentence.startswith(("Your", "You", "The time") if you else "Bo")
    assert not set("{}") & set(sentence)


def test_a_hidden_end_says_nothing_of_it() -> None:
    assert words(announcements.Finished("Bo", you=False, status=None, count=None, total=52)) == (
        "Bo is finished. How, you see once it can help nobody."
    )


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason not in (Reason.DRAW, Reason.ABORTED)])
@pytest.mark.parametrize("you", [0, 1, None])
def test_every_result_has_both_counts(reason: Reason, you: int | None) -> None:
    counts = [52, 40] if reason is Reason.SOLVED else [31, 28]
    sentence = words(announcements.Over("abcdefgh", 0, reason, NAMES, counts, 52, you, None))
    assert str(counts[1]) in sentence
    assert ("solv" in sentence) if reason is Reason.SOLVED else (str(counts[0]) in sentence)
    assert sentence.startswith("You win" if you == 0 else "Ada wins")


def test_a_draw() -> None:
    sentence = words(announcements.Over("abcdefgh", None, "draw", NAMES, [30, 30], 52, 0, None))
    assert sentence == "A draw: Ada against Bo, 30 to 30."


def test_every_doubt_is_told() -> None:
    """Whatever the client's source calls a doubt."""
    source = "".join((CLIENT / f"{module}.py").read_text() for module in ("race", "commitments"))
    doubts = {*re.findall(r'_doubt\("([\w-]+)"\)', source), *re.findall(r'yield "([\w-]+)"', source)}
    doubts |= {"own-commitment", "nonce-commitment-missing", *receipt_words.UNFIT} - {"doubts"}
    assert set(reasons.doubts()) == doubts
    for doubt in doubts:
        for told in (
            announcements.DealChecked("abcdefgh", 0, 0, [doubt], []),
            announcements.DealDoubted("abcdefgh", [doubt], hidden=False),
        ):
            assert reasons.doubts()[doubt] in words(told)


def test_every_comparison_with_a_receipt_has_its_words() -> None:
    assert set(receipt_words.UNFIT) | set(receipt_words.limits()) == set(CHECKS)
    assert set(receipt_words.FITS) == set(receipt_words.UNFIT)


@pytest.mark.parametrize("state", ["waiting", "seated", "revealing", "countdown", "playing", "over", "aborted"])
def test_every_state_is_told(state: str) -> None:
    assert words(answers.NotNow("t", state)) == f"t: not now, {reasons.states()[state]}."


@pytest.mark.parametrize(
    ("move", "turned", "before", "sentence"),
    [
        ("t", False, 12, "Ada turns 7♥ (12)"),
        ("hf2", True, 11, "Ada turns 7♥, to foundation 2 (up to 12)"),
        ("hp2", False, 12, "Ada puts 7♥ on pile 2 (12)"),
        ("hf2", False, 11, "Ada puts 7♥ on foundation 2 (up to 12)"),
        ("p3f1", False, 11, "Ada plays 7♥ from pile 3 to foundation 1 (up to 12)"),
        ("p3p1", False, 12, "Ada moves 7♥ from pile 3 to pile 1 (12)"),
        ("r", False, 12, "Ada gathers the piles for the redeal (12)"),
        ("wc10", False, 12, "Ada moves 7♥ from the waste to column 10 (12)"),
        ("c4f1", False, 11, "Ada plays 7♥ from column 4 to foundation 1 (up to 12)"),
        ("c4c12x3", False, 12, "Ada moves 3 cards, 7♥ first, from column 4 to column 12 (12)"),
    ],
)
def test_moves_as_a_spectator_reads_them(move: str, before: int, sentence: str, *, turned: bool) -> None:
    assert words(announcements.Played("Ada", 4, move, "7h", turned, before, 12)) == sentence


@pytest.mark.parametrize(
    ("told", "part"),
    [
        (troubles.Unreachable("ws://h:1/a", "tls"), "Type wss://h:1/a instead."),
        (troubles.Unreachable("wss://h:1/a", "no-tls"), "Type ws://h:1/a instead, if"),
        *((troubles.Unreachable("wss://h:1", why), "its certificate") for why in reasons.certificates()),
        (troubles.Unreachable("ws://h:1", "HTTP 500"), "ws://h:1: HTTP 500. Is a tommy-server running there?"),
        (troubles.SentOn("wss://h:1", "ws://h:1", "unencrypted"), "sends you on to ws://h:1, which is not encrypted"),
        (answers.NotNow("t", "asleep"), "not now, asleep"),
        (announcements.Waiting("abcdefgh", "sir-tommy", 1000, 1000, ["Ada"], None), "Ada waits for an opponent"),
        (announcements.Waiting("abcdefgh", "sir-tommy", 1000, 1000, ["Ada"], 0, bot_comes=True), "on its way"),
        (announcements.Seated("abcdefgh", "sir-tommy", 1000, 1000, NAMES, PEOPLE, None), "Ada against Bo"),
        (announcements.Resumed("abcdefgh", "sir-tommy", "playing", NAMES, PEOPLE, None, 90_000), "1 min 30 s left"),
        (announcements.Resumed("abcdefgh", "sir-tommy", "seated", NAMES, PEOPLE, None, None), "the players get ready"),
        (announcements.AskReady(None), "Press Enter"),
        (announcements.IsReady("Ada", you=True), "You are ready."),
        (announcements.Started(1000, None), "The race is on"),
        (announcements.DealChecked("abcdefgh", 0, 52, [], []), "no card was shown"),
        (announcements.Afterwards("abcdefgh", again=False), "tommy verify abcdefgh"),
        (announcements.WantsRematch("Ada", you=True, answer=False), "You ask"),
        (announcements.WantsRematch("Bo", you=False, answer=False), "rematch."),
        (announcements.Position("Ada", VIEW, 4, 52), "Ada: 7♥ in hand"),
        (announcements.BotFinished("Bo", "abcdefgh", [3, 3], NAMES, None), "a draw"),
        (answers.LegalMoves([]), "no move"),
        (answers.BoardShown("Ada", VIEW, 4, 52), "Ada:"),
        (answers.RivalNow("Bo", 1, 0, 52, finished=True, status="playing", away=9000), "1 card; "),
        (answers.RivalNow("Bo", 1, 0, 52, finished=True, status="playing", away=9000), "is finished. Bo is away"),
        (answers.TimeNow(None, "over"), "it is over"),
        (answers.Confirm("resign", 31), "Resign"),
        (answers.InputEnded(stands=False), "you leave"),
        (answers.Verdict(8, 1), "1 of 8 checks does not fit"),
        (answers.Verdict(8, 2), "2 of 8 checks do not fit"),
        *receipt_samples.OTHERS,
        *reports_samples.OTHERS,
    ],
)
def test_other_words(told: Announcement, part: str) -> None:
    assert part in words(told)


def test_every_game_has_a_title() -> None:
    for name in CATALOGUE:
        assert phrases.game(name)[0] in string.ascii_uppercase
        for option in CATALOGUE[name].options:
            assert " with " in phrases.game(f"{name}+{option}")
    assert phrases.game("lucas+peek+groups") == "Lucas with a look ahead and groups"
    assert phrases.game("strategy+redeal") == "Strategy with a redeal"


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "0 s"),
        (1, "1 s"),
        (999, "1 s"),
        (1000, "1 s"),
        (59_001, "1 min"),
        (61_000, "1 min 1 s"),
        (7_200_000, "120 min"),
    ],
)
def test_durations(milliseconds: int, text: str) -> None:
    assert phrases.duration(milliseconds) == text


def test_moves_in_words() -> None:
    assert phrases.move("t", None) == "turn the next card"
    assert phrases.move("p1f2", "10s") == "10♠ from pile 1 to foundation 2"
    assert "gather" in phrases.move("r", None)


def test_a_redeal_is_shown_while_there_is_one() -> None:
    view = msgspec.structs.replace(VIEW, redeals=1)
    assert phrases.position(view, 4).endswith("redeal left")
    assert "Redeal" in phrases.layout(view, 4, 52)


def test_facts_may_hold_braces() -> None:
    assert say("{name} is ready.", name="{x}") == "{x} is ready."
    assert say("{x}") == "{x}"
    assert plural("{number} card", "{number} cards", 1) == "1 card"


def test_a_board_of_columns_in_short() -> None:
    lines = phrases.position(THIEVES, 3).split("\n")
    assert lines == [
        "waste 10♥(2) · next Q♦ · foundations ♣2/A ♦\N{EN DASH}/\N{EN DASH} ♥\N{EN DASH}/\N{EN DASH} ♠\N{EN DASH}/\N{EN DASH} · count 3 · stock 31",
        "  1:10♦(2)  2:\N{EN DASH}  3:10♠(3)  4:10♠(3)  5:10♠(3)  6:10♠(3)  7:10♠(3)  8:10♠(3)",
        "  9:10♠(3)  10:10♠(3)  11:10♠(3)  12:10♠(3)  13:10♠(3)",
    ]
    assert max(map(len, lines)) <= phrases.WIDTH
    assert words(announcements.Position("Ada", THIEVES, 3, 104)) == "\n".join(["Ada:", *lines])


def test_a_board_of_columns_with_every_card() -> None:
    view = msgspec.structs.replace(THIEVES, columns=THIEVES.columns[:2], waste=["10h"] * 30)
    assert phrases.layout(view, 3, 104).split("\n") == [
        "  Count        3 of 104",
        "  Stock        31 cards",
        "  Next         Q♦",
        "  Foundations  ♣2/A ♦\N{EN DASH}/\N{EN DASH} ♥\N{EN DASH}/\N{EN DASH} ♠\N{EN DASH}/\N{EN DASH}",
        "  Waste        " + " ".join(["10♥"] * 16),
        "               " + " ".join(["10♥"] * 14),
        "  Column 1     K♠ 10♦",
        "  Column 2     \N{EN DASH}",
    ]


def test_how_many_cards_is_a_question_of_its_own() -> None:
    sizes = [
        answers.MoveChoice("1-10x1", "c1c10", "3h", None),
        answers.MoveChoice("1-10x2", "c1c10x2", "4h", None),
    ]
    assert words(answers.Ambiguous("1 10", "3h", sizes)) == (
        "How many cards?\n  1-10x1  3♥ from column 1 to column 10\n  1-10x2  2 cards, 4♥ first, from column 1 to column 10"
    )


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (answers.Illegal("1-3", "does-not-build", "4h", None, "c1", "c3", "9c"), "4♥ cannot be built on 9♣."),
        (
            answers.Illegal("1-2x3", "not-a-sequence", "Kd", None, "c1", "c2", "6h", 3),
            "The last 3 cards of column 1 are not built on each other.",
        ),
        (
            answers.Illegal("1 2", "too-many-cards", "5h", None, "c1", "c2", "6h", 2),
            "2 cards from column 1 may not move to column 2 at once.",
        ),
        (answers.Illegal("12 1", "no-such-place", None, None, "c12"), "There is no column 12 on this board."),
        (answers.Illegal("wf", "pile-empty", None, None, "w"), "There is no card on the waste."),
    ],
)
def test_what_is_wrong_with_a_move_between_columns(told: Announcement, sentence: str) -> None:
    assert words(told) == sentence
