"""What is in a release: the same for the same run, as the run read it, and nobody's name."""

import csv
import json
from hashlib import sha256
from io import BytesIO, StringIO

import pyarrow.parquet as pq
import pytest
import yaml
from django.utils import timezone

from annotation.models import AuditEntry, Item, Judgment, Participation, Project
from scoring.domain.figures.render_figures import FORMS
from scoring.exports.loading import configurations
from scoring.exports.scores import MODEL_COLUMNS
from scoring.models import Release
from tests.factories import add_pairs, answer_to, make_project
from tests.releases.making import contents, released, run_of
from tests.releases.worlds import SECRETS, WORLDS, exclude_somebody, name_everybody

pytestmark = pytest.mark.django_db
ON_BOTH = ("semrel", "stss131")
"""On PostgreSQL one release of ratings and one of choices are enough."""

OWN = {
    "czech_news": {
        *(f"{name}.tsv" for name in ("train-RAW", "train-N2", "train-N1", "test-free", "test-dep", "test-sig")),
        "test-shift.csv",
    },
    "semrel": {"train.csv", "dev.csv", "test.csv", "tuples.csv"},
    "giccs": {"giccs.csv", "tuples.csv"},
    "dscs": {"dscs.csv"},
    "stss131": {"stss131.csv"},
    "best_worst": {"tuples.csv"},
}
PUBLISHED = {"authors": "Ann Example\nBob & {Co", "contact": "data@example.org", "url": "https://example.org/data"}
ALL = {"README.md", "items.csv", "judgments.csv", "judgments.jsonl", "judgments.parquet", "manifest.json"}
ALL |= {"results.json", "scores.csv", "scores.parquet", "CITATION.cff", "croissant.json", "datacite.json"}
ALL |= {"distributions.csv", "distributions.parquet"}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.postgres] * (name in ON_BOTH)) for name in WORLDS]
)
def kept(request, keep):
    """A project of every paper, where somebody was excluded, and a release of it."""
    with keep():
        project = WORLDS[request.param]()
        project.key = "kept"  # so that a test may make another of its kind
        project.save()
        name_everybody(project)
        exclude_somebody(project, round_of(project))
        yield released(project, licence="CC-BY-4.0").pk


@pytest.fixture
def release(kept, db):
    return Release.objects.select_related("project", "run").get(pk=kept)


def of(paper):
    """Give a test the release of one paper only."""
    return pytest.mark.parametrize("kept", [paper], indirect=True)


@pytest.fixture(scope="module")
def odd(keep):
    """The files of a release whose names and texts mean something in CSV, YAML and BibTeX, by name."""
    with keep():
        project = WORLDS["semrel"]()
        project.items.filter(pk=last_judgment(project).best_id).update(key="=p1")
        Project.objects.filter(pk=project.pk).update(key="odd", title='100 % of "#1"', **PUBLISHED)
        project.refresh_from_db()
        yield contents(released(project, licence="CC-BY-4.0"))


def records(content):
    return list(csv.DictReader(StringIO(content.decode(), newline="")))


def table(content):
    return pq.read_table(BytesIO(content))


def round_of(project):
    return project.protocol.rounds[-1].key


def last_judgment(project):
    return Judgment.objects.filter(assignment__participation__project=project).order_by("-pk").first()


def test_release_of_every_paper(release):
    world, run = release.project, release.run

    files, manifest = contents(release), release.manifest
    assert release.state == "done"
    figures = {name for name in files if name.startswith("figures/")}
    assert set(files) - figures == ALL | OWN[world.protocol.key]
    assert figures == {f"figures/{own.name}.{form}" for own in run.figures.all() for form in FORMS} != set()
    assert manifest["files"].keys() == files.keys() - {"manifest.json"}
    assert json.loads(files["manifest.json"]) == manifest
    assert release.sha256 == sha256(files["manifest.json"]).hexdigest()
    for own in release.files.exclude(name="manifest.json"):
        listed = manifest["files"][own.name]
        assert (listed["sha256"], listed["bytes"]) == (sha256(files[own.name]).hexdigest(), len(files[own.name]))
        assert (own.sha256, own.size, own.rows) == (listed["sha256"], listed["bytes"], listed["rows"])
    assert manifest["run"]["snapshot_sha256"] == run.snapshot_sha256
    assert json.loads(files["results.json"]) == run.results


