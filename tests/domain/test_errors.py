"""Errors of pure code, in the language of the person who reads them."""

from django.utils.translation import override

from annotation.domain.errors import translated
from annotation.planning.errors import PlanningError
from annotation.protocols.errors import OffScale


def test_an_error_is_translated_with_its_values():
    error = OffScale("“%(text)s” is not a number.", text="viel")

    with override("de"):
        assert translated(error) == "„viel“ ist keine Zahl."
    assert str(error) == "“viel” is not a number."


def test_an_error_inside_of_an_error_is_translated():
    error = PlanningError("Group “%(label)s”: %(refusal)s", label="7", refusal=OffScale("Saved."))

    with override("de"):
        assert translated(error) == "Gruppe „7“: Gespeichert."


def test_an_error_that_cannot_be_translated_stays_as_it_is():
    assert translated(ValueError("100 % wrong")) == "100 % wrong"
    assert translated(OffScale("100 % wrong")) == "100 % wrong"
