"""The sentences that take more than filling in: where it matters who, how many, or what else is known."""

from collections.abc import Sequence

from client_cli import announcements as a
from client_cli import answers, phrases, reasons, receipt_words, troubles
from client_cli.foreign import shown
from client_cli.language import fill, joined, plural, say
from engine.moves import HAND, parse_move
from engine.result import Reason


def unreachable(trouble: troubles.Unreachable) -> str:
    """Why there is no connection, and what to do about it where that is known."""
    scheme, _, rest = trouble.server.partition("://")
    facts = {"server": trouble.server, "why": reasons.trouble(trouble.why)}
    if trouble.why == "tls":
        return say("No connection to {server}: {why}. Type wss://{rest} instead.", rest=rest, **facts)
    if trouble.why == "no-tls":
        return say(
            "No connection to {server}: {why}. Type ws://{rest} instead, if others on the way may read it all.",
            rest=rest,
            **facts,
        )
    if scheme == "wss" and trouble.why in reasons.certificates():
        return say("No connection to {server}: {why}.", **facts)
    return say("No connection to {server}: {why}. Is a tommy-server running there?", **facts)


def sent_on(trouble: troubles.SentOn) -> str:
    facts = {"server": trouble.server, "to": trouble.to}
    if trouble.why == "host":
        return say("{server} sends you on to {to}. That is another host: name it yourself if you trust it.", **facts)
    return say("{server} sends you on to {to}, which is not encrypted. So there is no connection.", **facts)


def terms(match: a.Waiting | a.Seated) -> str:
    return say(
        "{game}, clock {clock}, {grace} to come back after a lost connection",
        game=phrases.game(match.game),
        clock=phrases.duration(match.clock),
        grace=phrases.duration(match.grace),
    )


def waiting(match: a.Waiting) -> str:
    facts = {"code": match.match, "terms": terms(match), "name": match.names[0] if match.names else ""}
    if match.you is None:
        return say("Match {code}: {terms}. {name} waits for an opponent.", **facts)
    if match.bot_comes:
        return say("Match {code}: {terms}. The house bot is on its way.", **facts)
    return say("Match {code}: {terms}. Waiting for an opponent; they can type: tommy join {code}", **facts)


def seated(match: a.Seated) -> str:
    facts = {"code": match.match, "terms": terms(match), "players": phrases.versus(match.names)}
    if match.you is None:
        return say("Match {code}: {players}. {terms}.", **facts)
    return say("Match {code}: you race {rival}. {terms}.", rival=match.names[1 - match.you], **facts)


def resumed(match: a.Resumed) -> str:
    facts = {
        "code": match.match,
        "game": phrases.game(match.game),
        "players": phrases.versus(match.names),
        "state": reasons.state(match.state),
        "left": phrases.duration(match.left or 0),
    }
    if match.you is not None:
        return say("Back in match {code}, {game}, {players}: {state}.", **facts)
    if match.left is None:
        return say("Watching match {code}: {players}, {game}; {state}.", **facts)
    return say("Watching match {code}: {players}, {game}; {left} left.", **facts)


def over(over: a.Over) -> str:
    if over.winner is None:
        return say(
            "A draw: {players}, {first} to {second}.",
            players=phrases.versus(over.names),
            first=over.counts[0],
            second=over.counts[1],
        )
    facts = {
        "winner": over.names[over.winner],
        "loser": over.names[1 - over.winner],
        "high": over.counts[over.winner],
        "low": over.counts[1 - over.winner],
    }
    mine = None if over.you is None else over.you == over.winner
    match over.reason, mine:
        case Reason.SOLVED, True:
            return say("You win: you solved the deal, and {loser} had {low}.", **facts)
        case Reason.SOLVED, False:
            return say("{winner} wins by solving the deal; you had {low}.", **facts)
        case Reason.SOLVED, None:
            return say("{winner} wins by solving the deal; {loser} had {low}.", **facts)
        case Reason.RESIGNED, True:
            return say("You win: {loser} has resigned. The counts: you {high}, {loser} {low}.", **facts)
        case Reason.RESIGNED, False:
            return say("{winner} wins, since you resigned. The counts: you {low}, {winner} {high}.", **facts)
        case Reason.RESIGNED, None:
            return say("{winner} wins: {loser} has resigned. The counts: {high} to {low}.", **facts)
        case _, True:
            return say("You win: {high} to {loser}'s {low}.", **facts)
        case _, False:
            return say("{winner} wins: {high} to your {low}.", **facts)
        case _:
            return say("{winner} wins: {high} to {loser}'s {low}.", **facts)


