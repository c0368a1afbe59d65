"""`tommy-server` itself, only less patient: what takes seconds there would be most of a test.

python -m tests.faults.launch OPTION...
"""

import server.keeper
import server.ledger
import server.match
from server.main import main
from server.store import redis_address, redis_news, redis_pipe

COUNTDOWN = 300
"""Milliseconds, in place of 3,000."""
SWEEP_EVERY = 500
"""Milliseconds, in place of ten minutes."""
SOON = 1.0
"""Seconds for what may take 5: an answer of Redis, and until a client is told that there is none."""

if __name__ == "__main__":
    server.match.COUNTDOWN = COUNTDOWN
    server.keeper.SWEEP_EVERY = SWEEP_EVERY
    server.ledger.PATIENCE = SOON
    for module in (redis_address, redis_news, redis_pipe):
        vars(module)["ANSWER_TIMEOUT"] = SOON
    main()
