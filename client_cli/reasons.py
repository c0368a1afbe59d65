"""Sentences by code: of refusals, rules, ends, states, doubts. Tests hold them against the protocol's and the engine's."""

from collections.abc import Mapping

from client_cli import answers, phrases
from client_cli.language import fill, joined, say
from client_cli.troubles import NotAccepted, Refusal
from engine.board import Status
from engine.errors import UnknownGame
from engine.games import CATALOGUE


def refusals() -> dict[str, str]:
    """Why the server refused, by its code."""
    return {
        "wrong-host": say("The server does not go by the name that was dialled. Dial it by one of its own."),
        "bad-signature": say(
            "The server does not take the signature that proves who you are. Something between you and it may have "
            "changed what it said: try again, or on another way."
        ),
        "unknown-game": say("The server does not know this game."),
        "not-offered": say("The server does not offer this game."),
        "unknown-match": say("There is no match with this code."),
        "match-full": say("Both seats of this match are taken. You can watch it."),
        "already-seated": say("You have a seat in this match already."),
        "not-your-seat": say("You have no seat in this match."),
        "already-ready": say("You were ready before, in another run of this program: this match cannot start."),
        "not-revealing": say("It is not the time to show the nonces."),
        "bad-nonce": say("The server says that the nonce does not fit the commitment."),
        "has-started": say("The match has started already, or is over."),
        "not-started": say("The match has not started."),
        "match-over": say("The match is over."),
        "not-over": say("The match is not over yet."),
        "no-rematch": say("The other player has left, so there is no rematch."),
        "no-bots": say("The server has no house bot free now."),
        "too-many": say("Too many matches are open: finish one first, or try again later."),
        "shutting-down": say("The server is closing and takes no new matches."),
        "store-failed": say("The server could not write this down, so it has not happened. Try again."),
        "stale": say("The board has gone on in another place; this move was not made."),
        "gap": say("A move before this one is missing; this one was not made."),
        "log-full": say("Your board has had as many moves as a match can hold. You can stand or resign."),
        "bad-move": say("There is no such move."),
        "board-finished": say("The board is finished and takes no more moves."),
        "card-in-hand": say("A card is in hand and must be placed first."),
        "no-card-in-hand": say("No card is in hand: turn one first."),
        "stock-empty": say("The stock is empty."),
        "stock-not-empty": say("The redeal comes when the stock is empty, not before."),
        "no-redeal-left": say("The redeal has been used."),
        "pile-empty": say("No card lies there."),
        "same-place": say("The card lies there already."),
        "does-not-fit": say("That card is not the next of the foundation."),
        "not-leftmost": say("That card must go to the leftmost foundation it fits."),
        "does-not-build": say("That card cannot be built on the last card of the column."),
        "not-a-sequence": say("Those cards are not built on each other."),
        "too-many-cards": say("So many cards may not move there at once."),
        "no-such-place": say("There is no such place on this board."),
        "not-in-this-game": say("This game has no such move."),
    }


def refusal(told: Refusal) -> str:
    """Why the server refused a request, and what it would have granted instead."""
    why = refusals().get(told.code) or say("Refused: {why} ({code})", why=told.why, code=told.code)
    if not told.games:
        return why
    return joined(" ", (why, say("It offers {games}.", games=", ".join(told.games))))


def not_accepted(told: NotAccepted) -> str:
    """Why the server does not talk to this player. By what names it goes, only the server knows to say."""
    if told.code == "wrong-host":
        return say(
            "{server} is not what this server is called: {why}. Dial it by one of its names.",
            server=told.server,
            why=told.why,
        )
    why = refusals().get(told.code)
    if why is not None:
        return say("{server} does not let you in: {why}", server=told.server, why=why)
    return say("{server} does not let you in: {why} ({code})", server=told.server, why=told.why, code=told.code)


def offers() -> dict[str, str]:
    """That a server does not offer something, by what it is."""
    return {
        "house-bots": say("This server has no house bots. Race a person here, or start a bot yourself: tommy bot"),
        "history": say("This server does not tell its players of their past matches."),
        "rankings": say("This server has no ranking."),
    }


