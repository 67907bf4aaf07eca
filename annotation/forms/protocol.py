"""The numbers and texts of a protocol as a form, for a new project and for a draft."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.domain.project.protocol_files import LONGEST_WORDS
from annotation.domain.project.protocol_numbers import Number, in_words, number_groups
from annotation.forms.setting_up import BasicsForm, KeyForm
from annotation.planning.costs import Material as Amount
from annotation.presets.registry import presets
from annotation.protocols.errors import ProtocolError
from annotation.protocols.settings import setting_names, with_settings, written
from annotation.protocols.spec import Protocol
from annotation.protocols.terms import Material
from annotation.protocols.wording import BETWEEN, HIGHEST, LOWEST, QUESTION, moved_labels, texts_of, with_texts

MOST_ITEMS = 1_000_000
LABELS_FIT = "labels_fit"
SETTINGS = "protocol-settings"  # the page of docs/ that explains the numbers


class ProtocolForm(forms.Form):
    """Every number and text of a protocol that may be changed, with labels, round by round."""

    learn_more: Mapping[str, str] = {}
    """The heading of docs/ that explains a field, by the field's name, as in every form with numbers."""

    def __init__(self, *args: Any, protocol: Protocol, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.protocol = protocol
        self.groups = number_groups(protocol)
        self.texts = texts_of(protocol)
        for name, text in self.texts.items():
            self.fields[name] = forms.CharField(
                label=_text_label(name), initial=text, max_length=LONGEST_WORDS, required=not name.startswith("label.")
            )
        preset = presets().get(protocol.key)
        defaults = setting_names(preset.protocol) if preset else {}
        explained = {number.name: f"{SETTINGS}#{number.wording.anchor}" for number in self._numbers()}
        self.learn_more = {**self.learn_more, **explained}
        for number in self._numbers():
            self.fields[number.name] = _number_field(number, defaults.get(number.name))
        if protocol.scale and protocol.scale.labels:
            self.fields[LABELS_FIT] = forms.BooleanField(
                label=_("The labels fit the changed scale"),
                help_text=_("Required if the minimum or maximum changes and a label stays the same."),
                required=False,
            )
        amounts = AMOUNTS[protocol.material]
        for name, (label, initial) in amounts.items():
            self.fields[name] = forms.IntegerField(
                label=label,
                help_text=_("Used only for the table of costs. Not stored."),
                initial=initial,
                min_value=0,
                max_value=MOST_ITEMS,
                required=False,
            )
            self.learn_more[name] = "other-settings#number-of-items"
        self.amounts = list(amounts)

    def _numbers(self) -> Iterator[Number]:
        return (number for group in self.groups for number in group.numbers)

    def sections(self) -> Iterator[tuple[str, list[forms.BoundField], bool]]:
        """Yield titles with their fields, in the order of the page, and whether a page folds them at first."""
        yield _("Labels"), [self[name] for name in self.texts], False
        for group in self.groups:
            if group.numbers:
                names = [number.name for number in group.numbers]
                if LABELS_FIT in self.fields and names[0].startswith("scale."):
                    names.append(LABELS_FIT)
                fields = [self[name] for name in names]
                yield group.title, fields, group.is_unused and not self.is_bound

    def amount_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.amounts]

    def clean(self) -> dict:
        cleaned = super().clean()
        if all(number.name in self.cleaned_data for number in self._numbers()):
            self._try()
        return cleaned

    def _try(self) -> None:
        """Add the protocol's errors: to the numbers that are invalid alone, else to the whole form."""
        changes = self.changes()
        try:
            self._ask_for_labels(with_settings(self.protocol, changes))
        except ProtocolError as error:
            for name in changes:
                try:
                    with_settings(self.protocol, {name: changes[name]})
                except ProtocolError as alone:
                    self.add_error(name, in_words(alone))
            if not any(name in self.errors for name in changes):
                self.add_error(None, in_words(error))

    def _ask_for_labels(self, changed: Protocol) -> None:
        """Add an error where labels of the earlier scale are left as they were, and nobody says that they still fit."""
        left = [
            self.texts[name]
            for name in moved_labels(self.protocol, changed)
            if self.cleaned_data.get(name) == self.texts[name]
        ]
        if left and not self.cleaned_data.get(LABELS_FIT):
            self.add_error(
                LABELS_FIT,
                _(
                    "These labels were written for a scale from %(minimum)s to %(maximum)s: %(labels)s. Change "
                    "them above, or confirm here that they fit the new scale."
                )
                % {
                    "minimum": self.protocol.scale.minimum,
                    "maximum": self.protocol.scale.maximum,
                    "labels": ", ".join(f"“{text}”" for text in left),
                },
            )

    def changes(self) -> dict[str, str]:
        """Return the numbers that differ from the protocol's, in the form that `with_settings` accepts."""
        values = {number.name: written(self.cleaned_data[number.name]) for number in self._numbers()}
        present = {number.name: written(number.value) for number in self._numbers()}
        return {name: value for name, value in values.items() if value != present[name]}

    def words(self) -> dict[str, str]:
        """Return the texts of the form; an invalid one is returned as it was before."""
        return {name: self.cleaned_data.get(name, text) for name, text in self.texts.items()}

    def changed_protocol(self) -> Protocol:
        """Return the protocol that the form describes, if it is valid."""
        return with_texts(with_settings(self.protocol, self.changes()), self.words())

    def amount(self) -> Amount:
        """Return the expected amount of material; missing numbers are 0."""
        return Amount(**{name: self.cleaned_data.get(name) or 0 for name in self.amounts})

    def amount_to_begin_with(self) -> Amount:
        return Amount(**{name: self.fields[name].initial for name in self.amounts})


