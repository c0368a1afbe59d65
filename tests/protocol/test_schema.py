"""The JSON Schemas in docs/: they are made from the code, and say of a message what the code says."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import server.match
from protocol import messages as wire
from protocol.codec import JSON, WireError
from tests.protocol.json_schema import Schema, faults
from tests.protocol.page import PAGE, TEXT
from tests.protocol.test_docs_examples import transcript, whole
from tests.protocol.test_messages import BEYOND, WITHIN
from tests.protocol.wire import SERVER_MESSAGES, client_messages, server_messages
from tests.server.driver import begin, serving

ROOT = PAGE.parents[1]


def _read(side: str) -> Schema:
    schema: Schema = json.loads((ROOT / "docs" / f"tommy.{wire.VERSION}.{side}.json").read_text(encoding="utf-8"))
    return schema


CLIENT, SERVER = _read("client"), _read("server")


def is_valid(value: Any, schema: Schema) -> bool:
    return not any(faults(value, schema, schema))


def faults_of(text: str | bytes, schema: Schema) -> list[str]:
    return list(faults(json.loads(text), schema, schema))


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """scripts/schema.py."""
    spec = importlib.util.spec_from_file_location("schema", ROOT / "scripts" / "schema.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_what_the_code_says_now(script: ModuleType) -> None:
    """Otherwise: make schema."""
    texts: dict[str, str] = script.schemas()
    for name, text in texts.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text
    assert {path.name for path in (ROOT / "docs").glob("*.json")} == set(texts)
    assert all(f"]({name})" in TEXT for name in texts)


# What a client sends


def is_taken(plain: Any) -> bool:
    try:
        JSON.decode_client(json.dumps(plain))
    except WireError:
        return False
    return True


@pytest.mark.parametrize("plain", [*WITHIN, *(row[0] for row in BEYOND)], ids=str)
def test_the_schema_has_the_bounds_that_the_server_has(plain: dict[str, Any]) -> None:
    assert is_valid(plain, CLIENT) == is_taken(plain)


values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)


@settings(max_examples=300)
@given(client_messages, st.data())
def test_the_schema_takes_what_the_server_takes(message: Any, data: st.DataObject) -> None:
    plain = msgspec.to_builtins(message)
    assert is_valid(plain, CLIENT)
    field = data.draw(st.sampled_from([*plain, "undo"]))
    changed = plain | {field: data.draw(values)}
    assert is_valid(changed, CLIENT) == is_taken(changed)
    del changed[field]
    assert is_valid(changed, CLIENT) == is_taken(changed)


# What the server sends


@settings(max_examples=300)
@given(server_messages, st.sampled_from(["type", "match", "seats", "view", "record", "code", "n"]))
def test_the_schema_takes_what_the_server_sends_and_not_half_of_it(message: Any, field: str) -> None:
    plain = json.loads(JSON.encode(message))
    assert is_valid(plain, SERVER)
    assert is_valid(plain | {"news": 1}, SERVER)
    described = msgspec.inspect.type_info(type(message))
    assert isinstance(described, msgspec.inspect.StructType)
    needed = {each.encode_name for each in described.fields if each.required} | {"type"}
    if plain.pop(field, None) is not None and field in needed:
        assert not is_valid(plain, SERVER)


# The examples of the page


def test_every_message_on_the_page_is_one_of_the_schema() -> None:
    sent = [whole(text) for _, _, direction, text in transcript() if direction == ">"]
    heard = [text for _, _, direction, text in transcript() if direction == "<"]
    for text in re.findall(r'`(\{"type":.*?\})`', TEXT):
        (sent if json.loads(text)["type"] in ("hello", "move") else heard).append(text)
    assert min(len(sent), len(heard)) > 10
    assert [faults_of(text, CLIENT) for text in sent] == [[]] * len(sent)
    assert [faults_of(text, SERVER) for text in heard] == [[]] * len(heard)


# Real matches


async def test_every_frame_of_a_real_match_is_one_of_the_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.match, "COUNTDOWN", 5)
    async with serving(tmp_path / "matches.db") as (_, people):
        ann, bob, eve = [await people.guest(name, encoding=JSON) for name in ("Ann", "Bob", "Eve")]
        for game in ("sir-tommy+redeal", "lucas+peek+groups"):
            await ann.play(game)
            await bob.play(game)
            await eve.watch(ann.match)
            await begin(ann, bob)
            await eve.ask(wire.Matches(), wire.MatchList)
            await ann.play_on(40)
            await bob.play_on(20)
            assert (await ann.refused(wire.Move(match=ann.match, n=1, move="c1c2"))).code == "stale"
            await bob.move("resign")
            await eve.state("over", match=ann.match)
            await eve.ask(wire.GetRecord(match=ann.match), wire.MatchRecord)
        await ann.ask(wire.Rematch(match=ann.match), wire.MatchState)
        await bob.resume(bob.match, 5)
        await ann.ask(wire.History(), wire.Past)
        await ann.ask(wire.Top(), wire.Ranking)
        await ann.up_to_date()
        frames = [frame for player in (ann, bob, eve) for frame in player.frames]
    found = {json.loads(frame)["type"] for frame in frames}
    assert found == {kind.__struct_config__.tag for kind in SERVER_MESSAGES}
    for frame in frames:
        assert faults_of(frame, SERVER) == []