def test_three_forms_hold_the_same_judgments(release):
    files = contents(release)
    printed = records(files["judgments.csv"])
    lines = [json.loads(line) for line in files["judgments.jsonl"].splitlines()]
    rows = table(files["judgments.parquet"]).to_pylist()
    assert len(printed) == len(lines) == len(rows) > 10
    for one, line, row in zip(printed, lines, rows, strict=True):
        assert list(one) == list(line) == list(row)
        for name, value in row.items():
            if isinstance(value, bool):
                assert (one[name], line[name]) == (str(int(value)), value)
            elif hasattr(value, "tzinfo"):
                moment = value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                assert (one[name], line[name]) == (moment, moment)
            elif isinstance(value, int | float):
                assert (float(one[name]), line[name]) == (value, value)
            else:
                assert (one[name] or None, line[name]) == (value, value)


def test_scores_are_those_of_the_run(release):
    run = release.run
    rows = table(contents(release)["scores.parquet"]).to_pylist()
    if "choice_scores" in run.results:
        found = run.results["choice_scores"]
        columns = ("item", "score", "best", "worst", "appearances")
        counted = [{name: row[name] for name in columns} for row in rows]
        assert counted == [dict(zip(columns, row, strict=True)) for row in zip(*map(found.get, columns), strict=True)]
        return
    expected = [
        {"item": item, "round": round_key, "context": context, "mean": mean, "sd": sd, "ratings": number}
        for round_key, contexts in run.results["scores"].items()
        for context, own in contexts.items()
        for item, mean, sd, number in zip(own["item"], own["mean"], own["sd"], own["ratings"], strict=True)
    ]
    models = [name for names in MODEL_COLUMNS.values() for name in names]
    assert [{name: value for name, value in row.items() if name not in models} for row in rows] == expected
    assert all(list(row)[-len(models) :] == models for row in rows)
    found = run.results["rater_models"]["ratings"]
    computed = {
        (item, round_key, context): score
        for round_key, contexts in found.items()
        for context, own in contexts.items()
        for item, score in zip(own["item"], own["weighed"] or [None] * len(own["item"]), strict=True)
    }
    assert [row["weighed"] for row in rows] == [computed[row["item"], row["round"], row["context"]] for row in rows]


def test_the_same_run_gives_the_same_bytes_whatever_happened_since(release):
    change_everything(release.project)
    second = released(release.project, release.run, licence="CC-BY-4.0")

    assert (release.number, second.number) == (1, 2)
    assert contents(release) == contents(second)
    assert release.sha256 == second.sha256


def change_everything(project):
    """Everything that may happen after a run: people out, items in, answers superseded, and the clock goes on."""
    exclude_somebody(project, round_of(project))
    Item.objects.create(project=project, key="late", position=10**6, sentence1="Late.", sentence2="Later.")
    late = last_judgment(project)
    answer_again(late, timezone.now())
    Participation.objects.filter(project=project).update(rest_shortened=True)
    AuditEntry.objects.create(
        project=project, participation=late.assignment.participation, action="pause shortened", at=timezone.now()
    )


def answer_again(judgment, now, value=None):
    """As the screen of an answer does it: the older one is superseded."""
    copy = Judgment.objects.get(pk=judgment.pk)
    Judgment.objects.filter(pk=judgment.pk).update(superseded_at=now)
    copy.pk, copy.key, copy.saved_at, copy.answered_ms = None, answer_to(judgment.assignment).key, now, 77_777
    copy.value = value or copy.value
    copy.save(force_insert=True)


@pytest.mark.postgres
def test_judgments_after_the_run_are_not_in_and_superseded_ones_are():
    project = WORLDS["stss131"]()
    run = run_of(project)
    before = records(contents(released(project, run))["judgments.csv"])
    place = last_judgment(project).assignment
    answer_again(last_judgment(project), timezone.now(), value=3.9)

    same = records(contents(released(project, run))["judgments.csv"])
    later = records(contents(released(project))["judgments.csv"])
    assert same == before
    changed = [(row["item"], row["value"], row["not_counted_because"]) for row in later if row not in before]
    assert changed == [(place.item.key, before[-1]["value"], "superseded"), (place.item.key, "3.9", "")]


def test_nobody_can_be_told_from_any_file(release):
    files = contents(release)
    shown = {name: content.decode() for name, content in files.items() if not name.endswith((".parquet", ".png"))}
    shown |= {name: str(table(content).to_pydict()) for name, content in files.items() if name.endswith(".parquet")}
    found = {(name, secret) for name, text in shown.items() for secret in SECRETS if secret in text.lower()}
    assert found == set()
    assert not any(secret.encode() in content.lower() for content in files.values() for secret in SECRETS)
    assert "1: by the managers" in shown["README.md"]


