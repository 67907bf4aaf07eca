"""The numbers and words of a protocol as a form, for a new project and for one that is a draft."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.numbers import Number, number_groups
from annotation.domain.protocol_files import LONGEST_WORDS
from annotation.forms.setting_up import BasicsForm, KeyForm
from annotation.planning.costs import Material as Amount
from annotation.protocols.errors import ProtocolError
from annotation.protocols.presets import PRESETS
from annotation.protocols.settings import setting_names, with_settings, written
from annotation.protocols.spec import Material, Protocol
from annotation.protocols.wording import BETWEEN, HIGHEST, LOWEST, QUESTION, texts_of, with_texts

MOST_ITEMS = 1_000_000


class ProtocolForm(forms.Form):
    """Every number and word of a protocol that may be changed, in words, round by round."""

    def __init__(self, *args: Any, protocol: Protocol, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.protocol = protocol
        self.groups = number_groups(protocol)
        self.texts = texts_of(protocol)
        for name, text in self.texts.items():
            self.fields[name] = forms.CharField(
                label=_text_label(name), initial=text, max_length=LONGEST_WORDS, required=not name.startswith("label.")
            )
        defaults = setting_names(PRESETS[protocol.key]) if protocol.key in PRESETS else {}
        for number in self._numbers():
            self.fields[number.name] = _number_field(number, defaults.get(number.name))
        amounts = AMOUNTS[protocol.material]
        for name, (label, initial) in amounts.items():
            self.fields[name] = forms.IntegerField(
                label=label, initial=initial, min_value=0, max_value=MOST_ITEMS, required=False
            )
        self.amounts = list(amounts)

    def _numbers(self) -> Iterator[Number]:
        return (number for group in self.groups for number in group.numbers)

    def sections(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """Titles with their fields, in the order of the page."""
        yield _("Words"), [self[name] for name in self.texts]
        for group in self.groups:
            if group.numbers:
                yield group.title, [self[number.name] for number in group.numbers]

    def amount_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.amounts]

    def clean(self) -> dict:
        given = super().clean()
        if all(number.name in self.cleaned_data for number in self._numbers()):
            self._try()
        return given

    def _try(self) -> None:
        """A number that cannot stand even alone is at fault itself; others contradict each other."""
        changes = self.changes()
        try:
            with_settings(self.protocol, changes)
        except ProtocolError as error:
            for name in changes:
                try:
                    with_settings(self.protocol, {name: changes[name]})
                except ProtocolError as alone:
                    self.add_error(name, str(alone))
            if not any(name in self.errors for name in changes):
                self.add_error(None, str(error))

    def changes(self) -> dict[str, str]:
        """The numbers that are different from the protocol's, as `with_settings` takes them."""
        given = {number.name: written(self.cleaned_data[number.name]) for number in self._numbers()}
        present = {number.name: written(number.value) for number in self._numbers()}
        return {name: value for name, value in given.items() if value != present[name]}

    def words(self) -> dict[str, str]:
        """As they stand in the form; where one is at fault, as it was."""
        return {name: self.cleaned_data.get(name, text) for name, text in self.texts.items()}

    def changed_protocol(self) -> Protocol:
        """The protocol as it stands in the form, which has no faults."""
        return with_texts(with_settings(self.protocol, self.changes()), self.words())

    def amount(self) -> Amount:
        """How much material there will be, as far as that was said."""
        return Amount(**{name: self.cleaned_data.get(name) or 0 for name in self.amounts})

    def amount_to_begin_with(self) -> Amount:
        return Amount(**{name: self.fields[name].initial for name in self.amounts})


AMOUNTS = {
    Material.PAIRS: {"items": (gettext_lazy("Pairs that you will bring"), 100)},
    Material.DIALOGUES: {"items": (gettext_lazy("Utterances that you will bring (five a dialogue)"), 100)},
    Material.INCIDENTS: {
        "incidents": (gettext_lazy("Incidents that you will bring"), 72),
        "sentences": (gettext_lazy("Sentences of a summary, about"), 8),
    },
}


def _text_label(name: str) -> str:
    if name.startswith(BETWEEN):
        return _("Label at %(value)s") % {"value": name.removeprefix(BETWEEN)}
    labels = {
        QUESTION: _("Question that people answer"),
        LOWEST: _("Label of the lowest value"),
        HIGHEST: _("Label of the highest value"),
    }
    return labels.get(name) or (_("Name of the best") if name.endswith(".best") else _("Name of the worst"))


def _number_field(number: Number, default: Any) -> forms.Field:
    """A field that takes a number of its kind within its limits.

    Parameters: default, the number of the preset, which the help names.
    """
    low, high = number.wording.limits()
    shared: dict[str, Any] = {"label": number.label, "help_text": _help(number, default)}
    match number.value:
        case bool():
            return forms.BooleanField(initial=number.value, required=False, **shared)
        case tuple():
            return ValuesField(initial=written(number.value), **shared)
        case int():
            return forms.IntegerField(initial=number.value, min_value=_whole(low), max_value=_whole(high), **shared)
        case float():
            return forms.FloatField(
                initial=f"{number.value:g}",
                min_value=None if low is None else float(low),
                max_value=None if high is None else float(high),
                step_size=None,
                **shared,
            )
        case _:
            return forms.DecimalField(initial=number.value, min_value=low, max_value=high, max_digits=12, **shared)


def _whole(limit: Decimal | None) -> int | None:
    return None if limit is None else int(limit)


class ValuesField(forms.CharField):
    """Numbers separated by commas."""

    def clean(self, value: Any) -> tuple[Decimal, ...]:
        text = super().clean(value)
        parts = [part.strip() for part in text.split(",") if part.strip()]
        try:
            values = tuple(forms.DecimalField(max_digits=12).clean(part) for part in parts)
        except forms.ValidationError:
            raise forms.ValidationError(_("Please write numbers separated by commas, such as 0,3,6.")) from None
        if not 1 <= len(values) <= 50:
            raise forms.ValidationError(_("Please write from 1 to 50 numbers."))
        return values


def _help(number: Number, default: Any) -> str:
    """Unit, explanation, limits and default, as far as there are any."""
    wording = number.wording
    parts = [str(part) for part in (wording.explanation,) if part]
    if wording.unit:
        parts.insert(0, _("In %(unit)s.") % {"unit": wording.unit})
    if wording.low is not None and wording.high is not None:
        parts.append(_("From %(low)s to %(high)s.") % {"low": f"{wording.low:g}", "high": f"{wording.high:g}"})
    if default is not None and not isinstance(default, bool):
        shown = f"{default:g}" if isinstance(default, float) else written(default)
        parts.append(_("By default %(value)s.") % {"value": shown})
    return " ".join(parts)


class NewProjectForm(BasicsForm, KeyForm, ProtocolForm):
    """A whole new project."""

    field_order = ("title", "project_key", "language", "seed")

    def basics(self) -> list[forms.BoundField]:
        return [self[name] for name in self.field_order]
