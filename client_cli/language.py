"""The gate for all text: every sentence a user reads goes through `say` or `plural`.

Sentences are whole, with their facts named in braces, so that each can be translated as one piece.
"""


def say(sentence: str, **facts: object) -> str:
    """The sentence, its facts filled in."""
    return sentence.format(**facts) if facts else sentence


def plural(one: str, many: str, number: int, **facts: object) -> str:
    """The sentence for one thing or for many; `{number}` is the number itself."""
    return say(one if number == 1 else many, number=number, **facts)
