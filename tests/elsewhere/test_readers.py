import json
import tracemalloc

import pytest

from annotation.corpora.elsewhere import Choice, Rating, parts, read_export, read_parts, recognise
from annotation.corpora.elsewhere.export import milliseconds
from annotation.corpora.errors import CorpusError
from tests.corpora.archives import lying_archive
from tests.elsewhere.written import FILES, PAIRS, RATED, archive, export_of

PEOPLE = ["ann@example.org", "bob@example.org", "eve@example.org"]
TUPLES = {"0": [{"id": "a", "text": "fine"}, {"id": "b", "text": "dull"}, {"id": "c", "text": "lovely"}]}
WIDE = "Respondent,Task,Item1,Item2,Item3,Best,Worst\nr1,1,a,b,c,c,b\nr1,2,a,b,d,3,1\nr2,1,c,b,a,,\n"
LONG = "id,block,label,value\nr1,1,a,1\nr1,1,b,0\nr1,1,c,-1.0\nr2,1,a,0\nr2,1,b,1\nr2,1,c,-1\n"
MARKED = "respondent,set,item,best,worst\nr1,1,a,1,0\nr1,1,b,0,0\nr1,1,c,0,1\n"


def refusal(path, format_="", question=""):
    with pytest.raises(CorpusError) as refused:
        export_of(path, format_, question)
    return str(refused.value)


def written(folder, text, name="file.csv"):
    path = folder / name
    path.write_text(text)
    return path


def values_of(export, keys=tuple(PAIRS)):
    """Return the values of each item, in the order of the people's names."""
    rows = sorted(export.ratings, key=lambda rating: rating.person)
    return {key: [float(row.value) for row in rows if row.item == key] for key in keys}


@pytest.mark.parametrize(
    ("name", "format_", "people", "skipped"),
    [
        ("label_studio_ratings.json", "label_studio", ["1", "2", "3"], 1),
        ("label_studio_ratings.csv", "label_studio", ["1", "2", "3"], 0),
        ("label_studio_ratings.tsv", "label_studio", ["1", "2", "3"], 0),
        ("doccano_jsonl.zip", "doccano", ["ann", "bob@example.org", "eve"], 4),
        ("doccano_json.zip", "doccano", ["ann", "bob@example.org", "eve"], 4),
        ("doccano_csv.zip", "doccano", ["ann", "bob@example.org", "eve"], 4),
    ],
)
def test_ratings_of_a_program(name, format_, people, skipped):
    recognised, export = export_of(FILES / name)
    assert (recognised, sorted(export.people), export.skipped) == (format_, people, skipped)
    assert values_of(export) == RATED
    assert export.texts == PAIRS


def test_label_studio_names_items_by_its_own_numbers_where_the_export_hides_theirs():
    _, export = export_of(FILES / "label_studio_ratings-min.json")
    assert values_of(export, "1234") == dict(zip("1234", RATED.values(), strict=True))
    assert list(export.texts.values()) == list(PAIRS.values())


def test_label_studio_keeps_times():
    _, export = export_of(FILES / "label_studio_numbers.json")
    assert export.ratings[2] == Rating(1, "p1", "3", "88.5", "2026-11-23T20:19:35.855670Z", 5250)


@pytest.mark.parametrize("name", ["pairwise.json", "pairwise-min.json", "pairwise.csv"])
def test_label_studio_compares_two_texts(name):
    _, export = export_of(FILES / f"label_studio_{name}")
    chosen = sorted((row.items, row.person, row.best, row.worst) for row in export.choices)
    assert len(chosen) == 18
    assert chosen[0] == (("dull", "dreadful"), "1", "dreadful", "dull")
    assert chosen[-1] == (("lovely", "fine"), "3", "lovely", "fine")


def label_studio(folder, *results, person=1, **data):
    annotations = [{"completed_by": person, "result": [{"from_name": name, "value": value}]} for name, value in results]
    task = {"id": 7, "data": data, "annotations": annotations}
    return written(folder, json.dumps([task]), "export.json")


def test_label_studio_with_people_choices_and_a_text_of_two(tmp_path):
    choice = "q", {"choices": ["similar"]}
    path = label_studio(tmp_path, choice, person={"id": 3, "email": "ann@example.org"}, text="One.<hr>Two.")
    _, export = export_of(path)
    assert export.ratings == [Rating(1, "7", "ann@example.org", "similar")]
    assert export.texts == {"7": ("One.", "Two.")}


