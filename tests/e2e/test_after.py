"""What comes after a race, with the real commands: the past, the figures, the ranking, the replay."""

import asyncio
import secrets
from pathlib import Path

from tests.e2e.commands import PATIENCE, House, house


async def ranked(hosted: House, key: str) -> list[dict[str, object]]:
    """The ranking, once there is one: a match is rated a moment after its end."""
    async with asyncio.timeout(PATIENCE):
        while True:
            top = await hosted.tommy("top", key=key)
            assert await top.end() == 0
            if top.all("ranked"):
                return top.all("ranked")


async def test_a_race_can_be_looked_back_on(tmp_path: Path) -> None:
    keys = [secrets.token_hex(32) for _ in range(2)]
    async with house(tmp_path) as hosted:
        racers = [
            await hosted.tommy("play", "--ready", key=key, name=name)
            for key, name in zip(keys, ("Ann", "Bob"), strict=True)
        ]
        for racer in racers:
            await racer.event("started")
            await racer.type("t 1 " * 10)
            await racer.type("done")
        for racer in racers:
            await racer.event("over")
            await racer.type("quit")
        assert [await racer.end() for racer in racers] == [0, 0]

        history = await hosted.tommy("history", key=keys[0])
        assert await history.end() == 0
        (line,) = history.all("past-listed")
        assert line["rival"] == "Bob"
        record = await hosted.record(line["match"])
        assert {line["count"], line["rival_count"]} == {seat["count"] for seat in record["seats"]}

        replay = await hosted.tommy("replay", line["match"], key=keys[0])
        assert await replay.end() == 0
        assert len(replay.all("replay-step")) == sum(len(seat["entries"]) for seat in record["seats"])

        ranks = await ranked(hosted, keys[0])
        assert {rank["rank"]["name"] for rank in ranks} == {"Ann", "Bob"}  # type: ignore[index]
        stats = await hosted.tommy("stats", key=keys[0])
        assert await stats.end() == 0
        (figures,) = stats.all("game-stats")
        assert (figures["deals"], figures["counts"]) == (1, [line["count"]])
        assert len(stats.all("rating-now")) == 1
