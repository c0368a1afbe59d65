"""What is special about each game, and each option of one: what the catalogue's rules do not say."""

from client_cli.language import say


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
            "empty a column early, and fill it late."
        ),
        "lucas": say(
            "Lucas is Forty Thieves made kinder: the eight aces lie on the foundations before you begin, and thirteen "
            "columns of three cards cover little."
        ),
        "limited": say(
            "Limited is Forty Thieves with twelve columns of three cards: more in the stock, but less that is covered."
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
