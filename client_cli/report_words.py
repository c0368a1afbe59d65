"""The sentences about what lies behind: the announcements of `reports`."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from client_cli import announcements as a
from client_cli import benchmarks, doctor_words, phrases, reasons, reports, sentences
from client_cli.key_file import PUBLIC
from client_cli.language import joined, plural, say
from client_cli.player_names import called
from engine.board import ENDINGS, Status
from protocol.messages import Rank

PLOT_HEIGHT, PLOT_WIDTH = 8, 64
"""Rows and columns of a plot at most."""


def words(told: a.Announcement) -> str:
    """What to show a person for an announcement of `reports`. Raises `TypeError` for any other."""
    wording = WORDINGS.get(type(told))
    if wording is None:
        raise TypeError(type(told))
    return wording(told)


def _opened(opened: reports.ReplayOpened) -> str:
    return plural(
        "Match {code}: {players}, {game}, {created}; {number} step.",
        "Match {code}: {players}, {game}, {created}; {number} steps.",
        opened.steps,
        code=opened.match,
        players=phrases.versus(opened.names),
        game=phrases.game(opened.game),
        created=opened.created,
    )


def _step(step: reports.ReplayStep) -> str:
    """What was done, and the board it was done on; before the first step both boards are the same."""
    board = phrases.position(step.views[step.seat or 0], step.counts[step.seat or 0])
    if step.seat is None or step.move is None:
        return say("Step {step} of {steps}: the beginning", step=0, steps=step.steps) + "\n" + board
    name, count = step.names[step.seat], step.counts[step.seat]
    told = []
    if step.move not in ENDINGS:
        told.append(sentences.played(a.Played(name, step.step, step.move, step.card, False, step.before, count)))
    if step.status != Status.PLAYING:
        told.append(sentences.finished(a.Finished(name, False, step.status, count, step.total)))
    what = say(
        "Step {step} of {steps}, {at}: {what}",
        step=step.step,
        steps=step.steps,
        at=phrases.duration(step.at),
        what=joined(". ", told),
    )
    return what + "\n" + board


def _speed(speed: reports.ReplaySpeed) -> str:
    factor = f"{speed.speed:g}"
    if speed.running:
        return say("It runs, {speed} times as fast as it was played.", speed=factor)
    return say("It stands still; its speed is {speed} times that of the match.", speed=factor)


def _replay_help(_: reports.ReplayHelp) -> str:
    return phrases.table(
        [
            ("Enter, n", say("the next step")),
            ("b", say("one step back")),
            ("g 40", say("go to step 40; 0 is the beginning")),
            ("p", say("let it run, or stop it")),
            ("+  -", say("faster, slower")),
            ("o", say("show both boards with all cards")),
            ("q", say("end")),
        ]
    )


def _edge(edge: reports.ReplayEdge) -> str:
    return say("That was the last step.") if edge.last else say("This is the beginning.")


def _listed(line: reports.PastListed) -> str:
    when = datetime.fromtimestamp(line.ended / 1000, UTC).astimezone()
    outcome = {"won": say("won"), "lost": say("lost"), "drawn": say("drawn")}.get(line.outcome)
    parts = [f"{when:%Y-%m-%d %H:%M}  {line.match}", phrases.game(line.game)]
    if line.rival is not None:
        parts.append(line.rival if line.level else f"{line.rival} ({line.rival_tag})")
    if outcome is None:
        why = reasons.aborts().get(line.outcome, line.outcome)
        return joined(phrases.BETWEEN, [*parts, say("did not take place: {why}", why=why)])
    counts = say("{first} to {second}", first=line.count, second=line.rival_count)
    return joined(phrases.BETWEEN, [*parts, outcome, counts])


def _no_past(_: reports.NoPast) -> str:
    return say("You have no match behind you on this server.")


def _stats(stats: reports.GameStats) -> str:
    finished = sum(stats.finished)
    rows = [
        (say("Deals"), str(stats.deals)),
        (say("Races won"), _share(stats.won, stats.deals)),
        (say("Boards finished"), str(finished)),
    ]
    if finished:
        percent = _percent(stats.solved, finished)
        solved = say("{solved} of {number} finished ({percent})", solved=stats.solved, number=finished, percent=percent)
        rows.append((say("Deals solved"), solved))
    rows += [(say("Last {number}", number=recent.deals), _recent(recent)) for recent in stats.recent if recent.deals]
    rows = list(dict.fromkeys(rows))  # with few deals, the last 50 and the last 100 are the same
    if stats.bots:
        against = plural("{number} deal, {won} won", "{number} deals, {won} won", stats.bots, won=stats.bots_won)
        rows.append((say("Against bots"), against))
    if stats.mean is not None:
        mean = f"{stats.mean:g}"
        over = say("{count} of {total}, over {number} finished", count=mean, total=stats.total, number=finished)
        rows.append((say("Mean count"), over))
    rows.append(
        (say("Won in a row"), say("{streak} now, {longest} at most", streak=stats.streak, longest=stats.longest))
    )
    rows += benchmarks.rows(stats.game)
    told = [phrases.game(stats.game), phrases.table(rows)]
    if finished < stats.deals:
        told.append("  " + _left_out(stats.deals - finished))
    return "\n".join(told)


def _left_out(boards: int) -> str:
    return plural(
        "Not finished is {number} board that the other player's end may have cut short: who solves the deal, or resigns, "
        "ends the race.",
        "Not finished are {number} boards that the other player's end may have cut short: who solves the deal, or resigns, "
        "ends the race.",
        boards,
    )


def _recent(recent: reports.Recent) -> str:
    won = _percent(recent.won, recent.deals)
    if not recent.finished:
        return say("{won} won", won=won)
    return say(
        "{won} won; {solved} of {number} finished solved",
        won=won,
        solved=_percent(recent.solved, recent.finished),
        number=recent.finished,
    )


def _share(part: int, whole: int) -> str:
    return f"{part} ({_percent(part, whole)})"


def _percent(part: int, whole: int) -> str:
    return say("{percent} %", percent=round(100 * part / whole)) if whole else ""


def _plot(plot: reports.CountPlot) -> str:
    """A row for each step of counts, the highest on top; a column for each deal, the last one on the right."""
    counts, wins, finished = plot.counts[-PLOT_WIDTH:], plot.wins[-PLOT_WIDTH:], plot.finished[-PLOT_WIDTH:]
    levels = [min(count * PLOT_HEIGHT // (plot.total + 1), PLOT_HEIGHT - 1) for count in counts]
    marks = [
        ("#" if won else "o") if ended else ("+" if won else ".") for won, ended in zip(wins, finished, strict=True)
    ]
    lines = []
    for level in range(PLOT_HEIGHT - 1, -1, -1):
        low = -(-level * (plot.total + 1) // PLOT_HEIGHT)
        row = "".join(mark if level == at else " " for at, mark in zip(levels, marks, strict=True))
        lines.append(f"  {low:>4} |{row}".rstrip())
    lines.append("       +" + "-" * len(counts))
    legend = say("Count of each deal, the last on the right: # won, o not.")
    lines.append("  " + legend)
    if not all(finished):
        lines.append("  " + say("Not finished: + won, . not."))
    return "\n".join(lines)


def _ranked(line: reports.Ranked) -> str:
    rank = line.rank
    place = "" if rank.place is None else f"{rank.place}."
    parts = [f"{place:>4}  {called(rank.name, rank.bot)} ({rank.tag})", *_strength(rank)]
    if line.you:
        parts.append(say("you"))
    return joined(phrases.BETWEEN, parts)


def _strength(rank: Rank) -> list[str]:
    """How strong a player is, within two deviations, and how sure that is."""
    parts = [say("{rating} ± {margin}", rating=rank.rating, margin=2 * rank.deviation)]
    parts.append(plural("{number} match", "{number} matches", rank.matches))
    if rank.provisional:
        parts.append(say("provisional"))
    return parts


def _no_ranking(none: reports.NoRanking) -> str:
    return say(
        "Nobody has a rating in {family} yet: it takes a match of two whom the server paired.",
        family=_family(none.family),
    )


def _rating(rating: reports.RatingNow) -> str:
    strength = joined(phrases.BETWEEN, _strength(rating.rank))
    if rating.rank.place is None:
        return say("Your rating in {family}: {strength}", family=_family(rating.family), strength=strength)
    return say(
        "Your rating in {family}: {strength}; place {place}",
        family=_family(rating.family),
        strength=strength,
        place=rating.rank.place,
    )


def _family(family: str) -> str:
    return {
        "sir-tommy": say("the Sir Tommy family"),
        "forty-thieves": say("the Forty Thieves family"),
    }.get(family, family)


def _name(name: reports.NameKept) -> str:
    if name.changed:
        return say("Others see you as {name} from now on.", name=name.name)
    if name.kept:
        return say("Others see you as {name}.", name=name.name)
    return say("Others see you as {name}, your login name. tommy name NAME changes it.", name=name.name)


def _key(key: reports.KeyKept) -> str:
    if key.key is not None:
        return key.key
    return "\n".join(
        [
            say("Your secret key is in {file}. Your tag is {tag}.", file=phrases.file(key.file), tag=key.tag),
            say("Servers know you by your public key, {key}", key=PUBLIC + key.public),
            say("Whoever has the secret key is you: it holds your seats and your past. No server is ever told it."),
            say(
                "To be the same player on another machine, bring it there: tommy key --export FILE here, and there "
                "tommy key --import FILE."
            ),
        ]
    )


def _imported(key: reports.KeyImported) -> str:
    told = say("The key is in {file} now. Your tag is {tag}.", file=phrases.file(key.file), tag=key.tag)
    if key.aside is not None:
        told += " " + say("The one that was there is in {file}.", file=phrases.file(key.aside))
    return told


def _exported(key: reports.KeyExported) -> str:
    return say(
        "The key of the player with the tag {tag} is in {file} now, for your eyes only: whoever reads it is you. Delete it "
        "once it is where you want it.",
        file=key.file,
        tag=key.tag,
    )


def _replaced(key: reports.KeyReplaced) -> str:
    if key.aside is None:
        return say("{file} was empty, so a new key was made. Your tag is {tag}.", file=key.file, tag=key.tag)
    return say(
        "Your key was one of tommy 0.1, and those have ended. It is in {file} now; with a new key you are a new player, "
        "whose tag is {tag}.",
        file=key.aside,
        tag=key.tag,
    )


def _no_key(told: reports.NoKey) -> str:
    return say("{why} Nothing has changed.", why=reasons.no_keys().get(told.why, told.why))


WORDINGS: dict[type[a.Announcement], Callable[[Any], str]] = {
    reports.ReplayOpened: _opened,
    reports.ReplayStep: _step,
    reports.ReplaySpeed: _speed,
    reports.ReplayHelp: _replay_help,
    reports.ReplayEdge: _edge,
    reports.PastListed: _listed,
    reports.NoPast: _no_past,
    reports.GameStats: _stats,
    reports.CountPlot: _plot,
    reports.Ranked: _ranked,
    reports.NoRanking: _no_ranking,
    reports.RatingNow: _rating,
    reports.NameKept: _name,
    reports.KeyKept: _key,
    reports.KeyImported: _imported,
    reports.KeyExported: _exported,
    reports.KeyReplaced: _replaced,
    reports.NoKey: _no_key,
    reports.Examined: doctor_words.examined,
    reports.Examination: doctor_words.examination,
}
