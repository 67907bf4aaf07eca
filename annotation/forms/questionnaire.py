"""Forms for participant questions: written by managers, answered by participants."""

from typing import Any

from django import forms
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _

from annotation.domain.project.questionnaire import require_choices
from annotation.forms.refusals import refusals
from annotation.models import PersonalAnswer, Question, QuestionKind

KINDS = [
    (QuestionKind.TEXT, _("Short text")),
    (QuestionKind.NUMBER, _("Whole number")),
    (QuestionKind.CHOICE, _("Single choice")),
    (QuestionKind.COUNTRY, _("Country")),
    (QuestionKind.LANGUAGE, _("Language")),
]


class QuestionForm(forms.ModelForm):
    """A participant question, with one choice on each line."""

    answers = forms.CharField(
        required=False,
        max_length=10_000,
        label=_("Answer options"),
        help_text=_("One per line. Only for single-choice questions."),
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    class Meta:
        model = Question
        fields = ("text", "kind", "help", "published")
        labels = {
            "text": _("Question"),
            "kind": _("Type of answer"),
            "help": _("Explanation"),
            "published": _("Include answers in reports and releases"),
        }
        help_texts = {
            "help": _("For example, why you ask. Optional."),
            "published": _(
                "Researchers see the answers, and reports and releases show how many people gave each "
                "answer, in groups of at least five. Otherwise only owners and managers of this project see "
                "the answers."
            ),
        }
        widgets = {"kind": forms.Select(choices=KINDS)}

    field_order = ("text", "kind", "answers", "help", "published")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["answers"].initial = "\n".join(self.instance.choices)

    def clean(self) -> dict:
        cleaned = super().clean()
        lines = [line.strip() for line in cleaned.get("answers", "").splitlines() if line.strip()]
        self.instance.choices = lines if cleaned.get("kind") == QuestionKind.CHOICE else []
        with refusals(self, "answers"):
            require_choices(cleaned.get("kind", ""), self.instance.choices)
        return cleaned


class AboutYouForm(forms.Form):
    """A person's answers about themselves, all of them optional."""

    def __init__(self, *args: Any, questions: list[Question], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = questions
        for question in questions:
            field = ANSWERED_BY[QuestionKind(question.kind)](question)
            # The template prints help texts as HTML, for those that Django writes itself; this one is a person's.
            field.required, field.label, field.help_text = False, question.text, escape(question.help)
            self.fields[f"question-{question.pk}"] = field

    def answers(self) -> dict[int, str]:
        """Return the answers by the id of the question; a skipped question has an empty one."""
        cleaned = {question.pk: self.cleaned_data[f"question-{question.pk}"] for question in self.questions}
        return {pk: "" if answer is None else str(answer) for pk, answer in cleaned.items()}


def _words(autocomplete: str = "off") -> forms.Field:
    longest = PersonalAnswer._meta.get_field("text").max_length
    return forms.CharField(max_length=longest, widget=forms.TextInput(attrs={"autocomplete": autocomplete}))


def _choice(question: Question) -> forms.Field:
    choices = [("", _("Prefer not to say")), *((choice, choice) for choice in question.choices)]
    return forms.ChoiceField(choices=choices)


ANSWERED_BY = {
    QuestionKind.TEXT: lambda question: _words(),
    QuestionKind.NUMBER: lambda question: forms.IntegerField(min_value=0, max_value=1_000_000),
    QuestionKind.CHOICE: _choice,
    QuestionKind.COUNTRY: lambda question: _words("country-name"),
    QuestionKind.LANGUAGE: lambda question: _words("language"),
}
