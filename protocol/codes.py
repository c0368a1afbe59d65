"""Every code a refusal can carry. `docs/protocol.md` lists the same; a test compares."""

STRIKES = {
    "bad-frame": "the frame is not one whole message in the encoding agreed on",
    "wrong-encoding": "a text frame on tommy.2, or a binary frame on tommy.2.json",
    "too-deep": "the message is nested deeper than any message is",
    "duplicate-key": "a key stands twice in one map",
    "unknown-type": "there is no message of that type",
    "bad-message": "a field is missing, unknown, of the wrong type or out of its bounds",
}
"""A frame that is no message. The third closes the connection."""

HANDSHAKE = {
    "version": "the client offers no subprotocol that this server speaks",
    "hello-first": "the first message must be hello",
    "already-greeted": "hello was said before on this connection",
    "wrong-host": "the hello is signed for a host that this server is not",
    "bad-signature": "the hello is not signed with the key's secret, for this greeting's challenge",
}

REQUESTS = {
    "unknown-game": "no game of that name, or no such option",
    "not-offered": "the server does not offer this game; `welcome` has those it does",
    "unknown-match": "no match has that code",
    "match-full": "both seats are taken",
    "already-seated": "the player has a seat in this match already",
    "not-your-seat": "the player holds no seat in this match",
    "already-ready": "the player has committed to a nonce before, and to another one",
    "not-revealing": "nonces are not being revealed now",
    "bad-nonce": "the nonce does not fit the player's commitment",
    "has-started": "the match has started, or is over",
    "not-started": "the match has not started",
    "match-over": "the match is over",
    "not-over": "the match is not over",
    "no-rematch": "the other player has left, so there is no rematch",
    "no-bots": "this server has no house bot free",
    "too-many": "too many open matches of this player, or on this server",
    "shutting-down": "the server is closing and takes no new matches",
    "store-failed": "the server could not write the message down, so it has not happened; send it again, later",
}

MOVES = {
    "stale": "that entry of the board has been made before, and it was another one",
    "gap": "an entry before it is missing",
    "log-full": "the board has had as many moves as a board may have",
    "bad-move": "the text is no move",
    "board-finished": "the board takes no more entries",
    "card-in-hand": "a card is in hand and must be placed first",
    "no-card-in-hand": "no card is in hand",
    "stock-empty": "there is no card left to turn",
    "stock-not-empty": "there is no redeal before the stock is empty",
    "no-redeal-left": "the redeal has been used",
    "pile-empty": "there is no card on that pile",
    "same-place": "source and target are the same",
    "does-not-fit": "the card is not the next of that foundation",
    "not-leftmost": "the card fits a foundation further left",
    "no-such-place": "the board has no such place",
    "does-not-build": "the card cannot be built on that column",
    "not-a-sequence": "the cards are not built on each other, or are not there",
    "too-many-cards": "so many cards cannot be moved at once",
    "not-in-this-game": "the game has no such move",
}

CODES = STRIKES | HANDSHAKE | REQUESTS | MOVES
