"""The sentences about a receipt: what came of holding a record against it, and what a client could not tell."""

from client_cli import reasons
from client_cli.announcements import ReceiptLost, ReceiptTrouble
from client_cli.answers import Checked, NoReceipt, OtherReceipt, ReceiptChecked
from client_cli.comparing import PREFIX
from client_cli.language import plural, say
from client_cli.race import UNKEPT
from client_cli.troubles import DamagedReceipt
from client_cli.verdict import Facts, Wording, fixed


def finding(checked: Checked) -> str:
    """One finding as a sentence."""
    check = checked.check.removeprefix(PREFIX)
    if checked.fits is None:
        return limit(check)
    if checked.fits:
        return say("Fits: {what}", what=FITS[check](checked.facts))
    return say("Does NOT fit: {what}", what=UNFIT[check](checked.facts))


def limits() -> dict[str, str]:
    """What a client could not tell, by the name of the check."""
    return {
        "commitments": say("the client came when the cards had been dealt, so it did not see everybody bound before."),
        "own-nonce": say("your nonce was drawn by another run of this program, whose receipt is not here."),
        "entries": say(
            "another client with your key took your seat: what was done on your board then is not known here."
        ),
        "cards": say("this version of tommy does not know the game."),
        "end": say("the client had gone before the end, so it knows neither the result nor the digest."),
        "whole": say("the server sent more than can be kept, so not all that was shown was compared."),
    }


def limit(check: str) -> str:
    """What a client could not tell, or cannot tell later, as a sentence."""
    if check == UNKEPT:
        return say("The receipt could not be written, so tommy verify will not know what you were shown.")
    return say("Unknown: {what}", what=limits()[check])


def about(told: NoReceipt | ReceiptChecked | OtherReceipt) -> str:
    """Which receipt a record is held against, or that there is none and what that means."""
    match told:
        case NoReceipt():
            return say(
                "There is no receipt of match {code} here, so whether it is the match that was raced, nobody can say from the "
                "record alone: whole tails may have been cut off, boards swapped, or a match that was finished rewritten "
                "as one that was given up. Compare the proof with somebody who was there.",
                code=told.match,
            )
        case OtherReceipt():
            return say(
                "{file} is of another match with the same code, on {server}.", file=told.file, server=told.server
            )
        case _ if told.name is None:
            return say("The receipt of who watched it on {server}, {file}:", server=told.server, file=told.file)
        case _:
            return say(
                "The receipt of {name}, who raced it on {server}, {file}:",
                name=told.name,
                server=told.server,
                file=told.file,
            )


def trouble(told: ReceiptTrouble | ReceiptLost | DamagedReceipt) -> str:
    """What is wrong with a receipt."""
    match told:
        case ReceiptTrouble():
            return say(
                "If this program is lost before the start, this match cannot start, and tommy verify will not know what you "
                "were shown: the receipt cannot be written, {file}: {why}.",
                file=told.file,
                why=told.why,
            )
        case ReceiptLost():
            return say(
                "The receipt of your earlier run is damaged, in line {line}, and was put aside: {file}. What it held cannot be "
                "compared any more.",
                line=told.line,
                file=told.file,
            )
        case _:
            return say(
                "The receipt {file} is damaged, in line {line}: the record was not compared with it.",
                file=told.file,
                line=told.line,
            )


def _entries_fit(facts: Facts) -> str:
    return plural(
        "the one entry that the client was told of is in the record, and no other.",
        "all {number} entries that the client was told of are in the record, and no others.",
        facts["number"],
    )


def _entries_unfit(facts: Facts) -> str:
    if "number" in facts:
        return say(
            "entry {number} of {player}: the record has {stated} at {stated_at} ms, the client was told {found} at "
            "{found_at} ms.",
            **facts,
        )
    return say("{player}'s entries: {stated} in the record, {found} known to the client.", **facts)


def _cards_fit(facts: Facts) -> str:
    if not facts["cards"]:
        return say("no card was shown to the client.")
    return plural(
        "the card shown to the client is the one that was dealt (not shown: {unseen}).",
        "all {number} cards shown to the client are those that were dealt (not shown: {unseen}).",
        facts["cards"],
        unseen=facts["unseen"],
    )


def _doubts_unfit(facts: Facts) -> str:
    why = "; ".join(reasons.doubts().get(doubt, doubt) for doubt in facts["doubts"])
    return say("the client found during the match: {why}.", why=why)


FITS: dict[str, Wording] = {
    "terms": fixed(say("the clock and the players are those of the match that was raced.")),
    "commitments": fixed(say("what everybody was bound to is what the client saw, from before the deal.")),
    "own-nonce": fixed(say("the client's own nonce went into the shuffle.")),
    "entries": _entries_fit,
    "cards": _cards_fit,
    "digest": fixed(say("the digest is the one that the client was sent at the end.")),
    "result": fixed(say("the result is the one that the client was told.")),
    "doubts": fixed(say("the client found nothing wrong during the match.")),
}
UNFIT: dict[str, Wording] = {
    "terms": fixed(say("the clock or the players are not those of the match that was raced.")),
    "commitments": fixed(say("what everybody was bound to is not what the client saw.")),
    "own-nonce": fixed(say("the client's own nonce was replaced by another.")),
    "entries": _entries_unfit,
    "cards": fixed(
        say("what the client was shown of {player}'s board after entry {number} is not what was dealt and played.")
    ),
    "digest": fixed(say("the digest is not the one that the client was sent at the end.")),
    "result": fixed(say("the result is not the one that the client was told.")),
    "doubts": _doubts_unfit,
}
"""For each check what to say when it fits, and when it does not. What can only be unknown is in `limits`."""
