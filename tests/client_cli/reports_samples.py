"""An announcement of each kind in `reports`, and its words."""

from datetime import datetime

from client_cli import reports
from client_cli.announcements import Announcement
from engine.games import View
from engine.sir_tommy import SirTommyView
from protocol.messages import Rank

BOARD = SirTommyView(stock=50, hand="7h", piles=[["Ks"], [], [], []], foundations=[[], [], [], []], redeals=0)
NONE = "\N{EN DASH}"
LINE = f"7♥ in hand · piles K♠ {NONE} {NONE} {NONE} · foundations {NONE} {NONE} {NONE} {NONE} · count 0 · stock 50"
NOON = datetime(2026, 1, 1, 12).astimezone()
"""Noon where the tests run: the time is told as it was there."""
VIEWS: list[View] = [BOARD, BOARD]
NAMES = ["Ada", "Bo"]
RANK = Rank(name="Ada", tag="00ad", rating=1600, deviation=50, matches=30, place=1)

SAMPLES: list[tuple[Announcement, str]] = [
    (
        reports.ReplayOpened("abcdefgh", "sir-tommy", "2026", NAMES, 9),
        "Match abcdefgh: Ada against Bo, Sir Tommy, 2026; 9 steps.",
    ),
    (
        reports.ReplayStep(3, 9, 61_000, NAMES, VIEWS, [0, 0], 52, 0, "t", "7h", 0),
        f"Step 3 of 9, 1 min 1 s: Ada turns 7♥ (0)\n{LINE}",
    ),
    (reports.ReplaySpeed(0.5, running=True), "It runs, 0.5 times as fast as it was played."),
    (
        reports.ReplayHelp(),
        (
            "  Enter, n  the next step\n"
            "  b         one step back\n"
            "  g 40      go to step 40; 0 is the beginning\n"
            "  p         let it run, or stop it\n"
            "  +  -      faster, slower\n"
            "  o         show both boards with all cards\n"
            "  q         end"
        ),
    ),
    (reports.ReplayEdge(last=True), "That was the last step."),
    (
        reports.PastListed(
            "abcdefgh", "lucas", round(NOON.timestamp() * 1000), "won", 31, "Bo", "00b0", 28, None, None
        ),
        "2026-01-01 12:00  abcdefgh · Lucas · Bo (00b0) · won · 31 to 28",
    ),
    (reports.NoPast(), "You have no match behind you on this server."),
    (
        reports.GameStats(
            "sir-tommy",
            4,
            3,
            1,
            52,
            32.5,
            [reports.Recent(4, 3, 1, 4), reports.Recent(4, 3, 1, 4)],
            1,
            2,
            1,
            1,
            [20, 31, 27, 52],
            [True, True, False, True],
            [True, True, True, True],
        ),
        (
            "Sir Tommy\n"
            "  Deals            4\n"
            "  Races won        3 (75 %)\n"
            "  Boards finished  4\n"
            "  Deals solved     1 of 4 finished (25 %)\n"
            "  Last 4           75 % won; 25 % of 4 finished solved\n"
            "  Against bots     1 deal, 1 won\n"
            "  Mean count       32.5 of 52, over 4 finished\n"
            "  Won in a row     1 now, 2 at most\n"
            "  The books        8-10 % solved in 50-100 deals is above average\n"
            "                   7-10 % of deals can be solved with best play\n"
            "  House bots       measured: easy 0.6 %, normal 15.4 %, strong 56.9 %"
        ),
    ),
    (
        reports.CountPlot("sir-tommy", 52, [0, 20, 52], [False, False, True], [True, True, True]),
        (
            "    47 |  #\n"
            "    40 |\n"
            "    34 |\n"
            "    27 |\n"
            "    20 | o\n"
            "    14 |\n"
            "     7 |\n"
            "     0 |o\n"
            "       +---\n"
            "  Count of each deal, the last on the right: # won, o not."
        ),
    ),
    (reports.Ranked("sir-tommy", RANK, you=False), "  1.  Ada (00ad) · 1600 ± 100 · 30 matches"),
    (
        reports.NoRanking("forty-thieves"),
        "Nobody has a rating in the Forty Thieves family yet: it takes a match of two whom the server paired.",
    ),
    (
        reports.RatingNow("sir-tommy", RANK),
        "Your rating in the Sir Tommy family: 1600 ± 100 · 30 matches; place 1",
    ),
    (reports.NameKept("Ada", kept=True, changed=False), "Others see you as Ada."),
    (reports.KeyKept("key", "00ad", "ab" * 32, "5e" * 32), "5e" * 32),
    (reports.KeyImported("key", "00ad", None), "The key is in key now. Your tag is 00ad."),
    (
        reports.KeyExported("copy", "00ad"),
        (
            "The key of the player with the tag 00ad is in copy now, for your eyes only: whoever reads it is you. "
            "Delete it once it is where you want it."
        ),
    ),
    (
        reports.KeyReplaced("key", "old", "key.old-1", "00ad"),
        (
            "Your key was one of tommy 0.1, and those have ended. It is in key.old-1 now; with a new key you are a new "
            "player, whose tag is 00ad."
        ),
    ),
    (reports.NoKey("none"), "This is no key: a key is 64 hex digits, in lower case. Nothing has changed."),
    (
        reports.Examined("latency", fits=False, facts={"ms": 700}),
        "NOT OK  It answers in 700 ms only. Look for a server nearer to you, or a better connection.",
    ),
    (reports.Examination(1), "1 thing is not as it should be."),
]

