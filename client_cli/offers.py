"""What a server offers beside its games: looked at first, so that nothing is asked for in vain."""

from client_cli.troubles import ClientError, Exit, NotOffered
from protocol.messages import Welcome


def check_offer(welcome: Welcome, offer: str) -> None:
    """Raises `ClientError` if the server that gave this welcome does not offer this."""
    if offer not in welcome.offers:
        raise ClientError(NotOffered(offer), Exit.REFUSED)
