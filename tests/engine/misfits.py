"""What verifying finds in a record, as the tests ask for it: all, or the names of what does not fit."""

from typing import Any

from engine.record import Record, read_record
from engine.verify import Finding, verify
from tests.engine.matches import resealed


def findings(text: str) -> list[Finding]:
    return verify(read_record(text))


def misfits(record: Record) -> set[str]:
    return {finding.check for finding in verify(record) if not finding.fits}


def misfits_resealed(changed: Any) -> set[str]:
    """What does not fit although the digest has been made to."""
    return misfits(read_record(resealed(changed)))
