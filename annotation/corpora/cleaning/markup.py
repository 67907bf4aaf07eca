"""HTML in a text that was taken from a web page: tags, which are removed, and entities, which are decoded."""

from collections.abc import Iterator
from html import unescape

import regex

from annotation.corpora.cleaning.kinds import Kind, Spot

BREAKS = "br|p|div|li|ul|ol|tr|td|hr|pre|blockquote|center|h[1-6]"
INLINE = "a|abbr|b|big|cite|code|del|em|font|i|img|ins|mark|q|s|small|span|strike|strong|sub|sup|u"
OTHERS = "body|button|form|head|html|iframe|input|link|meta|script|style|svg|table|tbody|thead|th|title|video"
TAG = rf"</?(?:(?P<BREAK>{BREAKS})|{INLINE}|{OTHERS})(?:\s[^<>]*)?/?>"
ENTITY = r"&(?:[a-z]{2,8}[0-9]{0,2}|\#[0-9]{2,6}|\#x[0-9a-f]{2,5});"
MARKUP = regex.compile(rf"{TAG}|(?P<ENTITY>{ENTITY})", regex.IGNORECASE | regex.VERBOSE)


def find_markup(text: str) -> Iterator[Spot]:
    """Yield tags of HTML and entities; <sent> and placeholders such as <url> are none."""
    for match in MARKUP.finditer(text) if "<" in text or "&" in text else ():
        if match["ENTITY"]:
            meant = unescape(match[0]).replace("\xa0", " ")
            if meant != match[0]:
                yield Spot(Kind.MARKUP, match.start(), match[0], meant)
        else:
            between = match["BREAK"] and match.start() and match.end() < len(text)
            yield Spot(Kind.MARKUP, match.start(), match[0], " " if between else "")
