"""What this process has open."""

import os
from pathlib import Path


def open_descriptors() -> set[int]:
    """The descriptors that are open now, by their numbers."""
    listed = [
        int(each.name) for each in Path("/dev/fd").iterdir()
    ]  # with that of the listing itself, which is closed by now
    return {descriptor for descriptor in listed if _is_open(descriptor)}


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
