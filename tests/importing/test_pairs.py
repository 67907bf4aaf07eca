import pytest

from annotation.domain.errors import Refusal
from annotation.domain.material import FileRefused, import_items
from annotation.domain.material.rows import MOST_PROBLEMS, Problem
from annotation.domain.planning.rounds import plan_round
from annotation.models import Item, Participation
from tests.factories import add_pairs, make_project
from tests.importing.files import json_lines, problems_of, write

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

HEADER = "id,sentence1,sentence2"
IN_CONTEXT = "Before. <sent>One</sent> After."
GOOD = {"id": 1, "sentence1": "One", "sentence2": "Two"}
MISSING = "The value is missing."
NO_TEXT = "The text contains a character that can't be stored (NUL or an incomplete character). Remove it."
NO_VALUE = "One of these columns has a value that can't be stored. Remove it."
NO_TAG = "is not a language tag. Use a tag such as en, cs or ar-EG."
BEFORE = "is already used on line 2. Change one of them."


@pytest.fixture
def project():
    return make_project("stss131")


def imported(project, path):
    """The pairs that the file brought in: key and texts."""
    number = import_items(project=project, path=path)
    rows = list(Item.objects.order_by("position").values_list("key", "sentence1", "sentence2"))
    assert number == len(rows)
    return rows


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}\n1,One,Two\n2,Three,Four\n",
        f"{HEADER}\r\n1,One,Two\r\n2,Three,Four",
        f"\ufeff{HEADER}\n1,One,Two\n2,Three,Four\n",
        "pair;Sentence1; SENTENCE2 \n1;One;Two\n2;Three;Four\n",
        "id\tsentence1\tsentence2\n1\tOne\tTwo\n2\tThree\tFour\n",
        "sentence2,id,sentence1\nTwo,1,One\nFour,2,Three\n",
        f"{HEADER}\n1,One,Two\n\n , ,\n{HEADER}\n2,  Three ,Four\n\n",
        '"id","sentence1","sentence2"\n"1","One","Two"\n2,"Three",Four\n',
        json_lines(GOOD, "", {"pair": "2", "sentence1": "Three", "sentence2": "Four"}),
        "\ufeff" + json_lines(GOOD, {"ID": 2, "Sentence1": "Three", "sentence2": "Four"}),
    ],
    ids=["csv", "crlf", "bom", "semicolon", "tsv", "order", "strays", "quotes", "json", "json-bom"],
)  # fmt: skip
def test_pairs_in_every_form(project, tmp_path, text):
    assert imported(project, write(tmp_path, text)) == [("1", "One", "Two"), ("2", "Three", "Four")]


def test_pairs_with_commas_quotes_and_line_breaks(project, tmp_path):
    path = write(tmp_path, f'{HEADER}\n1,"One, ""two"",\nthree",Four\n')
    assert imported(project, path) == [("1", 'One, "two",\nthree', "Four")]


def test_pairs_with_equal_texts_are_all_kept(project, tmp_path):
    path = write(tmp_path, f"{HEADER}\n1,Same,Same\n2,Same,Same\n")
    assert imported(project, path) == [("1", "Same", "Same"), ("2", "Same", "Same")]


def test_pairs_right_to_left(project, tmp_path):
    path = write(tmp_path, f"{HEADER},language\n1,ذهب الولد إلى المدرسة,הילד הלך לבית הספר,ar-EG\n")
    assert imported(project, path) == [("1", "ذهب الولد إلى المدرسة", "הילד הלך לבית הספר")]
    assert project.items.get().language == "ar-EG"


def test_pair_with_every_column(project, tmp_path):
    header = f"{HEADER},context1,context2,gold,calibration,language,source,Year,"
    path = write(tmp_path, f"{header}\np,One,Two,{IN_CONTEXT},<sent>Two</sent>,Similar,1,en,Reuters,2021,x\n")
    import_items(project=project, path=path)
    values = project.items.values(
        "key", "position", "sentence1", "sentence2", "context1", "context2", "gold", "calibration_order", "language",
        "source", "extra",
    ).get()  # fmt: skip
    assert values == {
        "key": "p",
        "position": 1,
        "sentence1": "One",
        "sentence2": "Two",
        "context1": IN_CONTEXT,
        "context2": "<sent>Two</sent>",
        "gold": True,
        "calibration_order": 1,
        "language": "en",
        "source": "Reuters",
        "extra": {"year": "2021"},
    }