def _why(doubts: Sequence[str]) -> str:
    return joined("; ", (reasons.doubts().get(doubt, doubt) for doubt in doubts))


def deal_doubted(doubted: a.DealDoubted) -> str:
    told = [say("WARNING, this deal cannot be trusted: {why}.", why=_why(doubted.doubts))]
    if doubted.hidden:
        told.append(say("Your part of the shuffle stays secret, so that the match cannot start."))
    return joined(" ", told)


def deal_checked(check: a.DealChecked) -> str:
    if check.doubts:
        return say("The deal was checked and does NOT fit: {why}.", why=_why(check.doubts))
    told = say("The deal was checked and fits; no card was shown to you.")
    if check.cards:
        told = plural(
            "The deal was checked and fits, with the one card shown to you (not shown: {unseen}).",
            "The deal was checked and fits, with all {number} cards shown to you (not shown: {unseen}).",
            check.cards,
            unseen=check.unseen,
        )
    return joined(" ", (told, *map(receipt_words.limit, check.limits)))


def afterwards(after: a.Afterwards) -> str:
    if not after.again:
        return say("To check the moves and the result too: tommy verify {code}", code=after.match)
    return say(
        "To check the moves and the result too: tommy verify {code}. For a rematch type: again. To go: quit.",
        code=after.match,
    )


def finished(end: a.Finished) -> str:
    sentence = reasons.endings(you=end.you)[end.status]
    return fill(sentence, name=end.name, count=end.count, total=end.total)


def played(played: a.Played) -> str:
    """A move as a spectator reads it, with the count in brackets."""
    facts = {"name": played.name, "card": phrases.card(played.card or "??"), "count": played.count}
    if played.move == "t":
        return say("{name} turns {card} ({count})", **facts)
    if played.move == "r":
        return say("{name} gathers the piles for the redeal ({count})", **facts)
    move = parse_move(played.move)
    facts |= {"source": phrases.place(move.source), "target": phrases.place(move.target)}
    if move.cards > 1:
        facts["cards"] = phrases.cards(move.cards)
        return say("{name} moves {cards}, {card} first, from {source} to {target} ({count})", **facts)
    up = played.count > played.before
    match played.turned, move.source == HAND:
        case True, _ if up:
            return say("{name} turns {card}, to {target} (up to {count})", **facts)
        case True, _:
            return say("{name} turns {card}, to {target} ({count})", **facts)
        case _, True if up:
            return say("{name} puts {card} on {target} (up to {count})", **facts)
        case _, True:
            return say("{name} puts {card} on {target} ({count})", **facts)
        case _ if up:
            return say("{name} plays {card} from {source} to {target} (up to {count})", **facts)
        case _:
            return say("{name} moves {card} from {source} to {target} ({count})", **facts)


def choice_row(choice: answers.MoveChoice) -> tuple[str, str]:
    words = phrases.move(choice.move, choice.card)
    if choice.onto:
        words = say("{move}, on {card}", move=words, card=phrases.card(choice.onto))
    return choice.word, words


def legal_moves(legal: answers.LegalMoves) -> str:
    if not legal.choices:
        return say("There is no move to make.")
    return say("You may type:") + "\n" + phrases.table([choice_row(choice) for choice in legal.choices])


