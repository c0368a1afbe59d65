"""`python -m client_cli` is `tommy`."""

import os
import sys

from client_cli import language


def main() -> None:
    """`tommy`, in the user's language."""
    language.settle(sys.argv[1:], os.environ)
    from client_cli.main import main as tommy  # which words its help when it is imported

    tommy(prog_name="tommy")


if __name__ == "__main__":
    main()
