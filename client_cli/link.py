"""Whether what a client shows of a match is what the server has: not from a lost connection until all that was missed is there."""

from enum import Enum, auto

from protocol.messages import AnyServerMessage, MatchState, Progress, Refused


class _Way(Enum):
    UP = auto()
    LOST = auto()
    ASKED = auto()
    COMING = auto()


class Link:
    """The way from a loss back to the match. It hears every message about the match."""

    def __init__(self) -> None:
        self._way = _Way.UP

    @property
    def up(self) -> bool:
        """Whether nothing is missing."""
        return self._way is _Way.UP

    @property
    def asks(self) -> bool:
        """Whether the way back is asked for, and has not been answered."""
        return self._way is _Way.ASKED

    def lost(self) -> None:
        """The connection is lost."""
        self._way = _Way.LOST

    def asked(self) -> None:
        """There is a connection again, and what was missed is asked for on it."""
        self._way = _Way.ASKED

    def heard(self, message: AnyServerMessage) -> None:
        """Take note of a message: the answer is the state, in a race then one's own board, and last how the others do."""
        match message:
            case MatchState() if self._way is _Way.ASKED:
                self._way = _Way.COMING if message.state == "playing" else _Way.UP
            case Progress() if self._way is _Way.COMING:
                self._way = _Way.UP
            case Refused(n=None) if self._way is _Way.ASKED:
                # Nothing will come. Whoever goes on all the same is told by the next refusal what is the matter.
                self._way = _Way.UP