def ambiguous(ambiguous: answers.Ambiguous) -> str:
    sizes = {parse_move(choice.move).cards for choice in ambiguous.choices}
    if len(sizes) > 1:
        question = say("How many cards?")
    else:
        question = say("{card} fits several foundations. Which one?", card=phrases.card(ambiguous.card))
    return question + "\n" + phrases.table([choice_row(choice) for choice in ambiguous.choices])


def rival_now(rival: answers.RivalNow) -> str:
    facts = {
        "name": rival.name,
        "turned": phrases.cards(rival.turned),
        "count": rival.count,
        "total": rival.total,
        "away": phrases.duration(rival.away or 0),
    }
    told = [say("{name} has turned {turned}; the count you may see is {count} of {total}.", **facts)]
    if rival.finished:
        told.append(say("{name} is finished.", **facts))
    if rival.away is not None:
        told.append(say("{name} is away, with {away} left to come back.", **facts))
    return joined(" ", told)


def confirm(asked: answers.Confirm) -> str:
    if asked.word == "resign":
        return say("Resign, and lose the match? Type yes to do it.")
    return say("Stop here with a count of {count}? Type yes to do it.", count=asked.count)


def not_now(late: answers.NotNow) -> str:
    return say("{word}: not now, {state}.", word=late.word, state=reasons.state(late.state))


def bot_finished(end: a.BotFinished) -> str:
    result = say("a draw") if end.winner is None else say("{name} wins", name=end.names[end.winner])
    return say(
        "{name}: match {code}, {players}, {first} to {second}: {result}",
        name=end.name,
        code=end.match,
        players=phrases.versus(end.names),
        first=end.counts[0],
        second=end.counts[1],
        result=result,
    )


def listed(line: answers.Listed) -> str:
    counts = say("{first} to {second}", first=line.counts[0], second=line.counts[1])
    parts = [phrases.versus(line.names), phrases.game(line.game), counts]
    parts.append(say("{left} left", left=phrases.duration(line.left)))
    if line.spectators:
        parts.append(plural("{number} spectator", "{number} spectators", line.spectators))
    return f"{line.number:>3}  {shown(line.match)}  " + joined(phrases.BETWEEN, parts)


def titled(name: str | None, board: str) -> str:
    if name is not None and "\n" in board:
        return say("{name}:", name=name) + "\n" + board.lstrip("\n")
    return board if name is None else say("{name}: {board}", name=name, board=board)


def verdict(verdict: answers.Verdict) -> str:
    told = _verdict(verdict)
    if not verdict.compared and not verdict.untold:
        return told
    if verdict.misfits:
        return (
            told
            + " "
            + plural(
                "It is NOT the match that was raced here: {number} of {compared} comparisons with the receipt does not fit.",
                "It is NOT the match that was raced here: {number} of {compared} comparisons with the receipt do not fit.",
                verdict.misfits,
                compared=verdict.compared,
            )
        )
    if verdict.untold:
        return (
            told
            + " "
            + plural(
                "Whether it is the match that was raced here, the receipt cannot tell in full: the one comparison that can be made fits.",
                "Whether it is the match that was raced here, the receipt cannot tell in full: all {number} comparisons that can be made fit.",
                verdict.compared,
            )
        )
    return (
        told
        + " "
        + plural(
            "It is the match that was raced here: the one comparison with the receipt fits.",
            "It is the match that was raced here: all {number} comparisons with the receipt fit.",
            verdict.compared,
        )
    )


def _verdict(verdict: answers.Verdict) -> str:
    """About the record by itself."""
    if verdict.unfit:
        return plural(
            "This record is NOT true to itself: {number} of {checked} checks does not fit.",
            "This record is NOT true to itself: {number} of {checked} checks do not fit.",
            verdict.unfit,
            checked=verdict.checked,
        )
    if verdict.unknown:
        return say("This record cannot be checked with this version of tommy: upgrade it.")
    return plural(
        "This record is true to itself: the one check fits.",
        "This record is true to itself: all {number} checks fit.",
        verdict.checked,
    )
