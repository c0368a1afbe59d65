"""Every message on the wire, as a Struct: first what a client may send, then what the server sends.

A message is a map; `type` says which one it is. Times are milliseconds. Secrets, nonces, keys and hashes are lower-case
hex digits. Cards, moves and games are spelled as in `engine.cards`, `engine.moves` and `engine.games`. Seats are numbered
from 0. A field with its default value may be left out.
"""

import unicodedata
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from engine import record
from engine.board import Status
from engine.games import View
from engine.record import Record
from engine.result import Result

VERSION = 2

CLOCK_BOUNDS = (10_000, 7_200_000)
"""The shortest and the longest match clock."""
GRACE_BOUNDS = (1_000, 600_000)
"""The shortest and the longest time a player may be gone."""
DEFAULT_CLOCK = 900_000
DEFAULT_GRACE = 60_000

MATCH_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What match codes are made of: no letter looks like a digit."""
MATCH_LENGTH = 8
MATCH_PATTERN = f"[{MATCH_LETTERS}]{{{MATCH_LENGTH}}}"

# Each has its greatest length too, since `$` also matches before a line feed at the end.
MatchCode = Annotated[str, Meta(pattern=f"^{MATCH_PATTERN}$", max_length=MATCH_LENGTH)]
Key = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Signature = Annotated[str, Meta(pattern="^[0-9a-f]{128}$", max_length=128)]
Host = Annotated[str, Meta(min_length=1, max_length=253)]
Nonce = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", max_length=32)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
LARGEST_NUMBER = 1_000_000
Number = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
EntryNumber = Annotated[int, Meta(ge=1, le=LARGEST_NUMBER)]
NO_CONTROLS = r"^[^\u0000-\u001f\u007f-\u009f]*$"
"""What a name has to match: nothing in it is a control character."""
# Said in the schema, and checked below: a pattern checked here would stand in the answer to a bad name, where nobody could read it.
Name = Annotated[str, Meta(min_length=1, max_length=24, extra_json_schema={"pattern": NO_CONTROLS})]
GameName = Annotated[str, Meta(max_length=60)]
Clock = Annotated[int, Meta(ge=CLOCK_BOUNDS[0], le=CLOCK_BOUNDS[1])]
Grace = Annotated[int, Meta(ge=GRACE_BOUNDS[0], le=GRACE_BOUNDS[1])]
LARGEST_ID = 2**53 - 1
Level = record.Level
MOST_PAST = 100
"""Matches in one answer to `history`."""
Family = Literal["sir-tommy", "forty-thieves"]
"""Games with the same kind of board. Each family has ratings of its own."""
FAMILIES: tuple[Family, ...] = ("sir-tommy", "forty-thieves")
HOUSE_BOTS, HISTORY, RANKINGS = "house-bots", "history", "rankings"
OFFERS = (HOUSE_BOTS, HISTORY, RANKINGS)
"""What a server may offer beside its games."""
RequestId = Annotated[int, Meta(ge=0, le=LARGEST_ID)]


class ClientMessage(msgspec.Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True):
    """What a client sends. `id` is the client's own; the answer carries it as `re`."""

    id: RequestId | None = msgspec.field(default=None, name="id")


class Hello(ClientMessage, kw_only=True):
    """The first message of every connection: who is there.

    `key` is the player's public key; `signature` proves that the client has the secret one, to this server and no other: it
    is over the challenge of the greeting and `host`, the name that the client dialled. `bot` is the name of the program,
    where no person plays.
    """

    name: Name
    key: Key
    host: Host
    signature: Signature
    bot: Name | None = None
    client: Annotated[str, Meta(max_length=60)] = ""

    def __post_init__(self) -> None:
        for field, text in (("name", self.name), ("bot", self.bot or "")):
            if any(unicodedata.category(character) == "Cc" for character in text):
                raise ValueError(f"`{field}` has a control character in it")


class Play(ClientMessage, kw_only=True):
    """A quick match: a seat in the match that has waited longest for this game, or a new match that waits.

    A person is paired with a bot only if `bots` says so.
    """

    game: GameName
    bots: bool = False


