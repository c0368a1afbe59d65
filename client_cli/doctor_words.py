"""The sentences of `tommy doctor`: for each thing looked at what to say when it is well, and what to do when it is not."""

from client_cli import phrases
from client_cli.language import plural, say
from client_cli.reasons import no_keys
from client_cli.reports import Examination, Examined
from client_cli.verdict import Facts, Wording, fixed


def examined(found: Examined) -> str:
    """One finding, its verdict first."""
    well, unwell = WORDINGS[found.check]
    if found.fits:
        return say("ok      {what}", what=well(found.facts))
    return say("NOT OK  {what}", what=unwell(found.facts))


def examination(whole: Examination) -> str:
    """What all findings come to."""
    if not whole.unfit:
        return say("All is well.")
    return plural("{number} thing is not as it should be.", "{number} things are not as they should be.", whole.unfit)


def _key_well(facts: Facts) -> str:
    if facts["file"] is None:
        return say("Your key comes from TOMMY_KEY or --key; your tag is {tag}.", tag=facts["tag"])
    if facts["tag"] is None:
        return say("There is no key yet: one is made at first use, in {file}.", file=phrases.file(facts["file"]))
    return say("Your key is in {file}; your tag is {tag}.", file=phrases.file(facts["file"]), tag=facts["tag"])


def _key_unwell(facts: Facts) -> str:
    if facts["why"] == "readable":
        return say("Others can read your key. Type: chmod 600 {file}", file=phrases.file(facts["file"]))
    if facts["why"] == "unreadable":
        return say("{file} cannot be read: {why}", file=phrases.file(facts["file"]), why=facts["error"])
    why = no_keys().get(facts["why"], facts["why"])
    if facts["why"] in ("old", "empty"):
        return say(
            "{file}: {why} The next command that needs it puts a new one in its place.",
            file=phrases.file(facts["file"]),
            why=why,
        )
    return say("{file}: {why} Remove the file to get a new one.", file=phrases.file(facts["file"]), why=why)


def _terminal(facts: Facts) -> str:
    if facts["is_one"]:
        return say("The output is a terminal.")
    return say("The output is no terminal, so there is no more to say of it.")


def _colour_unwell(facts: Facts) -> str:
    if facts["why"] == "TERM":
        return say("The terminal shows no colours: TERM is dumb or not set. Set it to what your terminal is.")
    return say("Colours are turned off by {name}. Unset it to have them.", name=facts["why"])


WORDINGS: dict[str, tuple[Wording, Wording]] = {
    "server": (
        fixed(say("The server {server} can be reached.")),
        fixed(
            say(
                "The server {server} cannot be reached. Name yours with --server or TOMMY_SERVER, or start one here: tommy-server"
            )
        ),
    ),
    "host": (
        fixed(say("It goes by the name {host}, which was dialled.")),
        fixed(say("It does not go by the name {host}, which was dialled: {why}. Dial it by one of its names.")),
    ),
    "versions": (
        fixed(say("Both are version {own}.")),
        fixed(say("tommy is version {own}, the server {server}. They understand each other; upgrade the older one.")),
    ),
    "latency": (
        fixed(say("It answers in {ms} ms.")),
        fixed(say("It answers in {ms} ms only. Look for a server nearer to you, or a better connection.")),
    ),
    "key": (_key_well, _key_unwell),
    "terminal": (_terminal, _terminal),
    "size": (
        fixed(say("The terminal has {columns} columns and {lines} lines.")),
        fixed(say("The terminal has {columns} columns and {lines} lines. Make its window 80 by 24 at least.")),
    ),
    "colour": (fixed(say("The terminal shows colours.")), _colour_unwell),
    "signs": (
        fixed(say("It can show the signs of the suits ({encoding}).")),
        fixed(
            say(
                "It cannot show the signs of the suits ({encoding}): letters stand for them. Set LANG to a language with UTF-8, such as C.UTF-8."
            )
        ),
    ),
    "language": (fixed(say("The language is {language}.")), fixed(say("The language is {language}."))),
}
"""For each check what to say when it is well, and when it is not."""
