"""What this client calls itself."""


def version() -> str:
    """The version that is installed."""
    from importlib import metadata

    try:
        return metadata.version("tommy-race")
    except metadata.PackageNotFoundError:
        return "0"