def test_further_columns_of_json_keep_their_kind(project, tmp_path):
    extra = {"topics": ["a", "b"], "year": 2021, "note": "back\\u0000slash", "nested": {"x": None}}
    path = write(tmp_path, json_lines({"id": 1, "sentence1": "One", "sentence2": "Two"} | extra))
    import_items(project=project, path=path)
    assert project.items.get().extra == extra


@pytest.mark.parametrize(
    ("text", "gold"),
    [("similar", True), ("1", True), ("DISSIMILAR", False), ("0", False), ("", None)],
)
def test_gold_label_in_words_and_numbers(project, tmp_path, text, gold):
    import_items(project=project, path=write(tmp_path, f"{HEADER},gold\n1,One,Two,{text}\n"))
    assert project.items.get().gold is gold


def test_flags_of_json(project, tmp_path):
    row = {"sentence1": "One", "sentence2": "Two"}
    rows = [row | {"id": 1, "gold": False, "calibration": True}, row | {"id": 2, "gold": None, "calibration": 0}]
    import_items(project=project, path=write(tmp_path, json_lines(*rows)))
    assert list(project.items.values_list("key", "gold", "calibration_order")) == [("1", False, 1), ("2", None, None)]


def test_second_file_goes_on_where_the_first_ended(project, tmp_path):
    add_pairs(project, 2, calibration=1)
    import_items(project=project, path=write(tmp_path, f"{HEADER},calibration\n8,One,Two,true\n9,One,Two,false\n"))
    assert list(project.items.values_list("key", "position", "calibration_order")) == [
        ("p1", 1, 1),
        ("p2", 2, None),
        ("8", 3, 2),
        ("9", 4, None),
    ]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [f"line 1, {name}: This column is missing." for name in HEADER.split(",")]),
        ("id,sentence1\n1,One\n", ["line 1, sentence2: This column is missing."]),
        (f"{HEADER},id\n1,One,Two,3\n", ["line 1, id: The file has this column twice. Rename or remove one of them."]),
        (f"{HEADER}\n,One,Two\n2, ,Four\n", [f"line 2, id: {MISSING}", f"line 3, sentence1: {MISSING}"]),
        (f"{HEADER}\n1,One\n2,One,Two,Three\n", [(
"line 2: The row does not match the columns: 2 values, "
"but 3 columns. Check for missing quotation marks."
), "line 3: The row does not match the columns: 4 values, but 3 columns. Check for missing quotation marks."]),
        (f"{HEADER}\n1,One,Two\n1,One,Two\n", [f"line 3, id: The ID “1” {BEFORE}"]),
        (f'{HEADER}\n1,"One\nmore",Two\n2,,Four\n', [f"line 4, sentence1: {MISSING}"]),
        (f"{HEADER}\n1,One,{'x' * 20_001}\n", [(
"line 2, sentence2: The text is too long: "
"20001 characters, and the maximum is 20000."
)]),
        (f"{HEADER}\n{'x' * 201},One,Two\n", [(
"line 2, id: The text is too long: 201 "
"characters, and the maximum is 200."
)]),
        (f"{HEADER},gold\n1,One,Two,perhaps\n", [(
"line 2, gold: “perhaps” is not a known "
"label. Use similar or 1, dissimilar or 0."
)]),
        (f"{HEADER},calibration\n1,One,Two,2\n", ["line 2, calibration: “2” is not 1 or 0."]),
        (f"{HEADER},language\n1,One,Two,in Czech\n", [f"line 2, language: “in Czech” {NO_TAG}"]),
        (f"{HEADER},language\n1,One,Two,{'en-' * 12}us\n", [f"line 2, language: “{'en-' * 12}us” {NO_TAG}"]),
        ("id,sen\0tence1,sentence2\n", ["line 1: The file is not CSV, TSV or JSON Lines."]),
        (f"{HEADER}\n1,O\0ne,Two\n", [f"line 2, sentence1: {NO_TEXT}"]),
        (f"{HEADER},note\n1,One,Two,\0\n", [f"line 2, note: {NO_VALUE}"]),
        (json_lines(GOOD, "[1]"), ["line 2: Each line must be a JSON object in braces."]),
        (json_lines(GOOD | {"sentence1": ["One"]}), ["line 1, sentence1: The value must be text."]),
        (json_lines(GOOD | {"id": True}), ["line 1, id: The value must be text."]),
        (json_lines({"id": 1}), [f"line 1, sentence1: {MISSING}", f"line 1, sentence2: {MISSING}"]),
        (json_lines(GOOD | {"gold": [1]}), [(
"line 1, gold: “[1]” is not a known label. "
"Use similar or 1, dissimilar or 0."
)]),
        ('{"id": 1, "sentence1": "O\\ud800", "sentence2": "Two"}', [f"line 1, sentence1: {NO_TEXT}"]),
        ('{"id": 1, "sentence1": "A", "sentence2": "B", "x": "\\ud800"}', [f"line 1, x: {NO_VALUE}"]),
        ('{"id": 1, "sentence1": "A", "sentence2": "B", "x": ["\\u0000"]}', [f"line 1, x: {NO_VALUE}"]),
        ('{"id": 1, "sentence1": "A", "sentence2": "B", "x": 1e999}', [f"line 1, x: {NO_VALUE}"]),
    ],
)  # fmt: skip
def test_pairs_refused(project, tmp_path, text, problems):
    assert problems_of(project, write(tmp_path, text)) == problems


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f'{HEADER}\n1,One,Two\n2,"Three,Four\n', "line 3: This is not valid CSV: "),
        (json_lines(GOOD, "{oops}"), "line 2: This is not valid JSON: "),
        ('{"id": ' + "[" * 100_000, "line 1: This is not valid JSON: "),
    ],
    ids=["csv", "json", "deep"],
)
def test_pairs_that_no_parser_reads(project, tmp_path, text, problem):
    (found,) = problems_of(project, write(tmp_path, text))
    assert found.startswith(problem)


