"""What this client calls itself."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("tommy-race")
except PackageNotFoundError:
    VERSION = "0"
CLIENT = f"tommy {VERSION}"
