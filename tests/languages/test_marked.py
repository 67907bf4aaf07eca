"""Nothing that a person reads stands in a template or in a refusal without being marked for translation."""

import ast
import re

import pytest
from django.template.base import Lexer, TokenType

from tests.languages.extracting import ROOT, python_files, template_files

pytestmark = pytest.mark.once
NAMES = {
    "Semblance",
    "API",
    "Prolific",
    "MTurk",
    "Mechanical",
    "Turk",
    "SHA-256",
    "N",
    "G",
    "C",
    "Ctrl",
    "Shift",
    "Enter",
}
NAMES |= {"Backspace", "Space", "CSV", "JSON", "PNG", "SVG", "PDF", "p", "pandas", "datasets"}
UNREAD = re.compile(r"<(code|pre|kbd|script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL)
READ_ATTRIBUTE = re.compile(r'\b(?:alt|aria-label|title|placeholder|aria-description)="([^"]*)"')
TAG = re.compile(r"<[^<>]*>", re.DOTALL)
WORD = re.compile(r"[^\W\d_][\w'’-]*")
ENTITY = re.compile(r"&\w+;")
QUOTED = re.compile(r'<article\b[^<>]*\blang="en".*?</article>', re.DOTALL)  # a report, in the language of papers
# Of programs, not of people; of the administration, which is in English; and inside of a report.
OUTSIDE = ("api/", "admin/", "projects/_report_table.html")
REFUSALS = {"Refusal", "WrongScreen", "TooEarly"}
IN_ENGLISH = (
    "annotation/domain/simulating.py",
    "annotation/domain/simulated.py",
    "annotation/domain/importing/finished.py",
    "annotation/domain/importing/judgments.py",
    "annotation/management",
    "scoring/management",
    "annotation/api",
    "scoring/api",
)


def unmarked_words(source: str) -> list[str]:
    """The words of a template outside of tags, attributes that nobody reads, code, and translated blocks."""
    kept, inside = [], False
    for token in Lexer(source).tokenize():
        name = token.contents.split(maxsplit=1)[0] if token.contents.strip() else ""
        if token.token_type == TokenType.BLOCK and name in ("blocktranslate", "comment"):
            inside = True
        elif token.token_type == TokenType.BLOCK and name in ("endblocktranslate", "endcomment"):
            inside = False
        elif token.token_type == TokenType.TEXT and not inside:
            kept.append(token.contents)
        else:
            kept.append("\0")  # a hole in the text, which may stand in the middle of an HTML tag
    page = UNREAD.sub(" ", QUOTED.sub(" ", "".join(kept)))
    read = " ".join(READ_ATTRIBUTE.findall(page)) + " " + TAG.sub(" ", page)
    return [word for word in WORD.findall(ENTITY.sub(" ", read)) if word not in NAMES]


@pytest.mark.parametrize("file", template_files(), ids=lambda file: str(file.relative_to(ROOT / "templates")))
def test_a_template_has_no_words_of_its_own(file):
    if str(file.relative_to(ROOT / "templates")).startswith(OUTSIDE):
        return

    assert unmarked_words(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<article class="report" lang="en"><h1>Results</h1></article><p>Hello</p>', ["Hello"]),
        ('<p>{% translate "Hello" %}</p>', []),
        ("{% blocktranslate %}Hello {{ name }}{% endblocktranslate %}", []),
        ('<img alt="A dog">', ["A", "dog"]),
        ('<img alt="{% translate "A dog" %}" class="big">', []),
        ('<a href="{{ url }}" title="Away">{{ name }}, {{ age }} years</a>', ["Away", "years"]),
        ("{# Hello #}{% comment %}Hello{% endcomment %}<code>hello</code> · <b>{{ one }}</b> &nbsp;", []),
    ],
)
def test_words_of_a_template(source, words):
    assert unmarked_words(source) == words


def test_every_refusal_is_marked():
    """A refusal's own literal would stay English in every language."""
    files = [file for file in python_files() if not str(file.relative_to(ROOT)).startswith(IN_ENGLISH)]
    literals = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS and node.args
        if isinstance(node.args[0], ast.Constant | ast.JoinedStr)
    ]

    assert literals == []