def no_keys() -> dict[str, str]:
    """Why a text is no key, by what it is."""
    return {
        "old": say("This is a key of tommy 0.1, with 32 hex digits: no server knows those any more. A key has 64."),
        "public": say("This is a public key: it tells who you are, and does not prove it. Take the secret one."),
        "cut": say("This is not the whole of a key: a key has 64 hex digits."),
        "empty": say("There is no key here: a key is 64 hex digits."),
        "none": say("This is no key: a key is 64 hex digits, in lower case."),
    }


def unknown_game(spelling: str) -> str:
    """That this version does not know a game, and which one may have been meant."""
    name = spelling.partition("+")[0]
    near = "" if name in CATALOGUE else phrases.meant(name, CATALOGUE)
    told = say("this version of tommy does not know the game {game}. Upgrade it.", game=spelling)
    return joined(" ", filter(None, (told, near)))


def bad_record(code: str, facts: Mapping[str, str | int]) -> str:
    """Why a record cannot be read, or not be replayed, by the code of the engine's error."""
    if code == UnknownGame.code:
        return unknown_game(str(facts["game"]))
    why = {
        "too-long": say("this is no match record: it is longer than {most} bytes."),
        "not-json": say("this is no match record: it is not JSON."),
        "no-record": say("this is no match record."),
        "newer-record": say(
            "this record has version {version}, and this version of tommy reads up to {newest}. Upgrade it."
        ),
        "unknown-version": say("this record has version {version} and deal version {deal_version}, which are unknown."),
        "damaged": say("this match record is damaged, at {place}."),
        "never-dealt": say("there is nothing to replay: the cards of this match were never dealt."),
        "contradictory": say(
            "this record cannot be replayed: its cards and its moves do not follow from the rest. tommy verify says more."
        ),
    }[code]
    return fill(why, **facts)


def illegal(move: answers.Illegal) -> str:
    """Which rule a typed move breaks."""
    facts = {
        "card": phrases.card(move.card) if move.card else "",
        "hand": phrases.card(move.hand) if move.hand else "",
        "source": phrases.place(move.source) if move.source else "",
        "target": phrases.place(move.target) if move.target else "",
        "onto": phrases.card(move.onto) if move.onto else "",
        "cards": phrases.cards(move.cards),
    }
    sentences = {
        "card-in-hand": say("Place {hand} first: it is in your hand.", **facts),
        "no-card-in-hand": say("No card is in your hand: turn one first, with t."),
        "pile-empty": say("There is no card on {source}.", **facts),
        "same-place": say("{card} lies on {target} already.", **facts),
        "does-not-fit": say("{card} is not the next card of {target}.", **facts)
        if move.target
        else say("No foundation takes {card} now.", **facts),
        "does-not-build": say("{card} cannot be built on {onto}.", **facts),
        "not-a-sequence": say("The last {cards} of {source} are not built on each other.", **facts),
        "too-many-cards": say("{cards} from {source} may not move to {target} at once.", **facts),
        "not-leftmost": say("{card} must go to the leftmost foundation that it fits.", **facts),
        "no-such-place": say("There is no {target} on this board.", **facts)
        if move.target
        else say("There is no {source} on this board.", **facts),
    }
    return sentences.get(move.code) or refusals().get(move.code, move.code)


def endings(*, you: bool) -> dict[str | None, str]:
    """How a board came to its end, by its status; None where that may not be said yet."""
    if you:
        return {
            Status.SOLVED: say("You have solved the deal: all {total} cards."),
            Status.STUCK: say("Your board is stuck: nothing more can go up. Your count is {count} of {total}."),
            Status.STOOD: say("You stand. Your count is {count} of {total}."),
            Status.TIMED_OUT: say("The time is up. Your count is {count} of {total}."),
            Status.ABANDONED: say("You were away too long. Your count is {count} of {total}."),
            Status.RESIGNED: say("You have resigned."),
        }
    return {
        None: say("{name} is finished. How, you see once it can help nobody."),
        Status.SOLVED: say("{name} has solved the deal: all {total} cards."),
        Status.STUCK: say("{name} is stuck at {count} of {total}."),
        Status.STOOD: say("{name} stands at {count} of {total}."),
        Status.TIMED_OUT: say("{name} has run out of time at {count} of {total}."),
        Status.ABANDONED: say("{name} was away too long and ends at {count} of {total}."),
        Status.RESIGNED: say("{name} has resigned."),
    }


