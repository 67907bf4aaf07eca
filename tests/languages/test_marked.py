"""Nothing that a person reads stands in a template or in a refusal without being marked for translation."""

import ast
import re
from collections.abc import Iterator

import pytest
from django.template.base import Lexer, TokenType

from tests.languages.extracting import PLURAL, ROOT, SINGULAR, python_files, template_files

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
# Blocks that are filled with classes and attributes, inside of a tag.
IN_TAGS = [["block", name] for name in ("kind", "attributes", "sending", "answers")]
# Of programs, not of people; and inside of a report.
OUTSIDE = ("api/", "projects/_report_table.html")
IN_LANGUAGES = (
    "annotation/protocols",
    "annotation/planning",
    "annotation/corpora",
    "annotation/permissions.py",
    "annotation/domain",
    "annotation/forms",
    "annotation/presets",
    "annotation/views",
    "scoring/domain",
    "scoring/forms",
    "scoring/views",
    "scoring/forecasting",
    "scoring/stats/splitting.py",
    "scoring/exports/splits.py",
)
# Of commands, and of what is published: all of it is in English.
IN_ENGLISH = (
    "annotation/domain/simulation",
    "annotation/domain/material/answers.py",
    "scoring/domain/machines/prompts.py",
    "annotation/domain/material/choices.py",
    "annotation/domain/material/finished.py",
    "annotation/domain/material/judgments.py",
    "annotation/domain/material/ratings.py",
    "annotation/domain/material/selections.py",
    "annotation/domain/material/tuples.py",
    "annotation/domain/project/samples.py",
    "annotation/forms/administration.py",
    "scoring/domain/releases/citation.py",
)
# Stored with a row, in whatever language its reader has.
STORED = {
    "No reason given.",
    "Reason not kept.",
    "Most answers are the opposite of those of all other annotators.",  # of the demo
    "Did not agree to take part.",
    "You did not consent to take part.",  # for Prolific, whose pages are in English
    "The worker stopped responding in every attempt.",
    "The stored snapshot is not the one used by this scoring run.",
    "Got {}; {} required.",
    "The server responded with status {}.",
    "{} of {} answers contradict the known labels; the limit is {}.",
}
MARKS = SINGULAR | PLURAL
TAKES_TEXTS = {"Problem", "ValidationError", "add", "add_error", "success", "info", "warning", "error"}
INTERNAL = {"ValueError", "OSError", "AssertionError"}
SENTENCE = re.compile(r"[“\"{A-Z].* .*[.!?]", re.DOTALL)


def unmarked_words(source: str) -> list[str]:
    """The words of a template outside of tags, attributes that nobody reads, code, and translated blocks."""
    kept, inside = [], False
    for token in Lexer(source).tokenize():
        name, *of = token.contents.split() or [""]
        if token.token_type == TokenType.BLOCK and (name in ("blocktranslate", "comment") or [name, *of] in IN_TAGS):
            inside = True
        elif token.token_type == TokenType.BLOCK and name in ("endblocktranslate", "endcomment", "endblock"):
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
        ("{% block kind %}narrow{% endblock %}{% block content %}Hello{% endblock %}", ["Hello"]),
        ('<img alt="{% translate "A dog" %}" class="big">', []),
        ('<a href="{{ url }}" title="Away">{{ name }}, {{ age }} years</a>', ["Away", "years"]),
        ("{# Hello #}{% comment %}Hello{% endcomment %}<code>hello</code> · <b>{{ one }}</b> &nbsp;", []),
    ],
)
def test_words_of_a_template(source, words):
    assert unmarked_words(source) == words


def refusals(trees: list[ast.Module]) -> set[str]:
    """The names of all exceptions that are a refusal."""
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {"Refusal"}
    while more := {name for name, own in bases.items() if own & found} - found:
        found |= more
    return found


def unmarked_texts(tree: ast.Module, takes_texts: set[str]) -> list[tuple[int, str]]:
    """The lines and texts of sentences, and of whatever is given to who shows it, outside of a mark."""
    return [(node.lineno, text) for node, text in _texts(tree, False, takes_texts)]


def _texts(node: ast.AST, given: bool, takes_texts: set[str]) -> Iterator[tuple[ast.AST, str]]:
    """Parameters: given, whether the node is an argument of something that takes texts for people."""
    if isinstance(node, ast.Expr | ast.Assert) and not isinstance(getattr(node, "value", None), ast.Call | ast.Yield):
        return  # a docstring, or what no person reads
    if isinstance(node, ast.keyword) and node.arg == "question":
        return  # of a protocol, in the words of its paper
    text = _text(node)
    if text is not None:
        if SENTENCE.fullmatch(text.strip()) or (given and " " in text and WORD.search(text)):
            yield node, text
        return
    name = _name(node)
    if name in MARKS and not any(isinstance(one, ast.JoinedStr) for one in node.args):
        return
    if name in INTERNAL or (isinstance(node, ast.Call) and ast.unparse(node.func).startswith("logger.")):
        return
    for child in ast.iter_child_nodes(node):
        argument = isinstance(node, ast.Call) and child in node.args
        yield from _texts(child, argument and name in takes_texts, takes_texts)


def _text(node: ast.AST) -> str | None:
    """A text with a pair of braces for each value in it; None for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)
    return None


def _name(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def test_every_text_of_the_code_is_marked():
    """A literal sentence would stay English in every language, in a refusal as in a variable that leads to one."""
    files = [str(file.relative_to(ROOT)) for file in python_files()]
    trees = {file: ast.parse((ROOT / file).read_text(encoding="utf-8")) for file in files}
    takes_texts = TAKES_TEXTS | refusals(list(trees.values()))
    unmarked = [
        f"{file}:{line}: {text}"
        for file, tree in trees.items()
        if file.startswith(IN_LANGUAGES) and not file.startswith(IN_ENGLISH)
        for line, text in unmarked_texts(tree, takes_texts)
        if text not in STORED
    ]

    assert unmarked == []


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('raise Refusal("not so")', ["not so"]),
        ('raise Refusal(_("Not so."))', []),
        ('raise Refusal(_("Not so, %(name)s.") % {"name": name})', []),
        ('raise Refusal(_(f"Not so, {name}."))', ["Not so, {}."]),
        ('raise ProtocolError("Not so, %(name)s.", name=name)', []),
        ('raise ProtocolError(f"Not so, {name}.")', ["Not so, {}."]),
        ('require(size > 1, "A tuple has two items.")', []),
        ('require(size > 1, f"A tuple has two items, not {size}.")', ["A tuple has two items, not {}."]),
        ('problems.add(line, "value", "not a number")', ["not a number"]),
        ('form.add_error(None, "Not so.")', ["Not so."]),
        ('def why_not():\n    """A docstring is read by nobody."""\n    return "It is too late."', ["It is too late."]),
        ('WHY = "It is too late."\nraise Refusal(WHY)', ["It is too late."]),
        ('logger.info("It is %s.", late)', []),
        ('names = ["sentence one", "Two"]', []),
    ],
)
def test_unmarked_texts_of_code(source, texts):
    found = unmarked_texts(ast.parse(source), TAKES_TEXTS | {"Refusal"})

    assert [text for _, text in found] == texts
