"""Every error the engine raises, in one place.

    EngineError                 has a stable `code` and a sentence for people
    ├── UnknownGame             no such game, or an option the game does not have
    ├── BadCard                 a text that names no card
    ├── BadMove                 a text that is no move at all ("p9x")
    ├── IllegalMove             a move, but not one the rules allow now
    └── BadRecord               a match record that cannot be read

The codes are part of the protocol, but for those of records: `docs/protocol.md` lists them.
"""


class EngineError(Exception):
    """What went wrong, as a stable `code` for programs and a sentence for people."""

    code = "engine"

    def __init__(self, sentence: str, code: str | None = None) -> None:
        super().__init__(sentence)
        if code is not None:
            self.code = code


class UnknownGame(EngineError):
    """No game of that name, or the game has no such option."""

    code = "unknown-game"


class BadCard(EngineError):
    """The text names no card."""

    code = "bad-card"


class BadMove(EngineError):
    """The text is not a move in the notation of `engine.moves`."""

    code = "bad-move"


class IllegalMove(EngineError):
    """The move breaks a rule; `code` names the rule, and the board is as it was."""

    code = "illegal-move"


class BadRecord(EngineError):
    """The record cannot be read, or not be used; `code` says why, and `facts` what a sentence about it needs.

    too-long                    more than `most` bytes
    not-json                    no JSON, or none that is read in one way only
    no-record                   JSON, but of something else
    newer-record                of `version`, while this program reads up to `newest`
    unknown-version             of a `version` or a `deal_version` that never was
    damaged                     something is missing, too much, of the wrong kind or out of its bounds, at `place`
    never-dealt                 there are no cards to replay
    unknown-game                of a `game` that this program does not know
    contradictory               the cards or the moves do not follow from the rest
    """

    code = "bad-record"

    def __init__(self, sentence: str, code: str, **facts: str | int) -> None:
        super().__init__(sentence, code)
        self.facts = facts
