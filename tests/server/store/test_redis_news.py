"""The connection that listens, without a Redis: whose confirmation counts."""

import asyncio

from redis.asyncio import Redis

from server.store.redis_news import RedisNews
from server.store.redis_scripts import news_channel
from tests.server.store.matches import CODE


class Unanswered(RedisNews):
    """It asks for everything, and is answered when the test says so."""

    def __init__(self) -> None:
        super().__init__(Redis(), "one", lambda _: None)

    async def _send(self, _command: str, *channels: str) -> None:
        self._asked.update(channels)

    def answer(self, kind: str) -> None:
        self._take([kind, news_channel(CODE), 1])


async def test_only_the_last_of_several_confirmations_says_that_news_is_heard() -> None:
    """Between the others nothing is heard: who had been told so would miss what is written meanwhile."""
    news = Unanswered()
    first = asyncio.create_task(news.follow(CODE))
    await asyncio.sleep(0)
    await news.unfollow(CODE)
    second = asyncio.create_task(news.follow(CODE))
    for answer in ("subscribe", "unsubscribe"):
        news.answer(answer)
        for _ in range(3):
            await asyncio.sleep(0)
        assert not second.done()
    news.answer("subscribe")
    await asyncio.wait_for(second, 10)
    first.cancel()
