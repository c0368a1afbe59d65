"""What a JSON Schema says of a value, as far as the schemas in docs/ use the language; an unknown word in one is an error."""

import re
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

ANNOTATIONS = {"$schema", "$defs", "title", "description", "default", "discriminator"}
"""Words that say nothing about what is valid."""
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def faults(value: Any, schema: Schema, root: Schema, at: str = "$") -> Iterator[str]:
    """Everything in a value that the schema does not allow, with its place."""
    for word, asked in schema.items():
        if word not in ANNOTATIONS:
            yield from _faults(value, word, asked, schema, root, at)


def _faults(value: Any, word: str, asked: Any, schema: Schema, root: Schema, at: str) -> Iterator[str]:
    fault = f"{at}: {value!r:.60} breaks {word} {asked!r:.60}"
    match word:
        case "$ref":
            yield from faults(value, root["$defs"][asked.removeprefix("#/$defs/")], root, at)
        case "anyOf":
            if all(any(faults(value, each, root, at)) for each in asked):
                yield fault
        case "enum":
            if value not in asked or isinstance(value, bool):
                yield fault
        case "type":
            if not isinstance(value, TYPES[asked]) or (isinstance(value, bool) and asked != "boolean"):
                yield fault
        case "pattern" | "minLength" | "maxLength":
            if isinstance(value, str) and not _is_text(value, word, asked):
                yield fault
        case "minimum" | "maximum":
            if type(value) is int and (value < asked if word == "minimum" else value > asked):
                yield fault
        case "required" | "properties" | "additionalProperties":
            if isinstance(value, dict):
                yield from _faults_of_map(value, word, asked, schema, root, at)
        case "items" | "prefixItems" | "minItems" | "maxItems":
            if isinstance(value, list):
                yield from _faults_of_list(value, word, asked, schema, root, at)
        case _:
            raise NotImplementedError(f"{at}: the word {word}")


def _is_text(value: str, word: str, asked: Any) -> bool:
    if word == "pattern":  # in JSON Schema a `$` is the end, never the place before a last line feed
        return re.search(asked.removesuffix("$") + (r"\Z" if asked.endswith("$") else ""), value) is not None
    return bool(len(value) >= asked if word == "minLength" else len(value) <= asked)


def _faults_of_map(
    value: dict[str, Any], word: str, asked: Any, schema: Schema, root: Schema, at: str
) -> Iterator[str]:
    if word == "required":
        yield from (f"{at}: {name} is missing" for name in asked if name not in value)
    elif word == "properties":
        for name, each in asked.items():
            if name in value:
                yield from faults(value[name], each, root, f"{at}.{name}")
    elif asked is not False:
        raise NotImplementedError(f"{at}: additionalProperties {asked!r}")
    else:
        yield from (f"{at}: there is no {name}" for name in value if name not in schema["properties"])


def _faults_of_list(value: list[Any], word: str, asked: Any, schema: Schema, root: Schema, at: str) -> Iterator[str]:
    first = len(schema.get("prefixItems", []))
    if word == "prefixItems":
        for number, (item, each) in enumerate(zip(value, asked, strict=False)):
            yield from faults(item, each, root, f"{at}[{number}]")
    elif word == "items":
        for number, item in enumerate(value[first:], start=first):
            if asked is False:
                yield f"{at}[{number}]: there is none"
            else:
                yield from faults(item, asked, root, f"{at}[{number}]")
    elif len(value) < asked if word == "minItems" else len(value) > asked:
        yield f"{at}: {len(value)} items break {word} {asked}"
