"""Every text of the interface in every language: translated, with the same places to fill, and compiled."""

import re
from collections import Counter
from gettext import c2py
from pathlib import Path

import allauth
import polib
import pytest
from django.conf import settings
from django.contrib import auth

from tests.languages.extracting import ROOT, marked_texts

LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
OF_ACCOUNTS = ROOT / "annotation" / "account_texts"
CATALOGS = [*(ROOT / "locale").glob("*/*/django.po"), *OF_ACCOUNTS.glob("*/*/django.po")]
each_catalog = pytest.mark.parametrize("file", CATALOGS, ids=lambda file: f"{file.parts[-4]}-{file.parts[-3]}")
PLACES = re.compile(r"%\(\w+\)s|\{\w+\}|</?[a-z]+|%%")


def catalog(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


def texts_of(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalog_has_the_texts_of_the_sources_and_no_others(language):
    """Else: ./script/messages"""
    entries = {entry.msgid for entry in polib.pofile(catalog(language)) if not entry.obsolete}
    marked = {singular for singular, _ in marked_texts()}

    assert {"missing": marked - entries, "no longer used": entries - marked} == {
        "missing": set(),
        "no longer used": set(),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language):
    entries = polib.pofile(catalog(language))

    assert [entry.msgid for entry in entries if entry.fuzzy or not all(texts_of(entry))] == []


@each_catalog
def test_every_translation_fills_the_same_places(file):
    """Only a form for a single number, such as the Arabic dual, may leave the number out."""
    entries = polib.pofile(file)
    form_of = c2py(entries.metadata["Plural-Forms"].partition("plural=")[2].rstrip(";"))
    numbers = Counter(form_of(number) for number in range(200))
    wrong = []
    for entry in entries:
        places = Counter(PLACES.findall(entry.msgid_plural or entry.msgid))
        for form, text in enumerate(texts_of(entry)):
            missing, more = places - Counter(PLACES.findall(text)), Counter(PLACES.findall(text)) - places
            number_only = entry.msgid_plural and numbers[form] == 1 and missing.total() == 1
            if text and (more or (missing and not number_only)):
                wrong.append((entry.msgid, text))

    assert wrong == []


@each_catalog
def test_no_translation_breaks_out_of_an_attribute(file):
    wrong = [text for entry in polib.pofile(file) for text in texts_of(entry) if '"' in text and '"' not in entry.msgid]

    assert wrong == []


@each_catalog
def test_what_is_compiled_is_what_is_written(file):
    """Else: ./script/messages"""
    written = [entry for entry in polib.pofile(file) if not entry.obsolete and not entry.fuzzy]
    compiled = {entry.msgid: texts_of(entry) for entry in polib.mofile(file.with_suffix(".mo"))}

    assert compiled == {entry.msgid: texts_of(entry) for entry in written if any(texts_of(entry))}


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_every_text_of_accounts_that_is_replaced_is_still_one_of_allauth_or_django(language):
    packages = [Path(package.__file__).parent for package in (allauth, auth)]
    theirs = [polib.pofile(package / "locale" / "cs" / "LC_MESSAGES" / "django.po") for package in packages]
    known = {entry.msgid for entries in theirs for entry in entries if not entry.obsolete}

    assert {entry.msgid for entry in polib.pofile(OF_ACCOUNTS / language / "LC_MESSAGES" / "django.po")} <= known
