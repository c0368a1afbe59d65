"""Every code of a refusal is provoked in some test."""

from protocol import codes
from tests.server import test_bad_frames, test_bad_moves, test_bad_requests, test_handshake

FILES = (test_bad_frames, test_bad_moves, test_bad_requests, test_handshake)
"""Those with cases; test_handshake.py has the version besides, and test_store_failures.py a store that fails."""


def test_there_is_a_case_for_every_code() -> None:
    cases = {code for file in FILES for code in file.CASES.codes} | {"version", "store-failed"}
    assert cases == set(codes.CODES)
