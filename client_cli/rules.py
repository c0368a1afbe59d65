"""The games explained: what they share is worked out from the catalogue's rules, what is special is told of each."""

from functools import singledispatch

from client_cli import benchmarks, phrases
from client_cli.about import about, about_option
from client_cli.answers import Text
from client_cli.language import joined, say
from client_cli.screen import keys
from client_cli.words import helped
from engine.cards import RANKS
from engine.forty_thieves import FortyThievesRules
from engine.games import CATALOGUE, Rules, Variant, variant
from engine.sir_tommy import SirTommyRules


def explained(spelling: str) -> Text:
    """Everything about a game: goal, layout, moves, ends, and how to play it here."""
    chosen = variant(spelling)
    paragraphs = [about(chosen.game.name), _goal(chosen.rules, chosen), _cards(), _layout(chosen.rules, chosen)]
    paragraphs += [say("Moves:") + "\n" + _listed(_moves(chosen.rules)), _ends(chosen.rules)]
    paragraphs += [*_figures(chosen), _race(), _pressing(chosen.rules), _typing(chosen.rules), _others(chosen)]
    return Text(title=phrases.game(spelling).upper(), paragraphs=paragraphs)


def _listed(lines: list[str]) -> str:
    return "\n".join(f"  - {line}" for line in lines)


# What differs between the families


@singledispatch
def _goal(rules: Rules, _chosen: Variant) -> str:
    raise TypeError(type(rules))


@singledispatch
def _layout(rules: Rules, _chosen: Variant) -> str:
    raise TypeError(type(rules))


@singledispatch
def _moves(rules: Rules) -> list[str]:
    raise TypeError(type(rules))


@singledispatch
def _stuck(rules: Rules) -> str:
    """When a board of the game is stuck; empty where it never is."""
    raise TypeError(type(rules))


@_goal.register
def _(rules: SirTommyRules, chosen: Variant) -> str:
    sequences = rules.sequences
    if len(set(sequences)) == 1:
        first, last = RANKS[sequences[0][0] - 1], RANKS[sequences[0][-1] - 1]
        built = say(
            "Each of the {number} foundations goes from {first} to {last}.",
            number=len(sequences),
            first=first,
            last=last,
        )
        rows = ""
    else:
        built = say("The foundations go up like this:")
        rows = "\n" + phrases.table(
            [(str(number), " ".join(RANKS[rank - 1] for rank in ranks)) for number, ranks in enumerate(sequences, 1)]
        )
    goal = say(
        "Goal: bring all {total} cards onto the foundations. Suits never matter. Your count is the number of cards there.",
        total=len(chosen.cards),
    )
    return f"{goal} {built}{rows}"


@_layout.register
def _(rules: SirTommyRules, _chosen: Variant) -> str:
    layout = say("Layout: a stock, face down; four foundations; four piles, empty at first.")
    if rules.starters:
        layout += " " + say("The first card of every foundation lies there before you begin, and counts.")
    return layout


@_moves.register
def _(rules: SirTommyRules) -> list[str]:
    lines = [
        say("Turn the top card of the stock: it is in your hand, and must be placed before anything else."),
        say("Place it on a foundation that it fits, or on any pile you like."),
        say("The top card of a pile may go to a foundation that it fits, when your hand is empty."),
    ]
    if rules.pile_to_pile:
        lines.append(say("The top card of a pile may go to any other pile, when your hand is empty."))
    else:
        lines.append(say("Cards never move from pile to pile."))
    if rules.leftmost:
        lines.append(say("Of several foundations that a card fits, the leftmost takes it."))
    if rules.redeals:
        lines.append(
            say(
                "Once, when the stock is empty, you may gather the piles and go through them again, newly shuffled. Who "
                "gathers the same cards as the other player gets them in the same order."
            )
        )
    lines.append(say("Foundations keep their cards, and no move is taken back."))
    return lines


@_stuck.register
def _(rules: SirTommyRules) -> str:
    if rules.pile_to_pile:
        return ""
    if rules.redeals:
        return say("it is stuck: the stock is empty, the redeal is used, and no top card fits a foundation;")
    return say("it is stuck: the stock is empty, and no top card fits a foundation;")