OTHERS: list[tuple[Announcement, str]] = [
    (
        reports.GameStats(
            "maria",
            3,
            1,
            0,
            104,
            20,
            [reports.Recent(3, 1, 0, 1), reports.Recent(3, 1, 0, 1)],
            0,
            1,
            0,
            0,
            [7, 9, 20],
            [True, False, False],
            [False, False, True],
        ),
        (
            "Maria\n"
            "  Deals            3\n"
            "  Races won        1 (33 %)\n"
            "  Boards finished  1\n"
            "  Deals solved     0 of 1 finished (0 %)\n"
            "  Last 3           33 % won; 0 % of 1 finished solved\n"
            "  Mean count       20 of 104, over 1 finished\n"
            "  Won in a row     0 now, 1 at most\n"
            "  House bots       measured: easy 0 %, normal 0 %, strong 20.4 %\n"
            "  Not finished are 2 boards that the other player's end may have cut short: who solves the deal, or resigns, "
            "ends the race."
        ),
    ),
    (
        reports.GameStats(
            "maria+peek", 1, 1, 0, 104, None, [reports.Recent(1, 1, 0, 0)], 1, 1, 0, 0, [7], [True], [False]
        ),
        (
            "Maria with a look ahead\n"
            "  Deals            1\n"
            "  Races won        1 (100 %)\n"
            "  Boards finished  0\n"
            "  Last 1           100 % won\n"
            "  Won in a row     1 now, 1 at most\n"
            "  Not finished is 1 board that the other player's end may have cut short: who solves the deal, or resigns, "
            "ends the race."
        ),
    ),
    (
        reports.CountPlot("sir-tommy", 52, [0, 20, 52], [False, True, True], [False, False, True]),
        (
            "    47 |  #\n"
            "    40 |\n"
            "    34 |\n"
            "    27 |\n"
            "    20 | +\n"
            "    14 |\n"
            "     7 |\n"
            "     0 |.\n"
            "       +---\n"
            "  Count of each deal, the last on the right: # won, o not.\n"
            "  Not finished: + won, . not."
        ),
    ),
    (reports.ReplayStep(0, 9, 0, NAMES, VIEWS, [0, 0], 52), "Step 0 of 9: the beginning"),
    (
        reports.ReplayStep(9, 9, 500, NAMES, VIEWS, [0, 3], 52, 1, "stand", None, 3, "stood"),
        "Step 9 of 9, 1 s: Bo stands at 3 of 52.",
    ),
    (
        reports.ReplayStep(9, 9, 500, NAMES, VIEWS, [0, 3], 52, 1, "p1f1", "7h", 2, "stuck"),
        "Bo plays 7♥ from pile 1 to foundation 1 (up to 3). Bo is stuck at 3 of 52.",
    ),
    (reports.ReplaySpeed(4.0, running=False), "4 times"),
    (reports.ReplayEdge(last=False), "the beginning"),
    (
        reports.PastListed("abcdefgh", "lucas", 0, "lost", 1, "House bot", "00b0", 2, "tommy", "normal"),
        " · House bot · lost",
    ),
    (
        reports.PastListed("abcdefgh", "lucas", 0, "lost", 1, "Robo [bot tommy]", "00b0", 2, "tommy", None),
        " · Robo [bot tommy] (00b0) · lost",
    ),
    (reports.PastListed("abcdefgh", "lucas", 0, "left", 0, None, None, 0, None, None), "place: a player left"),
    (reports.PastListed("abcdefgh", "lucas", 0, "new-word", 0, None, None, 0, None, None), "new-word"),
    (
        reports.RatingNow("whist", Rank("A", "00aa", 1400, 300, 1, provisional=True)),
        "in whist: 1400 ± 600 · 1 match · prov",
    ),
    (reports.NameKept("root", kept=False, changed=False), "tommy name NAME changes it"),
    (reports.NameKept("Ada", kept=True, changed=True), "from now on"),
    (reports.KeyKept("key", "00ad", "ab" * 32, None), "tommy key --import FILE"),
    (reports.KeyKept("key", "00ad", "ab" * 32, None), f"by your public key, public:{'ab' * 32}"),
    (reports.KeyReplaced("key", "empty", None, "00ad"), "key was empty, so a new key was made. Your tag is 00ad."),
    (reports.NoKey("old"), "a key of tommy 0.1"),
    (reports.NoKey("public"), "a public key"),
    (reports.KeyImported("key", "00ad", "key.old-1"), "The one that was there is in key.old-1."),
    (reports.Examination(0), "All is well."),
]
"""Others, and a part of their words."""
