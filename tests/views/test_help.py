"""The documentation in the application, and the way to it from every number that can be set."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from urllib.parse import urljoin

import pytest
from django import forms
from django.contrib.staticfiles import finders
from django.utils.translation import override

import annotation.forms
import scoring.forms
from annotation import handbook
from annotation.domain.project.protocol_numbers import number_groups
from annotation.forms.answers import PracticeAnswerForm
from annotation.forms.importing import CorpusForm
from annotation.forms.protocol import NewProjectForm
from annotation.presets.registry import presets
from annotation.protocols.settings import written
from scoring.forms.forecast import ForecastForm
from tests.factories import make_project, make_user

LINK = re.compile(r'(?:href|src)="([^"]+)"')
NOT_SET_BY_MANAGERS = {PracticeAnswerForm}
STATIC = "/static/"


def test_every_link_in_the_documentation_leads_to_a_page_and_a_heading():
    handbook._page.cache_clear()  # another test may have had other addresses of static files
    wrong = []
    for name in handbook.page_names():
        for link in LINK.findall(handbook.page(name).html):
            path, _hash_sign, anchor = urljoin(f"/help/{name}/", link).partition("#")
            if path.startswith(f"{STATIC}help/"):
                found = finders.find(path.removeprefix(STATIC)) is not None
            else:
                page = handbook.page(path.removeprefix("/help/").rstrip("/"))
                found = page is not None and (not anchor or anchor in page.anchors)
            if not found and not link.startswith("https://"):
                wrong.append((name, link))
    assert wrong == []


def test_a_page_has_anchors_and_tables_that_scroll():
    flags = handbook.page("flags")

    assert flags.title == "Flags"
    assert '<h3 id="too-fast">Too fast</h3>' in flags.html
    assert '<div class="scroll" tabindex="0" role="group" aria-label="The bounds">\n<table>' in flags.html
    assert "../managers-first-hour/#" in flags.html
    assert flags is handbook.page("flags")  # rendered once


def test_a_link_to_a_file_that_is_no_page_is_only_text(tmp_path, monkeypatch):
    monkeypatch.setattr(handbook, "FOLDER", tmp_path)
    (tmp_path / "one.md").write_text(
        "# One\n\n[two](two.md#x) [two.md](two.md) [notes](../CHANGELOG.md) [web](https://example.org)\n"
    )
    (tmp_path / "two.md").write_text("# Two\n\n## X\n\n<script>alert(1)</script>\n\n## X\n")

    one, two = handbook.page("one").html, handbook.page("two")
    assert (
        '<a href="../two/#x">two</a> <a href="../two/">Two</a> <span>notes</span> <a href="https://example.org">web</a>'
        in one
    )
    assert [heading.anchor for heading in two.headings] == ["x", "x-1"]
    assert "<script" not in two.html


def test_the_documentation_is_part_of_the_image():
    left_out = (handbook.FOLDER.parent / ".dockerignore").read_text(encoding="utf-8").split()
    assert not {"docs", "docs/", "*.md", "**/*.md"} & set(left_out)


@pytest.mark.django_db
def test_everybody_can_read_the_documentation(client):
    index = client.get("/help/").content.decode()
    assert all(f'href="/help/{name}/"' in index for name in handbook.page_names())
    page = client.get("/help/flags/").content.decode()
    assert '<a href="#too-fast">Too fast</a>' in page
    assert page.count("<h1") == 1
    assert client.get("/help/decisions/0007-refills/").status_code == 200
    assert client.get("/help/missing/").status_code == client.get("/help/../README/").status_code == 404
    with override("de"):
        assert "nur auf Englisch" in client.get("/help/flags/", headers={"accept-language": "de"}).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        *(
            "..%2fmanage",
            "%2e%2e/config/settings/base",
            "%252e%252e%252fREADME",
            "....//....//etc/passwd",
            "..%5cREADME",
        ),
        *("decisions/../../README", "/etc/passwd", "security.md", "security%00", "decisions/"),
    ],
)
def test_paths_of_help_lead_to_nothing_else(client, path):
    assert client.get(f"/help/{path}/").status_code == 404


def forms_of_the_pages() -> list[type[forms.BaseForm]]:
    modules = [
        import_module(f"{package.__name__}.{module.name}")
        for package in (annotation.forms, scoring.forms)
        for module in iter_modules(package.__path__)
    ]
    named = (value for module in modules for value in vars(module).values() if isinstance(value, type))
    return sorted(set(filter(lambda kind: issubclass(kind, forms.BaseForm), named)), key=str)


def unexplained(form: forms.BaseForm | type[forms.BaseForm]) -> list[str]:
    """The number fields without a sentence of help, or without a link to a heading that exists."""
    links = getattr(form, "learn_more", {})
    fields = form.base_fields if isinstance(form, type) else form.fields
    missing = []
    for name, field in fields.items():
        page, _hash_sign, anchor = links.get(name, "").partition("#")
        explained = field.help_text and page and anchor in handbook.page(page).anchors
        if not explained and (name in links or isinstance(field, forms.IntegerField)):
            missing.append(f"{form if isinstance(form, type) else type(form)}: {name}")
    return missing


def test_every_number_has_a_sentence_of_help_and_a_link_to_its_explanation():
    dynamic = [CorpusForm(), *(NewProjectForm(protocol=preset.protocol) for preset in presets().values())]
    static = [form for form in forms_of_the_pages() if form not in {*NOT_SET_BY_MANAGERS, CorpusForm, ForecastForm}]
    assert len(static) > 40
    assert [name for form in (*static, *dynamic) for name in unexplained(form)] == []


@pytest.mark.django_db
def test_pages_show_the_link_beside_the_number(client):
    client.force_login(make_user("boss", is_superuser=True))
    project = make_project("semrel")

    numbers = client.get("/projects/new/semrel/").content.decode()
    assert 'href="/help/protocol-settings/#items-per-comparison">Learn more<' in numbers
    assert 'href="/help/other-settings/#places">Learn more<' in client.get("/projects/project/plans/").content.decode()
    limits = client.get("/projects/project/watch/options/").content.decode()
    assert 'href="/help/flags/#too-fast">Learn more<' in limits
    assert unexplained(ForecastForm(None, project=project)) == []


def shown_defaults(kind: str) -> str:
    """The defaults of a number as docs/protocol-settings.md gives them: each value with its presets."""
    found: dict[str, list[str]] = {}
    numbers = [
        (key, number)
        for key, preset in presets().items()
        for group in number_groups(preset.protocol)
        for number in group.numbers
    ]
    for key, number in numbers:
        *path, last = number.name.split(".")
        if last != kind or number.value is None:
            continue
        value = ("on" if number.value else "off") if isinstance(number.value, bool) else written(number.value)
        places = [part for part in path if part not in ("main", "scale", "roles", "pools", "stopping")]
        if kind == "expected":
            places[-1] = f"role {places[-1]}"
        found.setdefault(value.removesuffix(".0"), []).append(" ".join([f"`{key}`", *places]))
    return ", ".join(f"{value} ({', '.join(names)})" for value, names in found.items())


def test_the_documentation_names_the_defaults_of_every_preset():
    text = Path(handbook.FOLDER / "protocol-settings.md").read_text(encoding="utf-8")
    numbers = [n for p in presets().values() for group in number_groups(p.protocol) for n in group.numbers]
    kinds = {number.name.rpartition(".")[2] for number in numbers}
    assert [kind for kind in sorted(kinds) if f": {shown_defaults(kind)}.\n" not in text] == []