def test_a_question_of_several_is_chosen(tmp_path):
    path = label_studio(tmp_path, ("first", {"rating": 1}), ("second", {"rating": 2}), text="One.")
    assert refusal(path) == "The export has several questions: first, second. Choose one."
    assert refusal(path, question="third") == "The export has no question “third”. Its questions: first, second."
    _, export = export_of(path, question="Second")
    assert ([row.value for row in export.ratings], export.skipped) == (["2"], 1)


def test_label_studio_with_a_value_that_only_looks_like_an_answer(tmp_path):
    table = 'annotation_id,annotator,lead_time,id,note,q\n1,1,2,p1,[sic],"[{""rating"": 3}]"\n'
    _, export = export_of(written(tmp_path, table))
    assert export.ratings == [Rating(2, "p1", "1", "3", "", 2000)]


def test_label_studio_with_one_text_to_compare(tmp_path):
    path = label_studio(tmp_path, ("q", {"selected": "left"}), text="One.")
    assert refusal(path) == "This file has no judgments in the format of Label Studio."


def test_label_studio_without_answers(tmp_path):
    path = label_studio(tmp_path, ("q", {"text": ["a comment"]}), text="One.")
    assert refusal(path) == "The export has no answers that can be imported."


def test_label_studio_with_a_side_that_is_none(tmp_path):
    path = label_studio(tmp_path, ("q", {"selected": "both"}), text1="One.", text2="Two.")
    assert refusal(path) == "This file has no judgments in the format of Label Studio."


def test_an_archive_that_states_too_small_a_size_is_not_unpacked(tmp_path):
    long = archive(tmp_path / "honest.zip", all_jsonl='{"a": 1}\n' * 2_500_000)
    path = tmp_path / "lying.zip"
    path.write_bytes(lying_archive(long.read_bytes(), "all.jsonl", 9))
    tracemalloc.start()
    problem = refusal(path)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert "does not have the size" in problem
    assert most < 10_000_000  # bytes; unpacked it has 22 million


def test_a_table_with_too_many_columns(tmp_path):
    (wide,) = read_parts(written(tmp_path, ",".join(map(str, range(2001)))), "wide.csv")
    with pytest.raises(CorpusError, match="too many columns: 2001"):
        _ = wide.records


def test_doccano_with_shared_annotations():
    assert "does not say who chose which label" in refusal(FILES / "doccano_shared-jsonl.zip")


@pytest.mark.parametrize("name", ["slider.csv", "slider.jsonl", "slider.zip"])
def test_potato_sliders(name):
    format_, export = export_of(FILES / f"potato_{name}")
    assert (format_, sorted(export.people)) == ("potato", PEOPLE)
    assert values_of(export) == {"p1": [95, 90, 88], "p2": [3, 0, 10], "p3": [71, 66, 80], "p4": [20, 12, 15]}
    assert sorted(export.items) == list(PAIRS)
    assert export.texts == (PAIRS if name.endswith("zip") else {})


def test_potato_tuples():
    _, export = export_of(FILES / "potato_best_worst.zip")
    first = Choice(1, "bws_tuple_0001", ("t5", "t1", "t6", "t4"), "t1", "t4", "ann@example.org")
    assert (export.choices[0], len(export.choices)) == (first, 15)
    assert export.texts["t5"] == ("splendid",)


def test_potato_tuples_alone_do_not_name_their_items():
    assert "Upload a ZIP archive with the export and the tuples." in refusal(FILES / "potato_best_worst.csv")


def test_potato_with_several_labels(tmp_path):
    path = written(tmp_path, "instance_id,user_id,q.a,q.b,q._spans\np1,ann,1,1,[]\np2,ann,1,,[]\n")
    _, export = export_of(path)
    assert ([(row.item, row.value) for row in export.ratings], export.skipped) == ([("p2", "1")], 1)


def test_litescale_project(tmp_path):
    path = archive(
        tmp_path / "project.zip",
        project__tuples_json=json.dumps({"tuple_size": 3, "tuples": TUPLES}),
        project__annotations__ann_json=json.dumps({"0": {"best": "c", "worst": "b"}}),
        project__annotations__bob_json=json.dumps({"0": {"best": "a", "worst": "b"}}),
    )
    format_, export = export_of(path)
    items = "a", "b", "c"
    assert format_ == "litescale"
    assert export.choices == [Choice(1, "0", items, "c", "b", "ann"), Choice(1, "0", items, "a", "b", "bob")]
    assert export.texts == {"a": ("fine",), "b": ("dull",), "c": ("lovely",)}


def test_litescale_without_its_tuples(tmp_path):
    path = archive(tmp_path / "project.zip", project__annotations__ann_json="{}")
    assert refusal(path, "litescale").startswith("“tuples.json” is missing.")


