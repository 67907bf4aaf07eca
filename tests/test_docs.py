"""What README.md and docs/ point at is there."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.core.management import get_commands
from django.urls import Resolver404, resolve

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
PICTURES = ROOT / "docs" / "pictures"
LARGEST = 60_000  # bytes of a picture, as in script/picturing
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
OUTSIDE = re.compile(r"[a-z]+:")
API = "/api/v1/"  # what the addresses of the API begin with, no page itself
ADDRESS = re.compile(r"`(/[a-z][\w/.-]*/)`")
API_TABLE = re.compile(r"^\| below `projects/KEY/` \|.*?^$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """The headings as a forge writes them into addresses."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in HEADING.findall(prose(page))}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file_and_to_a_heading_in_it(page):
    for link in (one or other for one, other in LINK.findall(prose(page))):
        if OUTSIDE.match(link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def leads_somewhere(address: str) -> bool:
    filled = address.replace("KEY", "key").replace("/N/", "/1/").replace("NAME", "name")
    try:
        resolve(filled)
    except Resolver404:
        return False
    return True


def commands_of_the_readme() -> list[str]:
    table = prose(ROOT / "README.md").split("## Management commands")[1].split("\n## ")[0]
    return re.findall(r"^\| `([a-z_]+)", table, re.MULTILINE)


def test_every_management_command_of_the_readme_exists():
    named = commands_of_the_readme()
    assert {"serve", "demo", "release"} <= set(named)
    assert set(named) <= set(get_commands())


def test_every_address_of_the_api_in_the_readme_exists():
    table = API_TABLE.search((ROOT / "README.md").read_text(encoding="utf-8")).group()
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    spans = [span for cell in cells for span in re.findall(r"`([^`]+)`", cell)]
    below = [span for span in spans if not span.startswith(".")]  # .png and .csv stand for further endings
    assert "judgments/" in below
    assert [path for path in below if not leads_somewhere(f"{API}projects/KEY/{path}")] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_page_that_is_named_exists(page):
    named = set(ADDRESS.findall(prose(page))) - {API}
    assert [address for address in named if not leads_somewhere(address)] == []


def test_pictures_are_shown_small_and_described():
    shown = re.findall(r"<img ([^>]*)>", (ROOT / "README.md").read_text(encoding="utf-8"))
    named = {re.search(r'src="docs/pictures/([^"]+)"', one).group(1) for one in shown}
    described = [pair for page in PAGES for pair in re.findall(r"!\[([^]]*)\]\(pictures/([^)]+)\)", prose(page))]
    assert named | {name for _alt, name in described} == {path.name for path in PICTURES.iterdir()}
    assert all(re.search(r'alt="[^"]{20,}"', one) for one in shown)
    assert all(len(alt) >= 20 for alt, _name in described)
    for path in PICTURES.iterdir():
        content = path.read_bytes()
        assert (content[:4], content[8:12]) == (b"RIFF", b"WEBP")
        assert len(content) <= LARGEST, path.name
