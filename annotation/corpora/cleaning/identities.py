"""Parts of a text that identify a person: addresses, mentions and ids (SemRel2024 3.3).

One pattern finds all, so that a mention inside an address is no finding of its own. The patterns are conservative:
years, dates, prices and grouped or decimal numbers are no ids, and `example.com` without a path is a name.
"""

from collections.abc import Iterator

import regex

from annotation.corpora.cleaning.kinds import Kind, Spot

END = r"""[^\s<>"'.,;:!?)\]}»”’…،؛؟۔።፣।]"""  # an address does not end in a sentence's punctuation
URL = rf"""
    (?: \b(?:https?|ftp)://  |  \bwww\.  |
        (?<![\w@.-])(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|io|co|me|ly|be|gl|gg|tv|[a-z]{{2}}\.[a-z]{{2}})/ )
    [^\s<>"]*{END}
"""
EMAIL = r"(?<![\w.%+-])[\w%+][\w.%+-]*@(?:[\w-]+\.)+\p{L}[\p{L}\p{M}]+"
MENTION = r"""
    (?<![\w@＠./])[@＠](?=[\p{Nd}_]*\p{L})\w+(?:[.-](?-i:[\p{Ll}\p{Lo}\p{Nd}_])\w*)*
    (?:@[\w-]+(?:\.[\w-]+)+)?                                           # on servers of their own: @name@server
"""
ID = r"""
    \b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b                     # universally unique
  | \b(?=[a-f]*\p{Nd})(?=\p{Nd}*[a-f])[0-9a-f]{24,}\b                   # of a data base
  | (?<![\w+])(?:\+|00)[1-9](?:[ ()./-]{0,2}\p{Nd}){7,14}(?!\p{Nd})     # a telephone, with its country
  | (?<![\w+])(?:\(\p{Nd}{3}\)[ ]?|\p{Nd}{3}[ .-])\p{Nd}{3}[ .-]\p{Nd}{4}(?![\p{Nd}.-])
  | \b(?:(?:user|member|account)[ _-]?)?id[ ]?[:=#_][ ]?\p{Nd}{4,}\b        # said to be one
  | \buser[_#:-]?\p{Nd}{4,}\b
  | (?<![\w/])/?u/[\w-]{3,}                                             # a name on Reddit
  | (?<![\p{L}\p{Nd}\p{Sc}]|\p{Nd}[.,])\p{Nd}{9,}(?![\p{L}\p{Nd}]|[.,]\p{Nd}|[ ]?\p{Sc})
"""
NAMING = regex.compile(
    rf"(?P<URL>{URL})|(?P<EMAIL>{EMAIL})|(?P<MENTION>{MENTION})|(?P<ID>{ID})", regex.VERBOSE | regex.IGNORECASE
)
BECOMES = {Kind.URL: "<url>", Kind.EMAIL: "", Kind.MENTION: "@<username>", Kind.ID: ""}


def find_identities(text: str) -> Iterator[Spot]:
    """Yield addresses, mentions and ids; e-mail addresses and ids are removed, the others become a placeholder."""
    for match in NAMING.finditer(text):
        kind = Kind[match.lastgroup]
        yield Spot(kind, match.start(), match[0], BECOMES[kind])