def test_wide_max_diff(tmp_path):
    format_, export = export_of(written(tmp_path, WIDE))
    assert (format_, export.skipped) == ("max_diff", 1)
    assert export.choices == [
        Choice(2, "", ("a", "b", "c"), "c", "b", "r1"),
        Choice(3, "", ("a", "b", "d"), "d", "a", "r1"),
    ]


def test_a_place_beyond_the_row_stays_as_it_is(tmp_path):
    _, export = export_of(written(tmp_path, WIDE.replace("3,1\n", "4,1\n")))
    assert export.choices[1].best == "4"


def test_long_max_diff(tmp_path):
    format_, export = export_of(written(tmp_path, LONG))
    items = "a", "b", "c"
    assert format_ == "max_diff"
    assert export.choices == [Choice(2, "", items, "a", "c", "r1"), Choice(5, "", items, "b", "c", "r2")]


def test_long_max_diff_with_a_column_for_each_side(tmp_path):
    _, export = export_of(written(tmp_path, MARKED))
    assert export.choices == [Choice(2, "", ("a", "b", "c"), "a", "c", "r1")]


@pytest.mark.parametrize(
    "text",
    ["", "item,annotator,value\np1,ann,3\n", "item1,item2,item3,best,worst,annotator\na,b,c,a,b,ann\n", "{", "[1]"],
)
def test_own_tables_and_other_files_are_not_recognised(tmp_path, text):
    path = written(tmp_path, text)
    assert recognise(read_parts(path, path.name)) == ""


def test_empty_lines_are_no_records(tmp_path):
    part = read_parts(written(tmp_path, "a,b\n,\n\n1,2\n"), "file.csv")[0]
    assert part.records == [parts.Record(4, {"a": "1", "b": "2"})]


def test_an_archive_with_a_file_of_an_array(tmp_path):
    path = archive(tmp_path / "project.zip", tuples_json="[]", notes_md="None.")
    assert [part.name for part in read_parts(path, path.name)] == ["tuples.json"]
    assert read_parts(path, path.name)[0].json_object() == {}


def test_a_potato_archive_with_lines_that_have_no_id(tmp_path):
    export = "instance_id,user_id,q.slider\np1,ann,3\n"
    path = archive(tmp_path / "export.zip", annotations_csv=export, notes_csv="note\nnone\n")
    assert export_of(path)[1].ratings == [Rating(2, "p1", "ann", "3")]


def test_json_that_breaks_off_is_no_object(tmp_path):
    path = archive(tmp_path / "project.zip", tuples_json="{")
    assert recognise(read_parts(path, path.name)) == ""


@pytest.mark.parametrize("name", ["label_studio", "potato", "doccano", "max_diff", "litescale"])
def test_a_wrong_guess_is_refused(tmp_path, name):
    path = written(tmp_path, '[{"labels": 3, "annotations": [4]}]', "file.json")
    with pytest.raises(CorpusError):
        read_export(read_parts(path, path.name), name)


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "file.csv"
    path.write_bytes(b"a\xff")
    assert refusal(path, "potato").startswith("“file.csv” can't be read:")
    path.write_bytes("instance_id,user_id,q\np,ann,1\n".encode("utf-16"))
    assert recognise(read_parts(path, path.name)) == "potato"


def test_an_archive_that_is_broken(tmp_path):
    path = tmp_path / "export.zip"
    path.write_bytes((FILES / "doccano_jsonl.zip").read_bytes().replace(b"PK\x03\x04", b"PK\x03\x05"))
    assert refusal(path, "doccano").startswith("“export.zip” can't be read:")


def test_broken_json_names_its_file(tmp_path):
    path = written(tmp_path, "[{]", "tasks.json")
    assert refusal(path, "doccano").startswith("“tasks.json” can't be read:")


def test_too_large_an_export(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "MOST_BYTES", 10)
    assert refusal(written(tmp_path, WIDE), "max_diff").startswith("The export is too large.")
    assert refusal(FILES / "doccano_jsonl.zip").startswith("The export is too large.")


def test_potato_with_two_questions_and_plain_labels(tmp_path):
    lines = [{"instance_id": "p1", "user_id": "ann", "labels": {"q": "3", "r": {"x": "1"}}}, {"note": "no answer"}]
    path = written(tmp_path, "\n".join(map(json.dumps, lines)), "annotations.jsonl")
    _, export = export_of(path, question="q")
    assert export.ratings == [Rating(1, "p1", "ann", "3")]


def test_times_that_are_none():
    assert [milliseconds(value) for value in ("5.25", None, "soon", float("inf"), -1)] == [5250, None, None, None, None]
