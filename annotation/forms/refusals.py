"""Refusals of the domain as form errors, or as messages on the next page."""

from collections.abc import Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from annotation.domain.errors import Refusal


@contextmanager
def refusals(form: forms.BaseForm, field: str | None = None) -> Iterator[None]:
    """Turn a refusal raised in the block into an error of the form; the form keeps the refusal itself as `refusal`."""
    try:
        yield
    except Refusal as refusal:
        form.add_error(field, str(refusal))
        form.refusal = refusal


@contextmanager
def refusal_messages(request: HttpRequest, level: int = messages.ERROR) -> Iterator[None]:
    """Turn a refusal raised in the block into a message on the page that the person sees next."""
    try:
        yield
    except Refusal as refusal:
        messages.add_message(request, level, str(refusal))