AMOUNTS = {
    Material.PAIRS: {"items": (_("Number of pairs"), 100)},
    Material.TEXTS: {"items": (_("Number of texts"), 100)},
    Material.DIALOGUES: {"items": (_("Number of utterances (five per dialogue)"), 100)},
    Material.INCIDENTS: {
        "incidents": (_("Number of incidents"), 72),
        "sentences": (_("Sentences per summary (approximate)"), 8),
    },
}


def _text_label(name: str) -> str:
    if name.startswith(BETWEEN):
        return _("Label at %(value)s") % {"value": name.removeprefix(BETWEEN)}
    labels = {
        QUESTION: _("Question"),
        LOWEST: _("Label of the minimum"),
        HIGHEST: _("Label of the maximum"),
    }
    return labels.get(name) or (_("Label for “best”") if name.endswith(".best") else _("Label for “worst”"))


def _number_field(number: Number, default: Any) -> forms.Field:
    """Return a field for a number of its kind; the protocol itself refuses numbers outside the limits.

    Parameters: default, the number of the preset, which the help names.
    """
    kind, options = FIELDS[type(number.value)]
    field: forms.Field = kind(label=number.label, help_text=_help(number, default), **options)
    field.initial = _shown(number.value)
    if number.limits and not isinstance(number.value, tuple):
        field.widget.attrs |= {"min": f"{number.limits.low:f}", "max": f"{number.limits.high:f}"}
    return field


class ValuesField(forms.CharField):
    """Numbers separated by commas."""

    def clean(self, value: Any) -> tuple[Decimal, ...]:
        text = super().clean(value)
        parts = [part.strip() for part in text.split(",") if part.strip()]
        try:
            return tuple(forms.DecimalField(max_digits=12).clean(part) for part in parts)
        except forms.ValidationError:
            raise forms.ValidationError(_("Enter numbers separated by commas, such as 0,3,6.")) from None


FIELDS: dict[type, tuple[type[forms.Field], dict[str, Any]]] = {
    bool: (forms.BooleanField, {"required": False}),
    tuple: (ValuesField, {}),
    int: (forms.IntegerField, {}),
    float: (forms.FloatField, {}),
    Decimal: (forms.DecimalField, {"max_digits": 12}),
}


def _help(number: Number, default: Any) -> str:
    """Return unit, explanation, limits and default, as far as there are any."""
    wording = number.wording
    parts = [str(part) for part in (wording.explanation,) if part]
    if wording.unit:
        parts.insert(0, _("Unit: %(unit)s.") % {"unit": wording.unit})
    if number.limits and not isinstance(number.value, tuple):
        parts.append(_("%(low)s to %(high)s.") % vars(number.limits))
    if default is not None and not isinstance(default, bool):
        parts.append(_("Default: %(value)s.") % {"value": _shown(default)})
    return " ".join(parts)


def _shown(value: Any) -> Any:
    if isinstance(value, tuple):
        return written(value)
    return f"{value:g}" if isinstance(value, float) else value


class NewProjectForm(BasicsForm, KeyForm, ProtocolForm):
    """A whole new project."""

    field_order = ("title", "project_key", "language", "seed")

    def basics(self) -> list[forms.BoundField]:
        return [self[name] for name in self.field_order]