class Create(ClientMessage, kw_only=True):
    """A match of one's own. Others join it by its code; with `level` a house bot of that level takes the other seat."""

    game: GameName
    clock: Clock = DEFAULT_CLOCK
    grace: Grace = DEFAULT_GRACE
    level: Level | None = None


class Join(ClientMessage, kw_only=True):
    """Take the free seat of a match."""

    match: MatchCode


class Ready(ClientMessage, kw_only=True):
    """The player is ready to race; `commitment` is the hash of the nonce the client has drawn."""

    match: MatchCode
    commitment: Hash


class Reveal(ClientMessage, kw_only=True):
    """The nonce itself, once both players have committed to theirs."""

    match: MatchCode
    nonce: Nonce


class Move(ClientMessage, kw_only=True):
    """Entry `n` of the player's own board: a move, or `stand`, or `resign`."""

    match: MatchCode
    n: EntryNumber
    move: Annotated[str, Meta(min_length=1, max_length=12)]


class Resume(ClientMessage, kw_only=True):
    """Take one's seat again on a new connection; `n` is the last entry the client has of its own board."""

    match: MatchCode
    n: Number = 0


class Watch(ClientMessage, kw_only=True):
    """Follow a match as a spectator."""

    match: MatchCode


class Unwatch(ClientMessage, kw_only=True):
    """Follow it no longer."""

    match: MatchCode


class Matches(ClientMessage, kw_only=True):
    """Ask for the matches being raced now."""


class Rematch(ClientMessage, kw_only=True):
    """Ask for another match against the same player on the same terms; it comes about when both have asked."""

    match: MatchCode


class Leave(ClientMessage, kw_only=True):
    """Give up a seat in a match that has not started, or one's chance of a rematch."""

    match: MatchCode


class GetRecord(ClientMessage, kw_only=True, tag="record"):
    """Ask for the record of a match that is over."""

    match: MatchCode


class History(ClientMessage, kw_only=True):
    """Ask for one's own matches that have ended, the newest first: so many, those that ended before `before`."""

    most: Annotated[int, Meta(ge=1, le=MOST_PAST)] = MOST_PAST
    before: MatchCode | None = None


class Top(ClientMessage, kw_only=True):
    """Ask for the ranking of a family of games."""

    family: Family = "sir-tommy"


CLIENT_MESSAGES: dict[str, type[ClientMessage]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        Hello,
        Play,
        Create,
        Join,
        Ready,
        Reveal,
        Move,
        Resume,
        Watch,
        Unwatch,
        Matches,
        Rematch,
        Leave,
        GetRecord,
        History,
        Top,
    )
}


class ServerMessage(msgspec.Struct, tag_field="type", tag=str.lower, omit_defaults=True):
    """What the server sends. `re` is the `id` of the message it answers, if that had one."""

    re: int | None = msgspec.field(default=None, name="re")


class Greeting(ServerMessage, kw_only=True):
    """The first message on every connection: what the client's `hello` has to sign. No challenge comes twice."""

    challenge: str


class GameInfo(msgspec.Struct):
    """A game the server offers: its name and its options, and how many cards and places of each kind it has.

    `stock` is its size when the game begins.
    """

    name: str
    options: list[str]
    cards: int
    stock: int
    foundations: int
    piles: int
    columns: int


class Welcome(ServerMessage, kw_only=True):
    """The answer to `hello`. `tag` tells players of the same name apart; `seats` are the matches still open for
    this player, to be resumed; `offers` is what may be asked for beside the games.
    """

    server: str
    name: str
    tag: str
    games: list[GameInfo]
    seats: list[str]
    offers: list[str]


class SeatInfo(msgspec.Struct, omit_defaults=True):
    """A seat that is taken. `nonce` is there once both are; `away` is the grace time left to a player who is gone."""

    name: str
    tag: str
    bot: str | None = None
    """The program that plays; nothing for a person."""
    level: Level | None = None
    """The level of a house bot."""
    ready: bool = False
    nonce_commitment: str | None = None
    nonce: str | None = None
    away: int | None = None
    rematch: bool = False
    """Whether the player asks for a rematch."""
    left: bool = False
    """Whether the player has left after the match."""