def test_quotes_in_tsv_are_quotes_unless_around_the_whole_value(project, tmp_path):
    rows = ['1\t"Yes" he said\t"He said ""yes"", and went."', '2\tTab-free "end"\t"']
    import_items(project=project, path=write(tmp_path, "id\tsentence1\tsentence2\r\n" + "\r\n".join(rows)))
    assert list(project.items.values_list("sentence1", "sentence2")) == [
        ('"Yes" he said', 'He said "yes", and went.'),
        ('Tab-free "end"', '"'),
    ]


def test_pair_is_a_further_column_beside_id(project, tmp_path):
    import_items(project=project, path=write(tmp_path, f"{HEADER},pair\n1,One,Two,x\n"))
    assert project.items.values_list("key", "extra").get() == ("1", {"pair": "x"})


def test_every_line_in_a_wrong_encoding_is_told(project, tmp_path):
    text = f"{HEADER}\n1,Tři,Two\n2,One,\n3,One,Čtyři\n".encode("cp1250")
    assert problems_of(project, write(tmp_path, text)) == [
        "line 2: Byte 4 of this line is not valid UTF-8. Save the file as UTF-8.",
        "line 3, sentence2: The value is missing.",
        "line 4: Byte 7 of this line is not valid UTF-8. Save the file as UTF-8.",
    ]


def test_text_that_nobody_can_see_is_missing(project, tmp_path):
    problems = problems_of(project, write(tmp_path, f"{HEADER}\n1,\u200b,Two\n"))
    assert problems == ["line 2, sentence1: The value is missing."]


def test_context_of_another_sentence_is_refused(project, tmp_path):
    path = write(tmp_path, f"{HEADER},context1\n1,One,Two,before <sent>Three</sent>\n")
    assert problems_of(project, path) == [
        "line 2, context1: The text between <sent> and </sent> differs from sentence1. Make them the same."
    ]


