"""The form of a comparison: two releases, and a round of each."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import Project, User
from annotation.permissions import lacks_second_factor, researched_projects
from scoring.models import Release, State

MOST_RELEASES = 200  # to choose from, the newest ones
LONGEST = 200
HELP_ROUND = gettext_lazy("For ratings: ROUND or ROUND.CONTEXT, such as R3.dependent. Default: the last round.")


def _round_field(label: Any) -> forms.CharField:
    return forms.CharField(required=False, max_length=LONGEST, label=label, help_text=HELP_ROUND)


class ComparisonForm(forms.Form):
    """Two finished releases: of this project, and of any project whose data the person may read."""

    first = forms.TypedChoiceField(coerce=int, label=gettext_lazy("First release"))
    first_round = _round_field(gettext_lazy("Round of the first release (optional)"))
    second = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Second release"))
    second_round = _round_field(gettext_lazy("Round of the second release (optional)"))

    def __init__(self, *args: Any, project: Project, user: User, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="%s", **kwargs)
        readable = [own for own in researched_projects(user) if not lacks_second_factor(user, own)]
        done = Release.objects.filter(state=State.DONE, project__in=readable).select_related("project")
        newest = list(done.defer("manifest").order_by("-created_at", "-pk")[:MOST_RELEASES])
        self.releases = {release.pk: release for release in newest}
        own = [release for release in newest if release.project_id == project.pk]
        others = [release for release in newest if release.project_id != project.pk]
        self.fields["first"].choices = [(release.pk, _titled(release)) for release in own]
        self.fields["second"].choices = [(release.pk, _titled(release)) for release in (*own, *others)]

    @property
    def comparable(self) -> bool:
        """Return whether the project has a finished release."""
        return bool(self.fields["first"].choices)

    def chosen(self) -> tuple[Release, Release, tuple[str, str]]:
        values = self.cleaned_data
        rounds = values["first_round"].strip(), values["second_round"].strip()
        return self.releases[values["first"]], self.releases[values["second"]], rounds


def _titled(release: Release) -> str:
    return _("%(project)s, release %(number)s") % {"project": release.project.title, "number": release.number}