def test_texts_are_made_harmless_for_spreadsheets_only(odd):
    assert {row["topic"] for row in records(odd["items.csv"])} == {"'=weather"}
    chosen = {row["best"] for row in records(odd["judgments.csv"])}
    assert "'=p1" in chosen and "=p1" not in chosen
    assert "=p1" in set(table(odd["judgments.parquet"])["best"].to_pylist())
    assert b'"best":"=p1"' in odd["judgments.jsonl"]
    assert "=p1" in {row["item"] for row in records(odd["scores.csv"])}


def test_card_has_the_header_that_the_hub_reads(odd):
    text = odd["README.md"].decode()
    parts = {"train": "train.csv", "validation": "dev.csv", "test": "test.csv"}
    assert yaml.safe_load(text.split("---\n")[1]) == {
        "license": "cc-by-4.0",
        "language": ["cs"],
        "task_categories": ["sentence-similarity"],
        "pretty_name": '100 % of "#1"',
        "size_categories": ["n<1K"],
        "configs": [
            {
                "config_name": "parts",
                "default": True,
                "data_files": [{"split": split, "path": path} for split, path in parts.items()],
                "sep": ",",
            },
            {"config_name": "scores", "data_files": [{"split": "train", "path": "scores.csv"}], "sep": ","},
            {"config_name": "judgments", "data_files": [{"split": "train", "path": "judgments.csv"}], "sep": ","},
            {
                "config_name": "distributions",
                "data_files": [{"split": "train", "path": "distributions.csv"}],
                "sep": ",",
            },
        ],
    }


def test_card_and_manifest_name_authors_contact_url_and_licence(odd):
    text = odd["README.md"].decode()
    assert text.partition('# 100 % of "#1"\n\n')[2].splitlines()[:5] == [
        "- Authors: Ann Example; Bob & {Co",
        "- Contact: data@example.org",
        "- URL: <https://example.org/data>",
        "- Licence: CC-BY-4.0",
        "",
    ]
    entry = text.partition("```bibtex\n")[2].partition("\n```")[0].splitlines()
    assert entry[1:3] == [
        r"  author = {Ann Example and Bob \& \textbraceleft{}Co},",
        r"""  title = {{100 \% of "\#1"}},""",
    ]
    assert "  url = {https://example.org/data}," in entry
    manifest = json.loads(odd["manifest.json"])
    assert {name: manifest[name] for name in PUBLISHED} == PUBLISHED | {"authors": ["Ann Example", "Bob & {Co"]}


@of("semrel")
def test_card_has_the_tables_of_the_report(release):
    text = contents(release)["README.md"].decode()
    tuples = release.run.results["split_half"]["tuple"]
    table = text.partition("### Split-half reliability\n\n")[2].splitlines()
    assert table[:2] == ["| Figure | By tuple | By judgment | By annotator |", "| --- | ---: | ---: | ---: |"]
    assert table[2] == "| Splits | 10 | 10 | 10 |"
    assert table[3].startswith(f"| Spearman’s ρ, mean | {tuples['spearman']['mean']:.3f} | ")
    assert "split_half." not in text and "choice_agreement." not in text


@of("stss131")
def test_card_of_ratings_has_their_split_half_reliability(release):
    text = contents(release)["README.md"].decode()
    halves = release.run.results["split_half_ratings"]["main"]["free"]
    table = text.partition("### Split-half reliability of the ratings\n\n")[2].splitlines()
    assert table[2:4] == ["| Splits | 10 |", f"| Ratings | {halves['ratings']} |"]
    own = halves["spearman"]
    printed = "n. d." if own["full_length"] is None else f"{own['full_length']:.3f}"
    assert f"| Spearman–Brown corrected, Spearman’s ρ | {printed} |" in table


@of("czech_news")
def test_card_has_the_datasets_the_ratings_of_a_pair_and_the_man_hours(release):
    card = contents(release)["README.md"].decode()

    found = release.run.results
    raw, free = found["datasets"]["train"]["RAW"], found["coverage"]["R3"]["free"]
    assert f"| train-RAW | {raw['pairs']} | {raw['mean']:.3f} | {raw['sd']:.3f} | {raw['variance']:.3f} |" in card
    assert "| test-sig, with context |" in card
    few = f"fewer than {free['enough']} ratings; the protocol requires {free['wanted']}."
    assert f"of {free['pairs']} pairs ha" in card and few in card
    assert f"| All rounds | {found['effort']['total']['answers']:,} |" in card


def test_a_release_before_the_first_judgment_has_empty_files():
    project = make_project("dscs", key="empty")
    add_pairs(project, 2)
    files = contents(released(project))
    assert table(files["judgments.parquet"]).num_rows == table(files["scores.parquet"]).num_rows == 0
    assert files["judgments.jsonl"] == b""
    assert configurations(files["README.md"].decode()) == []  # `datasets` refuses files without rows