def test_array_of_json_is_told_to_be_json_lines(project, tmp_path):
    (found,) = problems_of(project, write(tmp_path, '[{"id": "1"}]'))
    assert found == "line 1: Each line must be a JSON object in braces."


@pytest.mark.parametrize("context", ["One", "<sent>One", "</sent>One<sent>", "<sent>One</sent> <sent>Two</sent>"])
def test_context_without_its_sentence(project, tmp_path, context):
    path = write(tmp_path, f"{HEADER},context2\n1,One,Two,{context}\n")
    assert problems_of(project, path) == [
        "line 2, context2: The context must contain the sentence exactly once, between <sent> and </sent>."
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"{HEADER}\n1,One,Two\n2,Tři,Čtyři\n".encode("cp1250"), "line 3: Byte 4"),
        (json_lines(GOOD, GOOD | {"id": "é"}).encode("latin-1"), "line 2: Byte 9"),
    ],
    ids=["cp1250", "json"],
)
def test_wrong_encoding_is_told_with_its_line(project, tmp_path, text, place):
    assert problems_of(project, write(tmp_path, text)) == [
        f"{place} of this line is not valid UTF-8. Save the file as UTF-8."
    ]


def test_every_bad_row_is_listed(project, tmp_path):
    rows = [f"{number},{'One' if number % 2 else ''},Two" for number in range(1, 2501)]
    found = problems_of(project, write(tmp_path, "\n".join([HEADER, *rows[:1999]])))
    assert found == [f"line {line}, sentence1: The value is missing." for line in range(3, 2001, 2)]


def test_more_problems_than_anybody_would_read(project, tmp_path):
    path = write(tmp_path, "\n".join([HEADER, *["1,,"] * 600]))
    with pytest.raises(FileRefused, match="the file has at least 1000 problems"):
        import_items(project=project, path=path)
    assert len(problems_of(project, path)) == MOST_PROBLEMS


def test_one_problem_is_told_in_the_singular():
    error = FileRefused([Problem(0, "", "too bad.")])
    assert str(error) == "Nothing was imported: the file has 1 problem."
    assert error.as_json() == [{"line": 0, "column": "", "reason": "too bad."}]
    assert str(error.problems[0]) == "file: too bad."


def test_id_that_the_project_has(project, tmp_path):
    import_items(project=project, path=write(tmp_path, f"{HEADER}\n1,One,Two\n"))
    with pytest.raises(FileRefused) as refused:
        import_items(project=project, path=write(tmp_path, f"{HEADER}\n2,One,Two\n1,One,Two\n"))
    assert [problem.line for problem in refused.value.problems] == [3]
    assert list(project.items.values_list("key", flat=True)) == ["1"]


def test_fault_after_thousands_of_good_rows_keeps_none(project, tmp_path):
    rows = [f"{number},One,Two" for number in range(1, 2502)]
    assert problems_of(project, write(tmp_path, "\n".join([HEADER, *rows, "x,One,"]))) == [
        "line 2503, sentence2: The value is missing."
    ]


def test_file_of_more_than_one_batch(project, tmp_path):
    rows = [f"{number},One,Two" for number in range(1, 2502)]
    assert import_items(project=project, path=write(tmp_path, "\n".join([HEADER, *rows]))) == 2501
    assert project.items.count() == 2501


def test_file_without_rows(project, tmp_path):
    with pytest.raises(Refusal, match="The file has no rows, so"):
        import_items(project=project, path=write(tmp_path, f"{HEADER}\n"))


def test_pairs_after_planning(project, tmp_path):
    add_pairs(project, 1)
    plan_round(project=project, round_key="main", people=1)
    with pytest.raises(Refusal, match="Items can't be imported any more"):
        import_items(project=project, path=write(tmp_path, f"{HEADER}\n1,One,Two\n"))
    assert project.items.count() == 1


def test_pairs_may_be_added_to_a_planned_best_worst_round(tmp_path):
    """Planning again extends the design."""
    project = make_project("semrel")
    add_pairs(project, 8)
    Participation.objects.create(project=project, round="main", seat=1)

    assert import_items(project=project, path=write(tmp_path, f"{HEADER}\n1,One,Two\n")) == 1
