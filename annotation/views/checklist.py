"""The steps before a project can be launched, and the progress of each."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.project.lifecycle import has_texts
from annotation.models import Project
from annotation.models.audit_actions import Action
from annotation.protocols.terms import Material
from annotation.queries.projects import done_plans


@dataclass(frozen=True)
class Step:
    """One step: its title, page and progress, and whether the launch needs it."""

    title: str
    detail: str
    url: str
    done: bool
    needed: bool = False

    @property
    def missing(self) -> bool:
        return self.needed and not self.done


def steps_of(project: Project) -> Iterator[Step]:
    rehearsed = project.audit_entries.filter(action=Action.PROJECT_REHEARSED).exists()
    yield _link(project, _("Title, language and authors"), _language(project), "project-basics", done=True)
    yield _link(project, _("Numbers and labels"), project.protocol.title, "project-numbers", done=True)
    yield _link(project, _("Texts"), _texts(project), "project-import", done=has_texts(project), needed=True)
    yield _page(project, "guidelines", _("Guidelines"))
    yield _page(project, "consent", _("Consent"))
    yield _questions(project)
    if project.protocol.compares:
        yield _practice(project)
    if project.protocol.material == Material.PAIRS:
        yield _labels(project)
    detail = _("See every screen as annotators do. Nothing is stored.")
    yield _link(project, _("Preview"), detail, "project-preview", done=False)
    detail = _("Simulated annotators work through a copy, so that you can see the results in advance.")
    yield _link(project, _("Rehearsal"), detail, "project-rehearsals", done=rehearsed)
    detail = _("Hypotheses, design and analyses, stored with a hash and the time before the first judgment.")
    yield _link(project, _("Registration"), detail, "project-registrations", done=False)
    yield _plan(project)


def _link(project: Project, title: str, detail: str, url: str, *, done: bool, needed: bool = False) -> Step:
    return Step(title, detail, reverse(url, args=[project.key]), done, needed)


def _language(project: Project) -> str:
    return (
        _("Language of the texts: %(language)s.") % {"language": project.language}
        if project.language
        else _("No common language.")
    )


def _texts(project: Project) -> str:
    if not has_texts(project):
        return _("None yet.")
    if project.protocol.material == Material.INCIDENTS:
        number = project.incidents.count()
        return ngettext("%(number)s incident.", "%(number)s incidents.", number) % {"number": number}
    number = project.items.count()
    return ngettext("%(number)s item.", "%(number)s items.", number) % {"number": number}


def _page(project: Project, name: str, title: str) -> Step:
    words = len(getattr(project, name).split())
    detail = ngettext("%(number)s word.", "%(number)s words.", words) % {"number": words} if words else _("Empty.")
    return Step(title, detail, reverse("project-page", args=[project.key, name]), bool(words))


def _questions(project: Project) -> Step:
    number = project.questions.count()
    shown = ngettext(
        "%(number)s question, optional for annotators.", "%(number)s questions, optional for annotators.", number
    )
    detail = shown % {"number": number} if number else _("None. This step is optional.")
    return _link(project, _("Participant questions"), detail, "project-questions", done=number > 0)


def _practice(project: Project) -> Step:
    number = project.practice_tasks.count()
    shown = ngettext("%(number)s task.", "%(number)s tasks.", number)
    detail = shown % {"number": number} if number else _("None yet.")
    return _link(project, _("Practice and qualification check"), detail, "project-practice", done=number > 0)


def _labels(project: Project) -> Step:
    number = project.items.filter(gold__isnull=False).count()
    shown = ngettext("%(number)s pair.", "%(number)s pairs.", number)
    detail = shown % {"number": number} if number else _("None. This step is optional.")
    return _link(project, _("Known labels"), detail, "project-labels", done=number > 0)


def _plan(project: Project) -> Step:
    first = project.protocol.rounds[0]
    planned = done_plans(project).filter(round=first.key).exists()
    detail = _("The first round is planned.") if planned else _("Decide who gets which items in the first round.")
    return _link(project, _("Plan"), detail, "project-plans", done=planned, needed=True)
