"""The pages of docs/ as the application shows them: HTML with anchors, a table of contents and links between pages."""

import re
from collections.abc import Set
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nh3
from django.templatetags.static import static
from markdown_it.token import Token

from annotation.texts import MARKDOWN

FOLDER = Path(__file__).resolve().parents[1] / "docs"
DECISIONS = "decisions/"
PICTURES = "pictures/"
OUTSIDE = re.compile(r"[a-z]+:|#|/")  # what an address begins with that is not a file of docs/
ALLOWED = deepcopy(nh3.ALLOWED_ATTRIBUTES)
for tag, names in {
    **{f"h{level}": {"id"} for level in range(2, 7)},
    "div": {"class", "tabindex", "role", "aria-label"},
    "img": {"loading"},
}.items():
    ALLOWED[tag] = ALLOWED.get(tag, set()) | names


@dataclass(frozen=True)
class Heading:
    """A heading with its anchor, as forges form anchors."""

    level: int
    title: str
    anchor: str


@dataclass(frozen=True)
class Page:
    """A page of the documentation; `name` is its path in docs/ without the ending."""

    name: str
    title: str
    headings: tuple[Heading, ...]
    html: str

    @property
    def contents(self) -> list[Heading]:
        """Return the headings for the table of contents."""
        return [heading for heading in self.headings if heading.level <= 3]

    @property
    def anchors(self) -> set[str]:
        return {heading.anchor for heading in self.headings}


def page_names() -> list[str]:
    """Return the names of all pages: first those of docs/, then the decisions."""
    paths = [*sorted(FOLDER.glob("*.md")), *sorted((FOLDER / DECISIONS).glob("*.md"))]
    return [path.relative_to(FOLDER).with_suffix("").as_posix() for path in paths]


def title_of(name: str) -> str:
    """Return the title of a page, which is its first line."""
    with (FOLDER / f"{name}.md").open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()


def page(name: str) -> Page | None:
    """Return a page, from memory unless its file has changed; None if there is no such page."""
    if name not in page_names():
        return None
    path = FOLDER / f"{name}.md"
    return _page(name, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)  # more than there are pages
def _page(name: str, _changed: int) -> Page:
    tokens = MARKDOWN.parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    body = tokens[3:]  # without the opening, text and end of the title
    headings = tuple(_anchored(body))
    names = set(page_names())
    for token in body:
        _linked(token.children or [], names)
    html = MARKDOWN.renderer.render(_scrolling(body), MARKDOWN.options, {})
    clean = nh3.clean(html, attributes=ALLOWED, link_rel=None).replace("<pre>", '<pre tabindex="0">')
    return Page(name, title_of(name), headings, clean)


def _anchored(tokens: list[Token]) -> list[Heading]:
    """Give every heading an ID, and return the headings."""
    found: list[Heading] = []
    for place, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        text = tokens[place + 1]
        title = "".join(part.content for part in text.children or ())
        anchor = re.sub(r"[^\w\- ]", "", text.content.lower()).strip().replace(" ", "-")
        earlier = sum(heading.anchor == anchor for heading in found)
        anchor = f"{anchor}-{earlier}" if earlier else anchor
        token.attrSet("id", anchor)
        found.append(Heading(int(token.tag[1]), title, anchor))
    return found


def _linked(parts: list[Token], names: Set[str]) -> None:
    """Change the addresses of pictures, and of links between files of docs/; a link to any other file is only text.

    A link that shows the name of a file shows the title of its page instead.

    Parameters: names, of all pages.
    """
    outside = False
    for part in parts:
        if part.type == "text" and part.content.endswith(".md") and part.content[:-3] in names:
            part.content = title_of(part.content[:-3])
        if part.type == "image":
            part.attrSet("src", static("help/" + str(part.attrGet("src")).removeprefix(PICTURES)))
            part.attrSet("loading", "lazy")
        if part.type == "link_open":
            address = _address(str(part.attrGet("href")), names)
            outside = address is None
            part.attrs = {} if address is None else {"href": address}
        if outside and part.type in ("link_open", "link_close"):
            part.tag = "span"


def _address(link: str, names: Set[str]) -> str | None:
    """Return the address of a link; None if it leads to a file that is not a page.

    A page is a level deeper than its file: docs/flags.md is /help/flags/.
    """
    if OUTSIDE.match(link):
        return link
    file, hash_sign, anchor = link.partition("#")
    name = file.removesuffix(".md")
    known = {name, name.removeprefix("../"), DECISIONS + name} & names
    return f"../{name}/{hash_sign}{anchor}" if known else None


def _scrolling(tokens: list[Token]) -> list[Token]:
    """Return the tokens with every table in a box that scrolls, also by keyboard."""
    result: list[Token] = []
    title = ""
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            title = "".join(part.content for part in tokens[place + 1].children or ())
        if token.type == "table_open":
            box = {"class": "scroll", "tabindex": "0", "role": "group", "aria-label": title or "Table"}
            result.append(Token("box_open", "div", 1, attrs=box, block=True))
        result.append(token)
        if token.type == "table_close":
            result.append(Token("box_close", "div", -1, block=True))
    return result
