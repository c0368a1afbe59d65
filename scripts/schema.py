"""Write the JSON Schema of the wire into docs/: what a client sends, and what the server sends, as the Structs have it.

usage: python scripts/schema.py

What the fields mean stands in docs/protocol.md, and in what a schema cannot say the page is stricter: a whole number
written as 1.0 is one for a schema and none on the wire.
"""

import json
import re
import sys
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import msgspec

from protocol.codec import MSGPACK
from protocol.messages import CLIENT_MESSAGES, AnyServerMessage

DOCS = Path(__file__).parents[1] / "docs"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, str]:
    """The texts of the files, by their names."""
    sent = {
        "client": ("what a client sends", reduce(or_, CLIENT_MESSAGES.values())),
        "server": ("what the server sends", AnyServerMessage),
    }
    return {
        f"{MSGPACK.subprotocol}.{side}.json": _text(f"{MSGPACK.subprotocol}: {what}", kinds)
        for side, (what, kinds) in sent.items()
    }


def _text(title: str, kinds: Any) -> str:
    (schema,), parts = msgspec.json.schema_components([kinds], ref_template="#/$defs/{name}")
    head = {"$schema": DIALECT, "title": title, "description": "See protocol.md. Made by `make schema`; do not edit."}
    whole = head | _without_python(schema | {"$defs": {name: _bare(part) for name, part in sorted(parts.items())}})
    return json.dumps(whole, indent=1) + "\n"


def _bare(part: dict[str, Any]) -> dict[str, Any]:
    """A part without its Struct's docstring, which is for those who read the code."""
    return {keyword: value for keyword, value in part.items() if keyword != "description"}


def _without_python(part: Any) -> Any:
    """A part with its patterns as any language reads them: they end with `$`, and characters stand as themselves."""
    if isinstance(part, list):
        return [_without_python(each) for each in part]
    if not isinstance(part, dict):
        return part
    plain = {keyword: _without_python(value) for keyword, value in part.items()}
    if isinstance(pattern := plain.get("pattern"), str):
        spelled = re.sub(r"\\U([0-9a-f]{8})", lambda code: chr(int(code[1], 16)), pattern)
        plain["pattern"] = re.sub(r"\\Z$", "$", spelled)
    return plain


def main() -> int:
    for name, text in schemas().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"schema: docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
