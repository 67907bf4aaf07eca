"""Forms for studies on crowd platforms and for bonuses."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.recruiting.crowd.bonuses import MOST
from annotation.forms.recruiting import PlaceField
from annotation.models import CrowdStudy, Platform, Project


class StudyForm(forms.ModelForm):
    """A study on a crowd platform and the session that it pays for."""

    learn_more = {"session": "protocol-settings#pause-between-sessions"}

    class Meta:
        model = CrowdStudy
        fields = ("platform", "session", "study_id", "completion_code", "screen_out_code", "no_consent_code")
        fields += ("signed", "open")
        labels = {
            "platform": _("Platform"),
            "session": _("Session"),
            "study_id": _("Study ID"),
            "completion_code": _("Completion code"),
            "screen_out_code": _("Code for people who fail the check"),
            "no_consent_code": _("Code for people who do not consent"),
            "signed": _("Require signed URLs (Prolific)"),
            "open": _("Accept new people"),
        }
        help_texts = {
            "session": _("Each session after a pause needs its own study."),
            "study_id": _(
                "Prolific: 24 letters and digits from the study's URL. MTurk: the ID of a HIT, or empty for all HITs."
            ),
            "completion_code": _("Copy it from Prolific. Leave empty for MTurk: each person gets an individual code."),
            "screen_out_code": _("Optional. Without a code people are asked to return the study."),
            "no_consent_code": _("Optional."),
            "signed": _(
                "Prevents people from joining under somebody else's ID. Turn on “Secured external URL” in "
                "Prolific first."
            ),
            "open": _("People who have already joined can always continue."),
        }

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.project = project
        place = PlaceField(project=project)
        if self.instance.pk:
            place.initial = f"{self.instance.round}/{self.instance.pool}"
        self.fields = {"place": place} | self.fields
        if self.instance.pk and self.instance.submissions.exists():
            self._lock("place", "platform", "session")
        if hasattr(self.instance, "prolific"):  # Prolific has these too; they change on the study's own page
            self._lock("place", "platform", "session", "study_id", "signed")
            self._lock("completion_code", "screen_out_code", "no_consent_code")

    def _lock(self, *names: str) -> None:
        for name in names:
            self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name in ("study_id", "completion_code", "screen_out_code", "no_consent_code"):
            cleaned[name] = cleaned.get(name, "").strip()
        if "place" in cleaned:
            self.instance.round, self.instance.pool = cleaned["place"]
        return cleaned

    def _get_validation_exclusions(self) -> set[str]:
        """Return the fields whose uniqueness is checked, and explained, when they are stored."""
        return super()._get_validation_exclusions() | {"project", "round", "pool", "study_id", "session"}

    def study(self) -> CrowdStudy:
        return self.instance

    @property
    def for_prolific(self) -> bool:
        return self.instance.platform == Platform.PROLIFIC


class BonusForm(forms.Form):
    """Bonuses to plan."""

    lines = forms.CharField(
        label=_("Bonuses"),
        help_text=_("One per line: ID, comma, amount, such as 5f2e9c1ab34d5e6f7a8b9c0d,1.50"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
    )
    currency = forms.RegexField(
        r"^[A-Z]{3}$", label=_("Currency"), initial="GBP", help_text=_("The study's currency, such as GBP, USD or EUR.")
    )
    reason = forms.CharField(
        max_length=100, label=_("Reason"), help_text=_("Each person can get only one bonus per reason.")
    )

    most = MOST


class NoteForm(forms.Form):
    """The evidence for the outcome of a payment."""

    note = forms.CharField(max_length=500, label=_("How do you know?"))
    outcome = forms.ChoiceField(required=False, choices=[(name, name) for name in ("paid", "not paid")])
