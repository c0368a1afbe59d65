"""News from the other servers: whoever writes to a match tells it on the match's channel.

News is only a wake-up; what counts is read from the logs. So nothing is lost when some of it is: after an interruption all
matches that are followed count as news.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.store.port import StoreError
from server.store.redis_address import ANSWER_TIMEOUT, Client
from server.store.redis_scripts import news_channel

QUIET = 2.0
"""After so many seconds without a word Redis is asked for one, and after as many more the connection is given up."""
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 2.0


class RedisNews:
    """A connection that listens, made again whenever it is lost, however quietly."""

    def __init__(self, client: Client, reader: str, news: Callable[[str], None]) -> None:
        self._client = client
        self._reader = reader
        """Who listens: what they write themselves is no news to them."""
        self._news = news
        self._followed: dict[str, str] = {}
        """Matches by channel."""
        self._asked: Counter[str] = Counter()
        """How often Redis has been asked about a channel, and not answered yet."""
        self._confirmed: dict[str, asyncio.Event] = {}
        self._missed: set[str] = set()
        """Channels that were not listened to for a while, and still are not."""
        self._connection: AbstractConnection | None = None
        self._sending = asyncio.Lock()
        self._closed = False

    @property
    def listening(self) -> bool:
        """Whether all news is heard."""
        return self._connection is not None and not self._missed

    async def open(self) -> None:
        """Listen. Raises if that cannot be done now; later on it is tried until it can."""
        await self._connect()
        self._task = asyncio.create_task(self._listen())

    async def close(self) -> None:
        self._closed = True  # a task that is just sending may not notice that it is cancelled: Python 3.11's `wait_for`
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self._disconnect()  # the task may not even have begun

    async def follow(self, match: str) -> None:
        """From when this returns on, the match's news is heard."""
        channel = news_channel(match)
        if channel not in self._followed:
            self._followed[channel] = match
            self._confirmed[channel] = asyncio.Event()
            await self._send("SUBSCRIBE", channel)
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                await self._confirmed[channel].wait()
        except TimeoutError:
            await self.unfollow(match)
            raise StoreError("Redis does not confirm that it will tell what other servers write") from None

    async def unfollow(self, match: str) -> None:
        channel = news_channel(match)
        if self._followed.pop(channel, None) is not None:
            del self._confirmed[channel]
            self._missed.discard(channel)
            await self._send("UNSUBSCRIBE", channel)

    async def _send(self, command: str, *channels: str) -> None:
        """Ask for something, if there is a connection: a new one asks for all that is followed."""
        async with self._sending:
            connection = self._connection
            if connection is None or not connection.is_connected or (command != "PING" and not channels):
                return
            self._asked.update(channels)
            with contextlib.suppress(RedisError, OSError):  # whoever listens finds out, too
                await connection.send_command(command, *channels, check_health=False)

    async def _connect(self) -> None:
        if isinstance(self._client, Redis):
            connection = self._client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        else:
            await self._client.initialize()
            node = self._client.get_random_primary_node()  # each node of a cluster tells everything
            connection = node.connection_class(**node.connection_kwargs, retry=Retry(NoBackoff(), 0))
        try:
            await connection.connect()
        except BaseException:  # whoever closes this cancels it, and nobody else knows of the connection
            await connection.disconnect(nowait=True)
            raise
        self._connection = connection

    async def _listen(self) -> None:
        pause = FIRST_PAUSE
        while not self._closed:
            with contextlib.suppress(Exception):  # whatever it is, a new connection may be better
                if self._connection is None:
                    await self._connect()
                    await self._send("SUBSCRIBE", *self._followed)
                    pause = FIRST_PAUSE
                await self._hear()
            await self._disconnect()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _hear(self) -> None:
        """Hear what Redis says, until it falls silent."""
        connection = self._connection
        assert connection is not None
        asked = False
        while not self._closed:
            reply = await connection.read_response(timeout=QUIET)
            if reply is not None:
                asked = False
                self._take(reply)
            elif asked:
                raise TimeoutError
            else:
                asked = True
                await self._send("PING")

    def _take(self, reply: object) -> None:
        match reply:
            case ["message", str(channel), str(writer)]:
                if writer != self._reader:
                    self._tell(channel)
            case ["subscribe" | "unsubscribe", str(channel), _]:
                self._asked[channel] -= 1
                if self._asked[channel] > 0:
                    return
                del self._asked[channel]
                if channel in self._confirmed:
                    self._confirmed[channel].set()
                if channel in self._missed:
                    self._missed.remove(channel)
                    self._tell(channel)

    def _tell(self, channel: str) -> None:
        if channel in self._followed:
            asyncio.get_running_loop().call_soon(self._news, self._followed[channel])

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self._asked.clear()
        self._missed = set(self._followed)
        for confirmed in self._confirmed.values():
            confirmed.clear()
        if connection is not None:
            with contextlib.suppress(RedisError, OSError):
                await connection.disconnect()
