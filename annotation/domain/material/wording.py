"""The kinds of finding in words, for pages and commands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.corpora.cleaning import Kind


@dataclass(frozen=True)
class Wording:
    """What was found, and what agreeing to it does; nothing is done about a kind without `consent`."""

    found: str
    consent: str = ""


WORDS = {
    Kind.ENCODING: Wording(_("Characters read in the wrong encoding"), _("Repair them")),
    Kind.INVISIBLE: Wording(_("Invisible characters that no script needs there"), _("Remove them")),
    Kind.DIRECTION: Wording(
        _("Marks of writing direction"),
        _("Remove them (text that mixes directions may need them to be shown in order)"),
    ),
    Kind.MARKUP: Wording(_("HTML tags and entities"), _("Remove the tags, decode the entities")),
    Kind.URL: Wording(_("Web addresses"), _("Replace each by <url>")),
    Kind.EMAIL: Wording(_("E-mail addresses"), _("Remove them")),
    Kind.MENTION: Wording(_("Mentions of people, such as @name"), _("Replace each by @<username>")),
    Kind.ID: Wording(_("Ids and telephone numbers"), _("Remove them")),
    Kind.LOST: Wording(_("Characters that are lost for good"), _("Leave out what holds them")),
    Kind.EMPTY: Wording(_("Empty texts"), _("Leave out what holds them")),
    Kind.EXPLETIVE: Wording(_("Expletives (looked for in English only)"), _("Leave out what holds them")),
    Kind.SAME_SIDES: Wording(_("Pairs of the same text twice"), _("Leave them out")),
    Kind.REPEATED: Wording(_("Duplicates: the same texts stand there before"), _("Leave out the later ones")),
    Kind.NEARLY_REPEATED: Wording(
        _("Near-duplicates: the same but for case, punctuation or spaces"), _("Leave out the later ones")
    ),
    Kind.REPEATED_TEXT: Wording(_("Single texts that stand elsewhere too, beside other texts")),
}


@dataclass(frozen=True)
class FoundKind:
    """A kind of finding in words, with its numbers and examples."""

    kind: Kind
    wording: Wording
    count: int
    rows: int
    examples: list[dict[str, Any]]


def found_kinds(findings: Mapping[str, Any]) -> list[FoundKind]:
    """Return the kinds that were found, of findings as they are stored."""
    kinds = ((Kind(stored["kind"]), stored) for stored in findings["kinds"])
    return [FoundKind(kind, WORDS[kind], *(row[name] for name in ("count", "rows", "examples"))) for kind, row in kinds]
