"""The report of whole runs: every key of the results has a place, and nothing undefined goes without its reason."""

import pytest

from scoring.domain.releases.report import collection_of
from scoring.exports.report.methods import methods
from scoring.exports.report.sections import KEYS, PLAN, REST, sections
from scoring.exports.report.tables import ABSENT, UNDEFINED
from tests.releases.making import run_of
from tests.releases.worlds import WORLDS, exclude_somebody

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("world", WORLDS)
def test_the_report_of_a_whole_run(world):
    project = WORLDS[world]()
    exclude_somebody(project, project.protocol.rounds[-1].key)
    run = run_of(project)

    every_key_of_the_results_has_a_place(run)
    every_undefined_figure_has_its_reason(run)
    every_figure_stands_in_a_section(run)
    methods_tell_of_people_exclusions_and_computation(run)


def every_key_of_the_results_has_a_place(run):
    assert run.results.keys() <= KEYS.keys()
    titles = {section.title for section in sections(run.results, [])}
    assert {KEYS[key] for key in run.results if key != "shape"} <= titles | {"Annotator behaviour"}
    assert set(KEYS.values()) - {KEYS["shape"]} == {title for title, *_ in PLAN}


def every_undefined_figure_has_its_reason(run):
    cells = [
        (table.title, row.label, cell)
        for section in sections(run.results, [])
        for table in section.tables
        for row in table.rows
        for cell in row.cells
    ]
    assert len(cells) > 30
    assert not [place for *place, cell in cells if cell.text == UNDEFINED and not (cell.reason and cell.mark)]
    assert not [place for *place, cell in cells if cell.text in ("nan", "None", "inf")]
    assert not [
        place
        for *place, cell in cells
        if cell.text == ABSENT
        and "Role" not in str(place)
        and "expected" not in str(place)
        and "Resamples" not in str(place)
    ]


def every_figure_stands_in_a_section(run):
    names = ["score-distribution-R2-free", "gain-quantiles-R2", "split-half-tuple", "readability", "something-new"]
    placed = {name: section.title for section in sections(run.results, names) for name in section.figures}
    assert placed == dict(zip(names, ["Scores", "Context", "Reliability", "Texts", REST], strict=True))


def methods_tell_of_people_exclusions_and_computation(run):
    texts = {paragraph.title: paragraph.text for paragraph in methods(collection_of(run))}
    assert {
        "Protocol",
        "Material",
        "Annotators",
        "Judgments",
        "Exclusions",
        "Reliability",
        "Computation",
    } <= texts.keys()
    assert "1 annotator was excluded by the managers." in texts["Exclusions"]
    assert f"(scoring run 1) from the judgments as of {run.as_of:%-d %B %Y}" in texts["Computation"]
    assert not any("None" in text or "nan" in text or "  " in text for text in texts.values())