@_goal.register
def _(_rules: FortyThievesRules, chosen: Variant) -> str:
    return say(
        "Goal: bring all {total} cards onto the foundations. There are eight, two for each suit, and each goes from A "
        "to K in its suit. Your count is the number of cards there.",
        total=len(chosen.cards),
    )


@_layout.register
def _(rules: FortyThievesRules, chosen: Variant) -> str:
    layout = say(
        "Layout: {columns} columns of {rows} cards, face up; a stock of {stock} cards, face down; a waste, empty at first.",
        columns=rules.columns,
        rows=rules.rows,
        stock=chosen.game.stock,
    )
    if rules.aces_first:
        layout += " " + say("The eight aces lie on the foundations before you begin, and count.")
    if rules.peek:
        layout += " " + say("You always see the next card of the stock.")
    return layout


@_moves.register
def _(rules: FortyThievesRules) -> list[str]:
    lines = [
        say("Turn the top card of the stock onto the waste. You go through the stock once."),
        say("The top card of the waste, or the last card of a column, may go to a foundation that it fits."),
    ]
    if rules.alternating:
        lines.append(
            say("It may also go to the end of a column, onto a card of the other colour that is one rank higher.")
        )
    else:
        lines.append(say("It may also go to the end of a column, onto a card of its suit that is one rank higher."))
    lines.append(say("Any card may go to an empty column."))
    if rules.whole_sequences:
        lines.append(say("Cards at the end of a column that are built on each other may move together, as one."))
    elif rules.groups:
        lines.append(
            say(
                "Cards at the end of a column that are built on each other may move together, if the empty columns "
                "would let them one by one: two with one empty column, four with two, eight with three; half as many "
                "when they go to an empty column."
            )
        )
    else:
        lines.append(say("Cards move one by one, even when they are built on each other."))
    lines.append(say("Foundations keep their cards, and no move is taken back."))
    return lines


@_stuck.register
def _(_rules: FortyThievesRules) -> str:
    return say("it is stuck: the stock is empty, and nothing that you can still reach brings a card onto a foundation;")


# What they share


def _cards() -> str:
    return say("Cards: A is the ace, the lowest, then come 2 to 10, J the jack, Q the queen and K the king.")


def _ends(rules: Rules) -> str:
    ends = [
        say("it is solved: all cards are on the foundations;"),
        _stuck(rules),
        say("you stand, and your count stands;"),
        say("the clock runs out;"),
        say("you lose the connection, and are gone longer than the grace period;"),
        say("you resign, which loses the race at once."),
    ]
    return say("End: your board is finished when") + "\n" + _listed([end for end in ends if end])


def _race() -> str:
    return say(
        "The race: both players get the same cards in the same order, each on a board of their own. Who solves the "
        "deal first wins at once. If nobody does, the higher count wins when both boards are finished; speed does not "
        "matter then. Of the other's board you see the count, as far as you have got yourself."
    )


def _figures(chosen: Variant) -> list[str]:
    """How often the game comes out, if anybody says; and with an option that was not chosen."""
    found = [(spelling, benchmarks.rows(spelling)) for spelling in benchmarks.spellings(chosen)]
    tables = [
        say("{game}, how often it is solved:", game=phrases.game(spelling)) + "\n" + phrases.table(rows)
        for spelling, rows in found
        if rows
    ]
    note = say("The books say what their authors thought; what was measured may be far from it.")
    return ["\n".join([*tables, note])] if any(benchmarks.books(spelling) for spelling, _ in found) else tables


def _pressing(rules: Rules) -> str:
    intro = say("How to play it here: a terminal shows the race on a full screen, with these keys.")
    return intro + "\n" + phrases.table(keys.helped(keys.of_a_race(keys.PLAYING, rules)))


def _typing(rules: Rules) -> str:
    rows = [(word.form, word.meaning) for word in helped(rules)]
    intro = say("With --plain, or in a pipe, you type words instead, several on a line if you like.")
    return intro + "\n" + phrases.table(rows)


def _others(chosen: Variant) -> str:
    others = joined(", ", (name for name in CATALOGUE if name != chosen.game.name))
    lines = [say("Race it: tommy play --game {game}", game=chosen.spelling)]
    more = [option for option in chosen.game.options if option not in chosen.options]
    if more:
        lines += [say("With --option:"), _listed([about_option(option) for option in more])]
    lines.append(say("Other games, see tommy rules GAME: {others}.", others=others))
    return "\n".join(lines)
