"""Several servers on one Redis, as far as the store knows them."""

import asyncio

from server.store.redis import RedisStore


class Server:
    """One of several servers on a Redis, and what news it has had."""

    def __init__(self, address: str) -> None:
        self.store = RedisStore(address)
        self._news: asyncio.Queue[str] = asyncio.Queue()

    async def open(self) -> "Server":
        await self.store.open(self._news.put_nowait)
        return self

    async def news(self) -> str:
        return await asyncio.wait_for(self._news.get(), 10)

    @property
    def has_news(self) -> bool:
        return not self._news.empty()
