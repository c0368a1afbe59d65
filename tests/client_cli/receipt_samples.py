"""What is told of deals and receipts, and in which words."""

from client_cli import announcements, answers, troubles

Sample = tuple[announcements.Announcement, str]
SAMPLES: list[Sample] = [
    (
        announcements.DealDoubted("abcdefgh", ["nonce-commitment-missing", "peek"], hidden=False),
        (
            "WARNING, this deal cannot be trusted: a player's commitment is missing; the card turned was not the one shown as "
            "the next."
        ),
    ),
    (
        announcements.DealChecked("abcdefgh", 52, 0, [], []),
        "The deal was checked and fits, with all 52 cards shown to you (not shown: 0).",
    ),
    (
        announcements.DealUnchecked("abcdefgh"),
        "The deal could not be checked yet. To do it later: tommy verify abcdefgh",
    ),
    (
        announcements.Proof("abcdefgh", "wrm9 uqx3 awhj"),
        "Proof wrm9 uqx3 awhj: read it out to each other; both have to see the same.",
    ),
    (
        announcements.ReceiptTrouble("a/b.jsonl", "No space left on device"),
        (
            "If this program is lost before the start, this match cannot start, and tommy verify will not know what you were "
            "shown: the receipt cannot be written, a/b.jsonl: No space left on device."
        ),
    ),
    (
        announcements.ReceiptLost("a/b.damaged", 3),
        (
            "The receipt of your earlier run is damaged, in line 3, and was put aside: a/b.damaged. What it held cannot be "
            "compared any more."
        ),
    ),
    (
        answers.ReceiptChecked("a/b.jsonl", "ws://h:1", "Ada"),
        "The receipt of Ada, who raced it on ws://h:1, a/b.jsonl:",
    ),
    (
        answers.OtherReceipt("a/b.jsonl", "ws://h:1"),
        "a/b.jsonl is of another match with the same code, on ws://h:1.",
    ),
    (
        answers.NoReceipt("abcdefgh"),
        (
            "There is no receipt of match abcdefgh here, so whether it is the match that was raced, nobody can say from the "
            "record alone: whole tails may have been cut off, boards swapped, or a match that was finished rewritten as one that "
            "was given up. Compare the proof with somebody who was there."
        ),
    ),
    (
        troubles.DamagedReceipt("a/b.jsonl", 7),
        "The receipt a/b.jsonl is damaged, in line 7: the record was not compared with it.",
    ),
]
OTHERS: list[Sample] = [
    (
        announcements.DealDoubted("abcdefgh", ["same-commitment"], hidden=True),
        (
            "WARNING, this deal cannot be trusted: both players have the same commitment. Your part of the shuffle stays secret, "
            "so that the match cannot start."
        ),
    ),
    (
        announcements.DealChecked("abcdefgh", 1, 51, [], ["own-nonce", "unkept"]),
        (
            "The deal was checked and fits, with the one card shown to you (not shown: 51). Unknown: your nonce was drawn by another "
            "run of this program, whose receipt is not here. The receipt could not be written, so tommy verify will not know "
            "what you were shown."
        ),
    ),
    (
        announcements.DealChecked("abcdefgh", 0, 0, ["cards", "no-record"], []),
        (
            "The deal was checked and does NOT fit: the cards you saw are not those of the published deal; the server did not "
            "give the record."
        ),
    ),
    (
        answers.ReceiptChecked("a/b.jsonl", "ws://h:1", None),
        "The receipt of who watched it on ws://h:1, a/b.jsonl:",
    ),
    (
        answers.Verdict(8, 0, 0, 6, 0),
        "This record is true to itself: all 8 checks fit. It is the match that was raced here: all 6 comparisons with the receipt fit.",
    ),
    (
        answers.Verdict(8, 0, 0, 6, 1),
        "This record is true to itself: all 8 checks fit. It is NOT the match that was raced here: 1 of 6 comparisons with the receipt does not fit.",
    ),
    (
        answers.Verdict(8, 0, 0, 6, 2),
        "This record is true to itself: all 8 checks fit. It is NOT the match that was raced here: 2 of 6 comparisons with the receipt do not fit.",
    ),
    (
        answers.Checked("receipt-entries", False, {"player": "Bo", "stated": 3, "found": 5}),
        "Does NOT fit: Bo's entries: 3 in the record, 5 known to the client.",
    ),
    (
        answers.Checked(
            "receipt-entries",
            False,
            {"player": "Bo", "number": 3, "stated": "hp1", "stated_at": 5, "found": "hp2", "found_at": 6},
        ),
        "Does NOT fit: entry 3 of Bo: the record has hp1 at 5 ms, the client was told hp2 at 6 ms.",
    ),
    (
        answers.Checked("receipt-entries", None, {"player": "Bo", "stated": 3, "found": 2}),
        "Unknown: another client with your key took your seat: what was done on your board then is not known here.",
    ),
    (
        answers.Checked("receipt-cards", True, {"cards": 0, "unseen": 52}),
        "Fits: no card was shown to the client.",
    ),
    (
        answers.Checked("receipt-cards", False, {"player": "Bo", "number": 3}),
        "Does NOT fit: what the client was shown of Bo's board after entry 3 is not what was dealt and played.",
    ),
    (
        answers.Checked("receipt-doubts", False, {"doubts": ["peek", "board"]}),
        "Does NOT fit: the client found during the match: the card turned was not the one shown as the next; the server showed a board that does not follow from the moves.",
    ),
]
