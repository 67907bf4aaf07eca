"""Files as people have them: Excel, other encodings, other names of columns, and files that are no tables."""

import gzip
import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from openpyxl import Workbook

from annotation.domain.errors import Refusal
from annotation.domain.material import layouts
from annotation.domain.material.elsewhere import opened_export
from annotation.domain.material.jobs import read_as
from annotation.models import Item, ItemImport
from tests.corpora.archives import lying_archive
from tests.factories import NOON, make_project, make_user
from tests.jobs import work_off

CZECH = "id,sentence1,sentence2\n1,Žluťoučký kůň.,Úpěl ďábelské ódy.\n"


def book(*rows: tuple) -> bytes:
    workbook, out = Workbook(), io.BytesIO()
    for row in rows:
        workbook.active.append(row)
    workbook.save(out)
    return out.getvalue()


def archive(**files: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, text in files.items():
            made.writestr(name.replace("__", "/").replace("_xml", ".xml"), text)
    return out.getvalue()


def job_of(content: bytes, name: str = "pairs.csv", *, preset: str = "semrel", **values: object) -> ItemImport:
    project = make_project(preset)
    language = str(values.pop("language", ""))
    if language:
        project.language = language
        project.save()
    job = ItemImport.objects.create(project=project, file=ContentFile(content, name), name=name, **values)
    return worked(job)


def worked(job: ItemImport) -> ItemImport:
    assert work_off("import", NOON) == 1
    job.refresh_from_db()
    return job


def answered(job: ItemImport, *, encoding: str = "", **columns: str) -> ItemImport:
    named = {"" if name == "numbers" else name: wanted for name, wanted in columns.items()}
    read_as(job=job, encoding=encoding, columns=named, actor=make_user("boss"), now=NOON)
    return worked(job)


def texts() -> list[tuple[str, str, str]]:
    return list(Item.objects.order_by("position").values_list("key", "sentence1", "sentence2"))


# Excel


@pytest.mark.parametrize("name", ["pairs.xlsx", "pairs.csv", "pairs"])
def test_a_workbook_is_read_whatever_its_name(db, name):
    header = ("ID", "Sentence1", "sentence2", "year", "day", None)
    first = (1.0, "Žluťoučký", "kůň", 2014, date(2020, 1, 2), None)
    job = job_of(book(header, first, (None, None), ("b", "two\nlines", 3.5)), name)

    assert (job.state, job.imported, job.problem) == ("done", 2, "")
    assert texts() == [("1", "Žluťoučký", "kůň"), ("b", "two\nlines", "3.5")]
    assert Item.objects.get(key="1").extra == {"year": "2014", "day": "2020-01-02T00:00:00"}


def test_problems_of_a_workbook_name_its_rows(db):
    rows = [("id", "sentence1", "sentence2"), ("a", "One", "Two"), (None, None, None), ("a", "Three", None)]
    job = job_of(book(*rows), "pairs.xlsx")

    assert job.state == "failed"
    assert sorted({problem["line"] for problem in job.problems}) == [4]


@pytest.mark.parametrize("limit", ["MOST_UNPACKED", "MOST_PARTS"])
def test_a_workbook_that_unpacks_to_too_much_is_refused_before(db, monkeypatch, limit):
    monkeypatch.setattr(layouts, limit, 5)
    job = job_of(book(("id", "sentence1", "sentence2"), ("a", "One", "Two")), "pairs.xlsx")

    assert (job.state, Item.objects.count()) == ("failed", 0)
    assert "too large" in job.problem
    with pytest.raises(Refusal, match="too large"), opened_export(Path(job.file.path), "judgments.xlsx"):
        pass


def test_a_workbook_that_states_too_small_a_size_is_refused_before(db):
    honest = book(("id", "sentence1", "sentence2"), ("a", "One", "Two"))
    job = job_of(lying_archive(honest, "xl/workbook.xml", 60), "pairs.xlsx")

    assert (job.state, Item.objects.count()) == ("failed", 0)
    assert "too large" in job.problem


def test_a_workbook_reads_no_other_file(db, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("not for you")
    out, sheet = io.BytesIO(), "xl/worksheets/sheet1.xml"
    rows = book(("id", "sentence1", "sentence2"), ("a", "One", "Two"))
    with zipfile.ZipFile(io.BytesIO(rows)) as whole, zipfile.ZipFile(out, "w") as changed:
        for name in whole.namelist():
            text = whole.read(name)
            if name == sheet:
                text = text.replace(b">One<", b">&e;<")
                text = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{outside.as_uri()}">]>'.encode() + text
            changed.writestr(name, text)
    assert b"&e;" in zipfile.ZipFile(out).read(sheet)

    job_of(out.getvalue(), "pairs.xlsx")

    assert not Item.objects.filter(sentence1__contains="not for you").exists()


# encodings


@pytest.mark.parametrize(
    ("encoding", "language", "sentence"),
    [
        ("cp1250", "cs", "Žluťoučký kůň."),
        ("cp1252", "", "Café."),
        ("cp1251", "ru", "Привет."),
        ("shift_jis", "ja", "こんにちは。"),
    ],
)
def test_another_encoding_is_recognised_and_read_after_a_confirmation(db, encoding, language, sentence):
    content = f"id,sentence1,sentence2\n1,{sentence},Two.\n".encode(encoding)
    job = job_of(content, language=language)

    assert (job.state, Item.objects.count()) == ("asking", 0)
    (shown, *_others) = job.findings["layout"]["encodings"]
    assert (shown["encoding"], shown["lines"]) == (encoding, [f"1,{sentence},Two."])
    assert answered(job, encoding=encoding).state == "done"
    assert texts() == [("1", sentence, "Two.")]


def test_json_lines_in_another_encoding_are_read_too(db):
    job = job_of('{"id": "1", "sentence1": "Café.", "sentence2": "Two."}\n'.encode("cp1252"), "pairs.jsonl")

    assert answered(job, encoding="cp1252").state == "done"
    assert texts() == [("1", "Café.", "Two.")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_asks_for_nothing(db, encoding):
    assert job_of(CZECH.encode(encoding)).state == "done"


# columns


def test_columns_of_other_names_are_asked_for_with_a_guess_and_the_first_rows(db):
    job = job_of(b"pair_ID;text_a;text_b;score\n1;One.;Two.;4\n\n2;Three.;Four.;5\n")

    asked = job.findings["layout"]["columns"]
    assert asked["found"] == ["pair_id", "text_a", "text_b", "score"]
    assert asked["rows"] == [["1", "One.", "Two.", "4"], ["2", "Three.", "Four.", "5"]]
    assert {name: asked["guess"][name] for name in asked["wanted"]} == {
        "id": "pair_id",
        "sentence1": "text_a",
        "sentence2": "text_b",
    }
    assert answered(job, pair_id="id", text_a="sentence1", text_b="sentence2").state == "done"
    assert texts() == [("1", "One.", "Two."), ("2", "Three.", "Four.")]
    assert Item.objects.get(key="2").extra == {"score": "5"}


def test_rows_without_ids_are_numbered(db):
    job = job_of(b"s1,s2\nOne.,Two.\nThree.,Four.\n")

    assert answered(job, numbers="id", s1="sentence1", s2="sentence2").state == "done"
    assert [key for key, *_ in texts()] == ["1", "2"]


def test_problems_stay_on_their_lines_after_a_renaming(db):
    job = job_of(b'key,s1,s2\n1,"One\nline.",Two.\n\n1,Three.,Four.\n')

    job = answered(job, key="id", s1="sentence1", s2="sentence2")

    assert (job.state, [problem["line"] for problem in job.problems]) == ("failed", [5])


def test_encoding_and_columns_are_asked_for_together(db):
    job = job_of("text1,text2\nCafé.,Two.\n".encode("cp1252"))

    layout = job.findings["layout"]
    assert (layout["encodings"][0]["encoding"], layout["columns"]["rows"][0][0]) == ("cp1252", "Café.")
    assert answered(job, encoding="cp1252", numbers="id", text1="sentence1", text2="sentence2").state == "done"


def test_what_was_asked_before_the_texts_are_looked_through_does_not_replace_that(db):
    job = job_of("id,s1,s2\n1,Caf\u00e9 @ann.,Two.\n".encode("cp1252"), check_texts=True)

    job = answered(job, encoding="cp1252", id="id", s1="sentence1", s2="sentence2")

    assert (job.state, [one["kind"] for one in job.findings["kinds"]]) == ("asking", ["mention"])


# no tables


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (archive(pairs="id"), "This is a ZIP archive."),
        (archive(word__document_xml="x"), "This is a Word document."),
        (archive(content_xml="x"), "This is an OpenDocument file."),
        (gzip.compress(b"id,sentence1"), "compressed file (gzip)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...", "This is an old Excel file"),
        (b"%PDF-1.7 ...", "This is a PDF"),
        (b"\xef\xbb\xbf\n <!DOCTYPE html><html></html>", "web page (HTML)"),
        (b"PK\x03\x04 cut off", "This is a ZIP archive."),
    ],
    ids=["zip", "word", "opendocument", "gzip", "xls", "pdf", "html", "zip-cut-off"],  # archives hold the time
)
def test_files_that_are_no_tables_are_named(db, content, said):
    job = job_of(content)

    assert job.state == "failed" and said in job.problem
