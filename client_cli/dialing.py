"""Making a connection to a server: how far it may send this client on, and what it was that failed.

A player's key is good at the host that was dialled, so another host is one that the player has to name.
"""

import asyncio
import re
import ssl
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, InvalidStatus, SecurityError, WebSocketException
from websockets.proxy import get_proxy
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from client_cli.troubles import ClientError, Exit, SentOn, Unreachable, WrongVersion
from protocol.codec import LARGEST_SERVER_FRAME, MSGPACK

ANSWER_WITHIN = 10.0
"""Seconds for a new connection to be answered."""
LOOK_WITHIN = 3.0
"""Seconds for finding out what a server speaks that has not answered as it should."""
WEBSOCKET_SCHEMES = {"http": "ws", "https": "wss"}
"""What a scheme means where a WebSocket was asked for."""
CERTIFICATES = {
    9: "certificate-early",
    10: "certificate-expired",
    **dict.fromkeys((18, 19, 20, 21), "certificate-unknown"),
    **dict.fromkeys((62, 64), "certificate-other"),
}
"""What is wrong with a certificate, by OpenSSL's codes; for others OpenSSL's words have to do."""


def is_local(server: str) -> bool:
    """Whether a server is on this machine: no proxy leads there, and nobody is on the way."""
    host = urlsplit(server).hostname or ""
    return host in ("localhost", "::1") or re.fullmatch(r"127(\.\d{1,3}){1,3}", host, re.ASCII) is not None


async def dial(server: str) -> ClientConnection:
    """Connect to the server at a URL. Raises `ClientError`."""
    try:
        return await _Dial(
            server,
            subprotocols=[Subprotocol(MSGPACK.subprotocol)],
            compression=None,
            max_size=LARGEST_SERVER_FRAME,
            open_timeout=ANSWER_WITHIN,
            close_timeout=1,
            ping_interval=5,
            ping_timeout=10,
            proxy=None if is_local(server) else True,
        )
    except (OSError, WebSocketException, ValueError, ImportError) as error:
        if isinstance(error, InvalidStatus) and (why := _version(error)) is not None:
            raise ClientError(WrongVersion(server, why), Exit.REFUSED) from None
        why = await _other_scheme(server, error) or _trouble(error)
    raise unreachable(server, why)


def unreachable(server: str, why: str) -> ClientError:
    """There is no talking with a server; `why` is a code of `reasons.trouble`, or else what somebody said."""
    return ClientError(Unreachable(server, why), Exit.NO_CONNECTION)


class _Dial(connect):
    """Follows a redirect as long as it stays with the host that was named, and does not give up encryption."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        if not isinstance(exc, InvalidStatus) or exc.response.status_code not in (300, 301, 302, 303, 307, 308):
            return exc
        location = exc.response.headers.get_all("Location")
        if not location:
            return exc
        to = location[0]
        try:
            to = urljoin(self.uri, to)
            scheme, colon, rest = to.partition(":")
            to = WEBSOCKET_SCHEMES.get(scheme.lower(), scheme) + colon + rest
            before, after = parse_uri(self.uri), parse_uri(to)
        except (WebSocketException, ValueError):
            return _sent_on(self.uri, to, "host")
        if before.host != after.host:
            return _sent_on(self.uri, to, "host")
        if before.secure and not after.secure:
            return _sent_on(self.uri, to, "unencrypted")
        return to


def _sent_on(server: str, to: str, why: str) -> ClientError:
    return ClientError(SentOn(server, to, why), Exit.NO_CONNECTION)


def _version(error: InvalidStatus) -> str | None:
    """What a tommy-server says to a client of another version; None if it was something else."""
    body = (error.response.body or b"").decode(errors="replace").strip()
    return body[8:].strip() if body.startswith("version:") else None


def _trouble(error: Exception) -> str:
    """What was wrong, as a code or in the words of whoever noticed, without numbers and addresses."""
    match error:
        case InvalidStatus():
            return f"HTTP {error.response.status_code}"
        case ssl.SSLCertVerificationError():
            return CERTIFICATES.get(error.verify_code, error.verify_message)
        case ssl.SSLError(reason=str(reason)):
            return reason.replace("_", " ").lower()
        case TimeoutError():
            return "no-answer"
        case ConnectionResetError() | InvalidMessage(__cause__=EOFError()):
            return "closed"
        case OSError() if "Connect call failed" in str(error):
            return "refused"
        case OSError():
            return error.strerror or str(error) or type(error).__name__
        case InvalidMessage():
            return "no-websocket"
        case SecurityError():
            return "no-end"
        case _:
            return str(error)


async def _other_scheme(server: str, error: Exception) -> str | None:
    """Whether a server speaks TLS where none was asked for, or none where it was: one looks, where it may be that."""
    try:
        uri = parse_uri(server)
    except (WebSocketException, ValueError):
        return None
    silent = isinstance(error, InvalidMessage | ConnectionResetError)
    refused = isinstance(error, InvalidStatus) and error.response.status_code == 400  # as nginx and others answer
    no_tls = isinstance(error, ssl.SSLError | TimeoutError) and not isinstance(error, ssl.SSLCertVerificationError)
    if not (silent or (no_tls if uri.secure else refused)) or (not is_local(server) and get_proxy(uri) is not None):
        return None
    look = _answers_http if uri.secure else _answers_tls
    with suppress(OSError):  # of time, too
        async with asyncio.timeout(LOOK_WITHIN):
            if await look(uri.host, uri.port):
                return "no-tls" if uri.secure else "tls"
    return None


async def _answers_tls(host: str, port: int) -> bool:
    """Whether somebody speaks TLS there. Nothing is said to them, so it does not matter who they are."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    _, writer = await asyncio.open_connection(host, port, ssl=anybody)
    writer.transport.abort()
    return True


async def _answers_http(host: str, port: int) -> bool:
    """Whether somebody speaks HTTP there, and has something else to say than that the question is a bad one."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: tommy\r\nConnection: close\r\n\r\n")
        start = await reader.read(12)
    finally:
        writer.transport.abort()
    return re.match(rb"HTTP/1\.\d (?!400)", start) is not None
