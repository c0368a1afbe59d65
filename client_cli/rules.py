"""The games explained: what they share is worked out from the catalogue's rules, what is special is told of each."""

from client_cli import phrases
from client_cli.answers import Text
from client_cli.language import say
from client_cli.words import helped
from engine.cards import RANKS
from engine.games import CATALOGUE, Variant, variant


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
    }[name]


def explained(spelling: str) -> Text:
    """Everything about a game: goal, layout, moves, ends, and how to play it here."""
    chosen = variant(spelling)
    paragraphs = [about(chosen.game.name), _goal(chosen), _layout(chosen), _moves(chosen), _ends(chosen)]
    paragraphs += [_race(), _typing(chosen), _others(chosen)]
    return Text(title=phrases.game(spelling).upper(), paragraphs=paragraphs)


def _goal(chosen: Variant) -> str:
    sequences = chosen.rules.sequences
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


def _layout(chosen: Variant) -> str:
    layout = say("Layout: a stock, face down; four foundations; four piles, empty at first.")
    if chosen.rules.starters:
        layout += " " + say("The first card of every foundation lies there before you begin, and counts.")
    return layout


def _moves(chosen: Variant) -> str:
    rules = chosen.rules
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
    return say("Moves:") + "\n" + "\n".join(f"  - {line}" for line in lines)


def _ends(chosen: Variant) -> str:
    if chosen.rules.pile_to_pile:
        return say("End: your board is finished when it is solved, when you stand, or when the clock runs out.")
    return say(
        "End: your board is finished when it is solved, when it is stuck (the stock is empty and no top card fits a "
        "foundation), when you stand, or when the clock runs out."
    )


def _race() -> str:
    return say(
        "The race: both players get the same cards in the same order, each on a board of their own. Who solves the "
        "deal first wins at once. If nobody does, the higher count wins when both boards are finished; speed does not "
        "matter then. Of the other's board you see the count, as far as you have got yourself."
    )


def _typing(chosen: Variant) -> str:
    rows = [(word.form, word.meaning) for word in helped(chosen.rules)]
    intro = say("How to play it here: type words like these, several on a line if you like (t 2 t f).")
    return intro + "\n" + phrases.table(rows)


def _others(chosen: Variant) -> str:
    others = ", ".join(name for name in CATALOGUE if name != chosen.game.name)
    option = ""
    if not chosen.options:
        option = " " + say("With one redeal: {game}.", game=chosen.game.spelled(chosen.game.options))
    return (
        say("Race it: tommy play --game {game}", game=chosen.spelling)
        + "\n"
        + say("Other games, see tommy rules GAME: {others}.", others=others)
        + option
    )
