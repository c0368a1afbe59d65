"""What the server costs, measured on the machine it runs on: `python -m bench`."""
