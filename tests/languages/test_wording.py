"""The English that people read: the field's usual words, and sentence case for headings, buttons and labels."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

from tests.languages.extracting import PLURAL, ROOT, SINGULAR, in_nodes, in_template, python_files, template_files

BETTER = {
    # Found by outsiders in earlier versions: what was said, and what a native speaker says.
    r"asked for": "required, requested",
    r"stands? there|stood there|st(an|oo)ds? around": "is already used; surrounding",
    r"at the (most|least)": "at most, at least, maximum, minimum",
    r"wants? a look|needs? a look": "needs review",
    r"(?<!try )once more": "again",
    r"beside": "next to, compared with, with",
    r"h[eo]ld (\w+ )*against": "evaluate, compare with",
    r"as (it|they|he|she) stands?": "unchanged",
    r"(go|goes|going|went) on": "continue, next",
    r"(are|is) in the middle of": "in progress",
    r"e-mails?": "email",
    r"mend(s|ed|ing)?": "fix",
    r"(bring|brings|bringing|brought) (\w+ )?in": "import",
    r"(has|have|had|came|come|comes) in (yet|with)": "imported",
    r"(take|takes|taken|taking|took) (\w+ )?back( in)?": "reinstate, undo, clear",
    r"take (\w+ )?out": "remove",
    r"step in": "actions",
    r"anew|all over": "again, new",
    r"for ever": "permanently",
    r"where chance begins|greatest seed": "random seed",
    r"middle half": "interquartile range",
    r"how it goes|how far .{1,20} ha(s|ve) come": "progress",
    r"no JSON|no CSV|(?<!there )(is|are) no (number|list|item|member|text)": "is not valid JSON, is not a number",
    r"beyond all measure": "too large",
    r"run out|ran out": "expired",
    r"just now": "right now",
    r"throw (it|them) away": "discard",
    r"reckoned": "based on, estimated",
    r"told": "shown, notified",
    r"whatever it is": "all",
    r"one (a|on each) line": "one per line",
    r"(answers|pairs|items|tuples|ratings|incidents|judgments|seconds) an? (person|tuple|pair|item|rating)": "per",
    r"e\.g\.|i\.e\.": "for example, that is",
    r"log(ged|s)? ?in|logins?": "sign in, sign-in, account",
    r"(?-i:(the|an|this|that|its|their|The|An|outside) ids?)": "ID",
    r"internet address(es)?": "IP address",
    r"second step of signing in|two-step sign-in": "two-factor authentication",
    r"people (of|in) (the|a|this) round|who takes? part": "annotators",
    r"refills?": "replacement",
    r"pulses?": "statistics",
    r"(made|given|gives?) (it |them )?on\b(?! \w+ (scale|line|page|screen))": "reassign, replace",
    r"make (\w+ )*void": "revoke",
    r"opens? nothing": "is revoked, gives no access",
    r"by (itself|themselves)": "automatically, on its own",
    r"lean on": "be influenced by",
    r"not for you|nothing for you": "no access",
    r"quite all right": "fine",
    r"put (it|this) into": "add to",
    r"a place of (your|their) own|links? of (your|their) own": "personal link",
    r"take (a|my|your|the) place": "join",
    r"of their own accord|of your own accord": "voluntarily",
    r"(is|are|was|were|been) noted": "recorded",
    r"(knows?|has|have|finds?|keeps?|asks? for) no (such|\w+s)\b(?=[^.]*\bhere\b)": "there is no … here",
    r"is there\b(?=[.:] )": "has been created",
    r"(gone|begun|erased|answered|withdrawn|excluded) already": "already …",
    r"look (it |them )?through": "check",
    r"(say|says|said) again in other words": "both say the same in other words",
    r"how far the scale reaches": "the full range of the scale",
    r"to be right\b": "must be right",
    r"so many (people|times|at)": "maximum number of …",
    r"is marked as needed": "required",
    r"since it was made": "since creation",
    r"in nothing": "You have no …",
    r"name nobody": "do not include names",
    r"broke off|left off where": "stopped",
    r"i looked": "mark as reviewed",
    r"whoever": "anyone who, the person who",
    r"goes? on working": "continue to work",
    r"costs more than it": "slow, expensive",
}
WORDS = {rf"(?<![\w-])(?:{pattern})(?![\w-])": better for pattern, better in BETTER.items()}
WORDS[r"(?:^|(?<=[.!?] ))Who (?!are\b|is\b)[^?.!]*[.!]"] = "name the person first: “Annotators who …”"
BANNED = [(re.compile(pattern, re.IGNORECASE), better) for pattern, better in WORDS.items()]
ANY = re.compile("|".join(WORDS), re.IGNORECASE)
AROUND = 50  # characters that a failure shows on either side

READ_KEYWORDS = {"help", "help_text", "description", "epilog"}
MAY_HAVE_TEXTS = re.compile("|".join([*SINGULAR - {"_"}, *PLURAL, r"\b_\(", *READ_KEYWORDS]))
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->|^---\n.*?^---", re.DOTALL | re.MULTILINE)
PLACES = re.compile(r"%\(\w+\)s|\{\w*\}|<[^<>]*>")
KEY = re.compile(r"[a-z_-]+")
OF_ACCOUNTS = ROOT / "annotation" / "account_texts" / "en" / "LC_MESSAGES" / "django.po"
REPORTS = ROOT / "scoring" / "exports" / "report"

HEADING = re.compile(r'<(h[1-6]|button|label|th|dt|legend|summary)\b[^<>]*>\s*{% translate "([^"]*)" %}\s*</')
LABEL = re.compile(r'\blabel=_\("([^"]*)"')
INNER_CAPITAL = re.compile(r"(?<=[\w,’)] )([A-Z][a-z’]+)\b")
NAMES = set(
    "Semblance BibTeX Prolific Mechanical Turk Markdown Excel Python Jupyter Git Hugging Face Creative Commons Unicode "
    "Czech News English German Spanish Arabic Amharic Telugu Europe Prague Control Enter Shift Ctrl I "
    "Pearson’s Spearman’s Kendall’s Krippendorff’s Meng’s Fisher’s Student’s Welch’s".split()
)


def all_texts() -> Iterator[tuple[Path, str]]:
    """Yield every English text that people read, with its file."""
    for file in python_files():
        if file.parent.name != "migrations":
            yield from ((file, text) for text in of_python(file))
    for file in template_files():
        yield from ((file, text) for pair in in_template(read(file)) for text in pair)
    for file in markdown_files():
        yield file, CODE.sub(" ", read(file))
    yield from ((OF_ACCOUNTS, entry.msgstr) for entry in polib.pofile(OF_ACCOUNTS))


def of_python(file: Path) -> Iterator[str]:
    """Yield what a module marks for translation, its help texts, and of a report every text but docstrings."""
    source, of_report = read(file), REPORTS in file.parents
    if not (of_report or MAY_HAVE_TEXTS.search(source)):
        return
    nodes = list(ast.walk(ast.parse(source)))
    yield from (text for pair in in_nodes(nodes) for text in pair)
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg in READ_KEYWORDS and isinstance(node.value, ast.Constant):
            yield str(node.value.value or "")
    if of_report:
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                yield "" if KEY.fullmatch(node.value) else node.value


def markdown_files() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "annotation").rglob("*.md"))]


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def unusual(text: str) -> list[str]:
    """Return the unusual phrases of a text, each with the words around it and what to write instead."""
    plain = " ".join(PLACES.sub("…", text).split())
    if not ANY.search(plain):
        return []
    found = [(match, better) for pattern, better in BANNED for match in pattern.finditer(plain)]
    return [f"{shown(plain, match)}  →  {better}" for match, better in found]


def shown(text: str, match: re.Match[str]) -> str:
    start, end = match.span()
    return f"{text[max(start - AROUND, 0) : start]}«{match[0]}»{text[end : end + AROUND]}"


def test_every_text_uses_the_usual_words():
    """Rewrite the whole sentence where one of its phrases is named here; a swapped word seldom makes it good."""
    found = [f"{file.relative_to(ROOT)}: {phrase}" for file, text in all_texts() for phrase in unusual(text)]

    assert not found, "\n".join(["", *found])


def test_headings_buttons_and_labels_are_in_sentence_case():
    headings = [(file, *found) for file in template_files() for found in HEADING.findall(read(file))]
    labels = [(file, "label", text) for file in python_files() for text in LABEL.findall(read(file))]
    accounts = [(OF_ACCOUNTS, "label", entry.msgstr) for entry in polib.pofile(OF_ACCOUNTS)]
    found = [
        f"{file.relative_to(ROOT)}: <{tag}> {text}  →  {fault}"
        for file, tag, text in headings + labels + accounts
        for fault in faults(tag, text)
    ]

    assert not found, "\n".join(["", *found])


def faults(tag: str, text: str) -> list[str]:
    """Return what is wrong with a heading, button or label."""
    capitals = [word for word in INNER_CAPITAL.findall(PLACES.sub("…", text)) if word not in NAMES]
    found = [f"capital: {word}" for word in capitals]
    if text.endswith(".") and tag != "label":  # a checkbox may have a whole sentence
        found.append("ends with a full stop")
    if text[:1].islower():
        found.append("begins with a small letter")
    return found


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Go on", ["Go on"]),
        ("Held against 3 others.", ["Held against"]),
        ("You can try once more.", []),
        ("Sent once more.", ["once more"]),
        ("Who contradicted the labels was excluded.", ["Who contradicted the labels was excluded."]),
        ("Who is asking?", []),
        ("Send an e-mail to the outside id.", ["e-mail", "outside id"]),
        ("Next, email, imported: a cargo on the besieged login_page.", []),
    ],
)
def test_unusual_phrases_of_a_text(text, phrases):
    assert [each.partition("«")[2].partition("»")[0] for each in unusual(text)] == phrases


@pytest.mark.parametrize(
    ("tag", "text", "found"),
    [
        ("h2", "Add to calendar", []),
        ("button", "Back to Prolific", []),
        ("h1", "Add To Calendar", ["capital: To", "capital: Calendar"]),
        ("th", "mean", ["begins with a small letter"]),
        ("dt", "Mean.", ["ends with a full stop"]),
        ("h2", "Finished. Thank you!", []),
    ],
)
def test_faults_of_headings(tag, text, found):
    assert faults(tag, text) == found