class MatchState(ServerMessage, kw_only=True, tag="match"):
    """How a match stands: always the whole of it, so that only the newest counts.

    `state` is one of waiting, seated, revealing, countdown, playing, over, aborted.
    """

    match: str
    game: str
    state: str
    seats: list[SeatInfo]
    commitment: str
    clock: int
    grace: int
    you: int | None = None
    """The receiver's seat; missing for a spectator."""
    waits: int | None = None
    """Until a match that has not started is given up."""
    starts: int | None = None
    """Until the countdown ends."""
    left: int | None = None
    """On the match clock."""
    result: Result | None = None
    aborted: str | None = None
    """Why a match was aborted: not-ready, not-revealed, left, or nobody-came."""
    secret: str | None = None
    """The server's secret, when the match is over."""
    digest: str | None = None
    """The digest of the match's record, when it is over."""
    next: str | None = None
    """The match that follows this one as its rematch."""


class BoardState(ServerMessage, kw_only=True, tag="board"):
    """A whole board after its entry `n`, as far as the receiver may see it."""

    match: str
    seat: int
    n: int
    status: Status
    count: int
    view: View


class Moved(ServerMessage, kw_only=True):
    """Entry `n` of a board has been made: the answer to `move`, and what a spectator sees of it.

    `card` is the card that was turned, `at` the match time of the entry.
    """

    match: str
    seat: int
    n: int
    move: str
    card: str | None = None
    peek: str | None = None
    """The next card of the stock, for the board's player, in games that show it."""
    status: Status
    count: int
    at: int


class Progress(ServerMessage, kw_only=True):
    """How a board comes along, for those who do not own it.

    `turned` and `finished` are live; `status` and `count` are as far as the receiver may see (design, point 4).
    """

    match: str
    seat: int
    turned: int
    finished: bool
    status: Status
    count: int


class Side(msgspec.Struct, omit_defaults=True):
    """A seat in a list of matches, with the count of its board as far as the receiver may see it."""

    name: str
    tag: str
    count: int
    bot: str | None = None
    level: Level | None = None


class ListedMatch(msgspec.Struct, omit_defaults=True):
    """A line in the list of matches."""

    match: str
    game: str
    seats: list[Side]
    left: int
    spectators: int = 0


class MatchList(ServerMessage, kw_only=True, tag="matches"):
    """The matches being raced now."""

    matches: list[ListedMatch]


class MatchRecord(ServerMessage, kw_only=True, tag="record"):
    """The record of a match."""

    match: str
    record: Record


class PastMatch(msgspec.Struct, omit_defaults=True):
    """A match that has ended, as one of its players is told of it. `ended` is wall-clock time."""

    match: str
    game: str
    ended: int
    you: int
    seats: list[Side]
    result: Result | None = None
    """Missing if the match was aborted; then `aborted` says why."""
    aborted: str | None = None


class Past(ServerMessage, kw_only=True):
    """The player's own matches that have ended, the newest first; `more` if there are older ones."""

    matches: list[PastMatch]
    more: bool = False


class Rank(msgspec.Struct, omit_defaults=True):
    """A player in a ranking: strength within two deviations of the rating, after so many matches."""

    name: str
    tag: str
    rating: int
    deviation: int
    matches: int
    bot: str | None = None
    """The program that played the player's last match; nothing for a person."""
    place: int | None = None
    """Missing for a player who does not stand in the list."""
    provisional: bool = False
    """Whether there were too few matches for the rating to say much."""


class Ranking(ServerMessage, kw_only=True):
    """The ranking of a family of games, the first place first; `you` is there if the receiver has a rating."""

    family: Family
    ranks: list[Rank]
    you: Rank | None = None


class Refused(ServerMessage, kw_only=True):
    """A message was refused and has changed nothing. `code` is one of `protocol.codes`; `why` is for people.

    After a refused move `n` is the number of the board's last entry.
    """

    code: str
    why: str
    match: str | None = None
    n: int | None = None


AnyServerMessage = (
    Greeting | Welcome | MatchState | BoardState | Moved | Progress | MatchList | MatchRecord | Past | Ranking | Refused
)

SERVER_MESSAGES: frozenset[str] = frozenset(str(kind.__struct_config__.tag) for kind in get_args(AnyServerMessage))
"""The types of all these. A client passes over a message of another type."""