def statuses() -> dict[str, str]:
    """How a board stands or has ended, in a word or two."""
    return {
        Status.PLAYING: say("unfinished"),
        Status.SOLVED: say("solved"),
        Status.STUCK: say("stuck"),
        Status.STOOD: say("stood"),
        Status.TIMED_OUT: say("out of time"),
        Status.ABANDONED: say("abandoned"),
        Status.RESIGNED: say("resigned"),
    }


def states() -> dict[str, str]:
    """What a match is doing, by its state."""
    return {
        "waiting": say("it waits for a second player"),
        "seated": say("the players get ready"),
        "revealing": say("the cards are being shuffled"),
        "countdown": say("the race starts in a moment"),
        "playing": say("the race is on"),
        "over": say("it is over"),
        "aborted": say("it was given up"),
    }


def state(code: str) -> str:
    """What a match is doing, as far as this version knows its state; else the state itself."""
    return states().get(code, code)


def aborts() -> dict[str, str]:
    """Why a match never started."""
    return {
        "not-ready": say("not both players were ready in time"),
        "not-revealed": say("the shuffle was not completed in time"),
        "left": say("a player left"),
        "nobody-came": say("nobody came"),
    }


def doubts() -> dict[str, str]:
    """What can be wrong with a deal."""
    return {
        "game": say("the server changed the game"),
        "seat": say("the server changed who sits where"),
        "terms": say("the server changed the clock, the grace period or who played"),
        "commitment-missing": say("the server's commitment is missing"),
        "commitment-changed": say("the server's commitment is not the one it gave at the start"),
        "nonce-commitment-missing": say("a player's commitment is missing"),
        "nonce-commitment-changed": say("a player's commitment was replaced by another"),
        "own-commitment": say("your own commitment is missing or was replaced by another"),
        "same-commitment": say("both players have the same commitment"),
        "secret": say("the server's secret does not fit its commitment"),
        "nonce": say("a player's nonce does not fit its commitment"),
        "own-nonce": say("your nonce was replaced by another"),
        "entry": say("the server reported a move that the rules do not allow, or reported it in two ways"),
        "foreign-entry": say("an entry was made on your board that did not come from this client"),
        "peek": say("the card turned was not the one shown as the next"),
        "board": say("the server showed a board that does not follow from the moves"),
        "no-record": say("the server did not give the record"),
        "commitments": say("what everybody was bound to is not what the record says"),
        "entries": say("the record has not the moves that were made"),
        "cards": say("the cards you saw are not those of the published deal"),
        "digest": say("the record is not the one whose digest the server gave"),
        "result": say("the result is not the one that the server gave before"),
    }


def trouble(why: str) -> str:
    """Why there is no talking with a server: a code of this client's, or else what the system said."""
    return {
        "refused": say("the connection was refused"),
        "no-answer": say("it does not answer"),
        "closed": say("it closed the connection"),
        "shutting-down": say("it is closing"),
        "no-version": say("it agrees to no version of the protocol"),
        "no-welcome": say("it gives no welcome"),
        "no-greeting": say("it does not greet"),
        "bad-state": say("it tells of a match what no match can be"),
        "wrong-answer": say("it answers something else than was asked"),
        "no-websocket": say("it answers with something else than a tommy-server does"),
        "no-end": say("it sends one from address to address without end"),
        "tls": say("it speaks TLS, and you asked for none"),
        "no-tls": say("it does not speak TLS"),
        **certificates(),
    }.get(why, why)


def certificates() -> dict[str, str]:
    """What can be wrong with a server's certificate."""
    return {
        "certificate-unknown": say("nobody that this machine trusts vouches for its certificate"),
        "certificate-expired": say("its certificate has expired, or the clock of this machine is wrong"),
        "certificate-early": say("its certificate is not valid yet, or the clock of this machine is wrong"),
        "certificate-other": say("its certificate is for another host"),
    }
