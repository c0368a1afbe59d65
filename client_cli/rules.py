"""The games explained: what they share is worked out from the catalogue's rules, what is special is told of each."""

from functools import singledispatch

from client_cli import phrases
from client_cli.answers import Text
from client_cli.language import say
from client_cli.words import helped
from engine.cards import RANKS
from engine.forty_thieves import FortyThievesRules
from engine.games import CATALOGUE, Rules, Variant, variant
from engine.sir_tommy import SirTommyRules


def about(name: str) -> str:
    """What a game of the catalogue is, and how to think about it."""
    return {
        "sir-tommy": say(
            "Sir Tommy, also called Old Patience or Try Again, may be the oldest patience of all. Every card has to go "
            "somewhere the moment you turn it, and what you cover stays covered: keep low cards free, and one pile for "
            "the kings and queens."
        ),
        "strategy": say(
            "Strategy is Sir Tommy with a second chance: the top card of a pile may move to another pile. Nothing is "
            "ever lost for good, so it is a race for speed rather than for the higher count. Your board never gets "
            "stuck: when you have had enough, stand."
        ),
        "numerica": say(
            "Numerica is Sir Tommy with the foundations in order, from left to right: an ace starts the leftmost empty "
            "one, and a card that fits several goes to the leftmost of them. That takes no deal away from you, but no "
            "choice of foundation is yours."
        ),
        "calculation": say(
            "In Calculation the foundations count in steps: the first by one, the second by two, the third by three, "
            "the fourth by four, round and round past the king and ending with it. Think backwards from what each "
            "foundation needs next; kings come last everywhere, so give them a pile of their own."
        ),
        "puss-in-the-corner": say(
            "Puss in the Corner does without kings, and the four aces lie in the corners before you begin. With fewer "
            "cards and a head start it comes out far more often than Sir Tommy."
        ),
        "forty-thieves": say(
            "Forty Thieves, also called Napoleon at St Helena, is played with two decks, all of them in sight but the "
            "stock. It is strict: one card at a time, and only on its own suit. Build where it uncovers something, "
            "empty a column early, and fill it late. The old books say that one deal in ten comes out."
        ),
        "lucas": say(
            "Lucas is Forty Thieves made kinder: the eight aces lie on the foundations before you begin, and thirteen "
            "columns of three cards cover little. The old books say that one deal in three comes out."
        ),
        "limited": say(
            "Limited is Forty Thieves with twelve columns of three cards: more in the stock, but less that is covered. "
            "The old books say that one deal in five comes out."
        ),
        "maria": say(
            "Maria is Forty Thieves with nine columns, built down in alternating colours. More cards fit on one "
            "another, and they get in each other's way sooner: a column of mixed suits does not go up in one piece."
        ),
        "josephine": say(
            "Josephine is Forty Thieves in which a run of one suit moves as if it were a single card. So what you have "
            "built is never stuck together in the wrong place, and long runs are worth building."
        ),
    }[name]


def about_option(option: str) -> str:
    """What an option of a game changes."""
    return {
        "redeal": say("redeal: once, when the stock is empty, the piles become a new stock, newly shuffled."),
        "peek": say("peek: you always see the next card of the stock."),
        "groups": say("groups: several cards move at once where the empty columns would let them one by one."),
    }[option]


def explained(spelling: str) -> Text:
    """Everything about a game: goal, layout, moves, ends, and how to play it here."""
    chosen = variant(spelling)
    paragraphs = [about(chosen.game.name), _goal(chosen.rules, chosen), _layout(chosen.rules, chosen)]
    paragraphs += [say("Moves:") + "\n" + _listed(_moves(chosen.rules)), _ends(chosen.rules)]
    paragraphs += [_race(), _typing(chosen), _others(chosen)]
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
def _ends(rules: Rules) -> str:
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
            say("Once, when the stock is empty, you may gather the piles and go through them again, newly shuffled.")
        )
    lines.append(say("Foundations keep their cards, and no move is taken back."))
    return lines


@_ends.register
def _(rules: SirTommyRules) -> str:
    if rules.pile_to_pile:
        return say("End: your board is finished when it is solved, when you stand, or when the clock runs out.")
    return say(
        "End: your board is finished when it is solved, when it is stuck (the stock is empty and no top card fits a "
        "foundation), when you stand, or when the clock runs out."
    )


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


@_ends.register
def _(_rules: FortyThievesRules) -> str:
    return say(
        "End: your board is finished when it is solved, when it is stuck (the stock is empty, and nothing that you can "
        "still reach brings a card onto a foundation), when you stand, or when the clock runs out."
    )


# What they share


def _race() -> str:
    return say(
        "The race: both players get the same cards in the same order, each on a board of their own. Who solves the "
        "deal first wins at once. If nobody does, the higher count wins when both boards are finished; speed does not "
        "matter then. Of the other's board you see the count, as far as you have got yourself."
    )


def _typing(chosen: Variant) -> str:
    rows = [(word.form, word.meaning) for word in helped(chosen.rules)]
    intro = say("How to play it here: type words like these, several on a line if you like.")
    return intro + "\n" + phrases.table(rows)


def _others(chosen: Variant) -> str:
    others = ", ".join(name for name in CATALOGUE if name != chosen.game.name)
    lines = [say("Race it: tommy play --game {game}", game=chosen.spelling)]
    more = [option for option in chosen.game.options if option not in chosen.options]
    if more:
        lines += [say("With --option:"), _listed([about_option(option) for option in more])]
    lines.append(say("Other games, see tommy rules GAME: {others}.", others=others))
    return "\n".join(lines)
