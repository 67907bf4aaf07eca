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
    Kind.ENCODING: Wording(_("Characters in the wrong encoding"), _("Repair")),
    Kind.INVISIBLE: Wording(_("Unnecessary invisible characters"), _("Remove")),
    Kind.DIRECTION: Wording(
        _("Writing direction marks"),
        _("Remove (text with mixed directions may need them to display correctly)"),
    ),
    Kind.MARKUP: Wording(_("HTML tags and entities"), _("Remove tags and decode entities")),
    Kind.URL: Wording(_("URLs"), _("Replace with <url>")),
    Kind.EMAIL: Wording(_("Email addresses"), _("Remove")),
    Kind.MENTION: Wording(_("Mentions such as @name"), _("Replace with @<username>")),
    Kind.ID: Wording(_("IDs and phone numbers"), _("Remove")),
    Kind.LOST: Wording(_("Unrecoverable characters"), _("Leave out the affected rows")),
    Kind.EMPTY: Wording(_("Empty texts"), _("Leave out the affected rows")),
    Kind.EXPLETIVE: Wording(_("Expletives (English only)"), _("Leave out the affected rows")),
    Kind.SAME_SIDES: Wording(_("Pairs of two identical texts"), _("Leave out")),
    Kind.REPEATED: Wording(_("Duplicates"), _("Keep the first, leave out the rest")),
    Kind.NEARLY_REPEATED: Wording(
        _("Near-duplicates: only case, punctuation or spaces differ"), _("Keep the first, leave out the rest")
    ),
    Kind.REPEATED_TEXT: Wording(_("Texts that also appear in other rows, with different texts")),
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
