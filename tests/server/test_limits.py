from ipaddress import ip_network
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.limits import FEWEST_TO_FORGET, Bucket, Doors, Limits, Network, TurnedAway, client_address

HOME = "192.0.2.7"
PROXIES = (ip_network("10.0.0.0/8"), ip_network("2001:db8:ffff::/48"))


def doors(**limits: Any) -> Doors:
    return Doors(Limits(**limits))


# Buckets


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.take(10) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(10) == 0.5
    assert not bucket.take(10.4)
    assert bucket.take(10.5)
    assert bucket.wait(10.5) == 0.5
    assert [bucket.take(1000) for _ in range(4)] == [True, True, True, False]


def test_a_bucket_takes_no_notice_of_a_clock_that_goes_back() -> None:
    bucket = Bucket(rate=1, burst=1)
    assert bucket.take(10)
    assert not bucket.take(5)
    assert bucket.take(11)


rates = st.floats(0.01, 1000)
steps = st.lists(st.floats(0, 10), min_size=1, max_size=60)


@given(rates, st.integers(1, 20), st.floats(0, 1e7), steps)
def test_in_any_time_a_bucket_gives_no_more_than_its_burst_and_what_has_dropped_in(
    rate: float, burst: int, start: float, waits: list[float]
) -> None:
    bucket, now, given_at = Bucket(rate, burst), start, []
    for wait in waits:
        now += wait
        while bucket.take(now):
            given_at.append(now)
    for first in range(len(given_at)):
        for last in range(first, len(given_at)):
            passed = given_at[last] - given_at[first]
            assert last - first + 1 <= burst + passed * rate + 0.001


@given(rates, st.integers(1, 20), st.floats(0, 1e6), steps)
def test_who_waits_as_long_as_the_bucket_says_gets_a_token(
    rate: float, burst: int, now: float, waits: list[float]
) -> None:
    bucket = Bucket(rate, burst)
    for wait in waits:
        now += wait
        while bucket.take(now):
            pass
        now += bucket.wait(now)
        assert bucket.wait(now) == 0
        assert bucket.take(now)


# Doors


def test_an_address_may_have_so_many_connections_open() -> None:
    here = doors(sockets=2)
    assert [here.enter(HOME, 0) for _ in range(3)] == [None, None, TurnedAway.SOCKETS]
    assert here.enter("192.0.2.8", 0) is None
    here.leave(HOME)
    assert here.enter(HOME, 0) is None


def test_an_address_may_open_connections_only_so_fast() -> None:
    here = doors(arrivals=1, arrivals_burst=2)
    assert [here.enter(HOME, 0) for _ in range(3)] == [None, None, TurnedAway.ARRIVALS]
    assert here.enter("192.0.2.8", 0) is None
    assert here.enter(HOME, 1) is None


def test_who_is_turned_away_has_not_come_in() -> None:
    here = doors(arrivals=1, arrivals_burst=1, sockets=1)
    assert here.enter(HOME, 0) is None
    assert here.enter(HOME, 5) is TurnedAway.SOCKETS
    here.leave(HOME)
    assert here.enter(HOME, 5) is None  # the token is still there
    here.leave(HOME)
    assert here.enter(HOME, 5) is TurnedAway.ARRIVALS
    here.leave(HOME)  # one close too many
    assert here.enter(HOME, 6) is None
    assert here.enter(HOME, 7) is TurnedAway.SOCKETS


def test_an_address_may_have_so_many_open_matches() -> None:
    here = doors(matches=2)
    assert [here.create(HOME, code, 0) for code in "abc"] == [None, None, TurnedAway.MATCHES]
    assert here.create(HOME, "a", 0) is None  # counted already
    here.end("elsewhere")
    assert here.create(HOME, "c", 0) is TurnedAway.MATCHES
    here.end("a")
    here.end("a")
    assert here.create(HOME, "c", 0) is None
    assert here.create(HOME, "d", 0) is TurnedAway.MATCHES


def test_an_ipv6_household_is_one_address() -> None:
    here = doors(sockets=1)
    assert here.enter("2001:db8::1", 0) is None
    assert here.enter("2001:db8::ffff:1%eth0", 0) is TurnedAway.SOCKETS
    assert here.enter("2001:db8:0:1::1", 0) is None
    here.leave("2001:db8::2")
    assert here.enter("2001:db8::3", 0) is None


def test_an_ipv4_address_is_the_same_written_as_an_ipv6_one() -> None:
    here = doors(sockets=1)
    assert here.enter(HOME, 0) is None
    assert here.enter(f"::ffff:{HOME}", 0) is TurnedAway.SOCKETS
    assert here.enter("::ffff:192.0.2.8", 0) is None


