"""Texts of invitations and reminders: a project's own where it has some, else those of Semblance in each language.

A text has placeholders such as {link}. They are replaced by values, never evaluated.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.audit.log import write_down
from annotation.domain.errors import Refusal
from annotation.models import MailTemplate, Project, User
from annotation.models.audit_actions import Action

Kind = MailTemplate.Kind
LONGEST = 5000
PLACEHOLDER = re.compile(r"\{(\w*)\}")
NAMES = {
    "name": gettext_lazy("the person’s name, if known"),
    "project": gettext_lazy("the project’s title"),
    "round": gettext_lazy("the round’s title"),
    "link": gettext_lazy("the person’s own link; required"),
}
FILES = {Kind.INVITATION: "personal_invitation", Kind.PLACE: "place_free", Kind.REMINDER: "stopped"}
SUBJECTS = {
    Kind.INVITATION: gettext_lazy("{project}: an invitation"),
    Kind.PLACE: gettext_lazy("{project}: a place is free"),
    Kind.REMINDER: gettext_lazy("{project}: continue where you stopped"),
}


@dataclass(frozen=True)
class Text:
    subject: str
    body: str


def text_of(project: Project, kind: str) -> Text:
    """Return the text of a project, with its placeholders."""
    own = MailTemplate.objects.filter(project=project, kind=kind).first()
    return Text(own.subject, own.body) if own else default_text(kind)


def default_text(kind: str) -> Text:
    """Return the text of Semblance in the present language, with its placeholders."""
    body = render_to_string(f"email/{FILES[Kind(kind)]}.txt", {"link": "{link}"})
    return Text(str(SUBJECTS[Kind(kind)]), body.strip() + "\n")


def filled(text: Text, values: Mapping[str, str]) -> Text:
    """Return a text with values for its placeholders; without a name, the space before it goes too."""
    return Text(" ".join(_fill(text.subject, values).split()), _fill(text.body, values))


def _fill(text: str, values: Mapping[str, str]) -> str:
    if not values.get("name"):
        text = re.sub(r"[ ]?\{name\}", "", text)
    return PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def check(text: Text) -> None:
    """Raise Refusal for a text without subject or link, with an unknown placeholder, or too long."""
    if not text.subject.strip():
        raise Refusal(_("Enter a subject."))
    if len(text.body) > LONGEST:
        raise Refusal(_("The text has more than %(most)s characters. Shorten it.") % {"most": LONGEST})
    unknown = {name for part in (text.subject, text.body) for name in PLACEHOLDER.findall(part)} - NAMES.keys()
    if unknown:
        names = ", ".join(f"{{{name}}}" for name in sorted(unknown))
        raise Refusal(_("Unknown placeholder: %(names)s. Use one of those listed below.") % {"names": names})
    if "{link}" not in text.body:
        raise Refusal(_("Add {link}: without it, people have no way in."))


@transaction.atomic
def save_template(*, project: Project, kind: str, text: Text, actor: User, now: datetime) -> MailTemplate:
    """Store a project's own text. Raise Refusal as in `check`."""
    check(text)
    values = {"subject": " ".join(text.subject.split()), "body": text.body.strip() + "\n"}
    template, _new = MailTemplate.objects.update_or_create(project=project, kind=Kind(kind), defaults=values)
    write_down(Action.MAIL_TEMPLATE_CHANGED, project, actor=actor, now=now, kind=kind)
    return template


@transaction.atomic
def restore_default(*, project: Project, kind: str, actor: User, now: datetime) -> None:
    """Delete a project's own text; a second time changes nothing."""
    if MailTemplate.objects.filter(project=project, kind=Kind(kind)).delete()[0]:
        write_down(Action.MAIL_TEMPLATE_CHANGED, project, actor=actor, now=now, kind=kind)
