"""What the texts and numbers of a match record may be: wide enough for every record that a server writes.

A record comes from anywhere, and what is in it ends on a terminal. So nothing in it can move the cursor, begin a line, turn
the direction of writing or hide; and no number is larger than every program can read.
"""

from typing import Annotated

from msgspec import Meta

LARGEST = 2**53 - 1
"""The largest whole number that JavaScript has, too."""

UNSEEN = (
    "\\x00-\\x1f\\x7f-\\xa0\\xad"
    "\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2"
    "\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000"
    "\\ud800-\\uf8ff\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff"
    "\\U000110bd\\U000110cd\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e007f\\U000f0000-\\U0010ffff"
)
"""The characters, for a regular expression, that cannot be printed in their line, and spaces other than the plain one.

Written out, as what is unprintable must not depend on the Unicode of this Python: a name that was written with a newer one
may have letters that this one does not know.
"""

Name = Annotated[str, Meta(pattern=f"^[^{UNSEEN}]{{1,24}}\\Z")]
"""The name of a player or of a program."""
Created = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00\Z".replace(r"\d", "[0-9]"))]
MatchCode = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,24}\Z")]
GameName = Annotated[str, Meta(pattern=r"^[a-z0-9+-]{1,60}\Z")]
VersionName = Annotated[str, Meta(pattern=r"^[0-9a-z.]{1,12}\Z")]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{0,64}\Z")]
Nonce = Annotated[str, Meta(pattern=r"^[0-9a-f]{0,32}\Z")]
CardName = Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{1,4}\Z")]
EntryText = Annotated[str, Meta(pattern=r"^[0-9a-z-]{1,12}\Z")]
Whole = Annotated[int, Meta(ge=0, le=LARGEST)]
Moment = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