def test_what_is_no_address_is_counted_as_it_is() -> None:
    here = doors(sockets=1)
    assert [here.enter("unix:", 0), here.enter("", 0)] == [None, None]
    assert here.enter("", 0) is TurnedAway.SOCKETS


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_this_machine_itself_is_not_counted_unless_the_host_wants_it(address: str) -> None:
    here = doors(sockets=1, arrivals_burst=1, matches=1)
    for number in range(5):
        assert here.enter(address, 0) is None
        assert here.create(address, str(number), 0) is None
    here.leave(address)
    here.end("0")
    assert len(here) == 0
    strict = Doors(Limits(sockets=1, exempt=()))
    assert [strict.enter(address, 0) for _ in range(2)] == [None, TurnedAway.SOCKETS]


def test_a_party_of_forty_behind_one_address_meets_no_limit() -> None:
    here = Doors(Limits())
    for guest in range(40):
        assert here.enter(HOME, 100.0) is None
        assert here.create(HOME, str(guest), 100.0) is None
    for _ in range(40):
        here.leave(HOME)
        assert here.enter(HOME, 101.0) is None
    messages = here.bucket("192.0.2.1")
    assert messages is not None
    assert all(messages.take(100 + tenth / 10) for tenth in range(300))


def test_addresses_that_are_idle_are_forgotten() -> None:
    here = doors(arrivals=1)
    here.enter("192.0.2.1", 0)
    here.enter("192.0.2.2", 0)
    here.leave("192.0.2.2")
    here.create("192.0.2.3", "a", 0)
    here.forget(0.5)
    assert len(here) == 3  # the second could else come in again as if it had never been there
    here.forget(1)
    assert len(here) == 2
    here.leave("192.0.2.1")
    here.end("a")
    here.forget(1)
    assert len(here) == 0


def test_a_hundred_thousand_addresses_leave_nothing_behind() -> None:
    here = doors()
    most = 0
    for number in range(100_000):
        address, now = f"198.{number >> 16}.{number >> 8 & 255}.{number & 255}", number / 10_000
        assert here.enter(address, now) is None
        here.leave(address)
        most = max(most, len(here))
    # One comes every 0.1 ms and is remembered for 50 ms: 500 at a time, looked through when they have doubled.
    assert most <= 2 * FEWEST_TO_FORGET
    here.forget(20)
    assert len(here) == 0


def test_a_hundred_thousand_addresses_at_a_time_are_looked_through_only_when_they_have_doubled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = doors()
    sizes: list[int] = []
    forget = here.forget

    def noted(now: float) -> None:
        sizes.append(len(here))
        forget(now)

    monkeypatch.setattr(here, "forget", noted)
    for number in range(100_000):
        here.enter(f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1", 0)
    assert len(here) == 100_000
    assert len(sizes) < 10
    assert all(after == 2 * before for before, after in pairwise(sizes))


# Limits


def test_limits_are_data() -> None:
    assert Limits(sockets=7, exempt=()) == Limits(exempt=(), sockets=7)
    slow = Doors(Limits(messages=1, messages_burst=1)).bucket("192.0.2.1")
    assert slow is not None
    assert slow.take(0)
    assert not slow.take(0)


@pytest.mark.parametrize(
    "wrong",
    [{"sockets": 0}, {"matches": -1}, {"arrivals": 0.0}, {"messages": float("nan")}, {"messages": float("inf")}],
)
def test_a_limit_that_would_let_nobody_in_is_no_limit(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limits(**wrong)


# Who has come


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.7", None, "192.0.2.7"),
        ("192.0.2.7", "198.51.100.1", "192.0.2.7"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "127.0.0.1, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "203.0.113.5,198.51.100.1 , 10.9.9.9", "198.51.100.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "198.51.100.1, nonsense, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "198.51.100.1,", "10.0.0.1"),
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"),
        ("2001:db8:ffff::1", "2001:DB8:0::0001", "2001:db8::1"),
        ("::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
        ("fe80::1%eth0", None, "fe80::1"),
        ("", "198.51.100.1", ""),
        ("a socket file", "198.51.100.1", "a socket file"),
    ],
)
def test_a_client_is_the_right_most_address_that_is_no_trusted_proxy(
    peer: str, forwarded: str | None, client: str
) -> None:
    assert client_address(peer, forwarded, PROXIES) == client


@given(st.text(), st.sampled_from((*PROXIES, ip_network("192.0.2.0/24"))))
def test_what_a_client_writes_itself_changes_nothing(written: str, proxy: Network) -> None:
    address = str(proxy[1])
    assert client_address(address, f"{written}, 198.51.100.1", (proxy,)) == "198.51.100.1"
    assert client_address("198.51.100.1", written, (proxy,)) == "198.51.100.1"
    client_address(address, written, (proxy,))
