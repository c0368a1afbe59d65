"""The texts that users get from click: it says them itself, and finds their translations in this client's catalogs."""

from client_cli.language import plural, say


def texts() -> list[str]:
    """Those that are translated; a test looks for each of them in click."""
    return [
        say("Usage:"),
        say("Options"),
        say("Commands"),
        say("Show this message and exit."),
        say("default: {default}"),
        say("env var: {var}"),
        say("Error: {message}"),
        say("Try '{command} {option}' for help."),
        say("Invalid value: {message}"),
        say("Invalid value for {param_hint}: {message}"),
        say("Missing argument"),
        say("Missing command."),
        say("No such command {name!r}."),
        say("No such option {name!r}."),
        say("Option {name!r} does not take a value."),
        say("{value!r} is not a valid {number_type}."),
        say("{value} is not in the range {range}."),
        say("{name} {filename!r} does not exist."),
        say("{name} {filename!r} is a directory."),
        say("file"),
        say("Aborted!"),
    ]


def counted() -> list[str]:
    """The same for one or many."""
    return [
        plural(
            "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", 1, name="", nargs=1
        ),
        plural("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", 1, args=""),
        plural("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", 1, value="", choice=""),
        plural("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", 1, possibility=""),
    ]
