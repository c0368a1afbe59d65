"""Ports for servers of the tests that must be told where to listen."""

import itertools
import os
import socket
from random import SystemRandom

SET_ASIDE = range(10_000, 15_000)
"""No system gives out these by itself, be it for the near end of a connection or where port 0 is asked for: so none is
taken away between the choice and the listening, nor while a server that listens there is down. As long as 10,000 are
added, that is true of those too."""

MOST_WORKERS = 8
"""So many processes can run tests at once, each with ports of its own."""

_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % MOST_WORKERS
_own = SET_ASIDE[_worker::MOST_WORKERS]
# In an order of its own, for other runs of the tests on this machine, also where a test has fixed all chance.
_turn = itertools.cycle(SystemRandom().sample(_own, len(_own)))


def free_port(also: int | None = None) -> int:
    """A port on which nobody listens, and which nobody else will be given soon.

    `also` is how much higher another one must be free.
    """
    for port in itertools.islice(_turn, len(_own)):
        if _is_free(port) and (also is None or _is_free(port + also)):
            return port
    raise OSError("all ports are taken")


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
