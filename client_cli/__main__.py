"""`python -m client_cli` is `tommy`."""

from client_cli.main import main

if __name__ == "__main__":
    main(prog_name="tommy")
