"""Whole races between real processes over real sockets."""

from pathlib import Path

from tests.e2e.commands import Command, House, house


def acknowledged(player: Command) -> list[tuple[int, str]]:
    """Every entry that the server has told this player is made."""
    return [(event["n"], event["move"]) for event in player.all("made")]


async def bots_at_a_table(hosted: House, pace: str = "0") -> tuple[str, Command, Command, Command]:
    """The code of a match, its two players, both bots, and a spectator."""
    ann = await hosted.tommy("bot", "--quick", "--pace", pace, name="Ann")
    match = (await ann.event("waiting"))["match"]
    spectator = await hosted.tommy("watch", match)
    await spectator.event("waiting")
    ben = await hosted.tommy("bot", "--quick", "--pace", pace, name="Ben")
    return match, ann, ben, spectator


async def test_two_players_race_a_spectator_watches_and_the_record_is_true(tmp_path: Path) -> None:
    async with house(tmp_path) as hosted:
        match, ann, ben, spectator = await bots_at_a_table(hosted)
        assert [await each.end() for each in (ann, ben, spectator)] == [0, 0, 0]
        record = await hosted.record(match)
        for seat, player in enumerate((ann, ben)):
            moves = [text for _, text in record["seats"][seat]["entries"]]
            assert acknowledged(player) == list(enumerate(moves, start=1))
        results = [each.all("over")[0] for each in (ann, ben, spectator)]
        assert {(told["winner"], tuple(told["counts"]), told["digest"]) for told in results} == {
            (record["result"]["winner"], tuple(seat["count"] for seat in record["seats"]), record["digest"])
        }
        hosted.server.process.terminate()
        assert await hosted.server.end() == 0


async def test_a_killed_server_loses_nothing_and_everyone_comes_back_by_themselves(tmp_path: Path) -> None:
    async with house(tmp_path) as hosted:
        match, ann, ben, spectator = await bots_at_a_table(hosted, pace="0.05")
        for number in (20, 60):
            await ann.event("made", n=number)
            await hosted.server.kill()
            await hosted.open()
        assert [await each.end() for each in (ann, ben, spectator)] == [0, 0, 0]
        assert all(len(each.all("connection-back")) == 2 for each in (ann, ben, spectator))
        record = await hosted.record(match)
        for seat, player in enumerate((ann, ben)):
            entries = dict(enumerate((text for _, text in record["seats"][seat]["entries"]), start=1))
            told = acknowledged(player)
            assert [number for number, _ in told] == sorted({number for number, _ in told}), "a move was made twice"
            assert dict(told).items() <= entries.items(), "an acknowledged move was lost"


async def test_a_killed_player_comes_back_with_the_same_key_and_goes_on(tmp_path: Path) -> None:
    key = "0123456789abcdef" * 4
    async with house(tmp_path) as hosted:
        player = await hosted.tommy("play", "--ready", "--create", key=key)
        match = (await player.event("waiting"))["match"]
        bot = await hosted.tommy("bot", "--join", match, "--pace", "0.01", name="Ben")
        await player.event("started")
        await player.type("t 1 t 2")
        await player.event("made", n=4)
        await player.kill()
        assert (await bot.event("away"))["name"] == "Ann"
        again = await hosted.tommy("join", match, key=key)
        await again.event("resumed")
        await again.type("t 3")
        await again.event("made", n=6)
        await again.type("done")
        await again.type("yes")
        assert await bot.end() == 0
        entries = [text for _, text in (await hosted.record(match))["seats"][0]["entries"]]
        assert entries == ["t", "hp1", "t", "hp2", "t", "hp3", "stand"]


async def test_a_player_races_a_house_bot(tmp_path: Path) -> None:
    async with house(tmp_path) as hosted:
        player = await hosted.tommy("play", "--ready", "--bot")
        await player.event("started")
        await player.type("resign")
        await player.type("yes")
        over = await player.event("over")
        assert (over["reason"], over["winner"], over["names"]) == ("resigned", 1, ["Ann", "House bot"])
