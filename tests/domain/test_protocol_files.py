"""A protocol written to a file and read back; whatever else a file holds is refused."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.domain.errors import Refusal
from annotation.domain.project.creation import create_project, preset_values
from annotation.domain.project.protocol_files import LARGEST, read_protocol, write_protocol
from annotation.models import Question
from annotation.protocols.settings import with_settings
from annotation.protocols.storing import to_json
from annotation.protocols.wording import texts_of, with_texts
from tests.factories import NOON
from tests.presets import PRESETS
from tests.properties import examples


def file_of(preset: str = "stss131", **changes: object) -> dict:
    whole = {"format": "semblance protocol", "version": 1, "protocol": to_json(PRESETS[preset])}
    return json.loads(json.dumps(whole | changes))


def read(stored: object):
    return read_protocol(json.dumps(stored).encode())


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_written_is_read_again(db, preset):
    project = create_project(key="project", language="cs", now=NOON, **preset_values(preset))
    project.questions.create(position=1, kind="choice", text="Which?", choices=["a", "b"], published=True)

    outline = read(write_protocol(project))

    assert outline.protocol == project.protocol
    assert (outline.title, outline.language) == (project.title, "cs")
    assert (outline.guidelines, outline.consent) == (project.guidelines, project.consent)
    (question,) = outline.questions
    assert (question.kind, question.text, question.choices, question.published) == (
        "choice",
        "Which?",
        ["a", "b"],
        True,
    )


def test_numbers_and_words_may_be_others_than_the_presets(db):
    protocol = with_settings(PRESETS["stss131"], {"scale.maximum": "6", "people": "4"})
    protocol = with_texts(protocol, texts_of(protocol) | {"label.highest": "same", "label.at.2": "", "question": "?"})

    assert read(file_of(protocol=to_json(protocol))).protocol == protocol


def test_a_scale_that_grew_and_shrank_is_read_again(db):
    protocol = with_settings(with_settings(PRESETS["stss131"], {"scale.maximum": "2"}), {"scale.maximum": "4"})

    assert read(file_of(protocol=to_json(protocol))).protocol == protocol


def test_a_file_of_an_earlier_version_is_read_with_the_defaults():
    whole = file_of("dscs")
    for pool in whole["protocol"]["rounds"][0]["design"]["pools"]:
        del pool["screening_minimum"]

    assert read(whole).protocol == PRESETS["dscs"]


def changed(path: str, value: object) -> dict:
    """The file with one part changed; the path names keys and places."""
    whole = file_of("czech_news")
    node, *steps = whole, *path.split(".")
    for step in steps[:-1]:
        node = node[int(step)] if isinstance(node, list) else node[step]
    last = int(steps[-1]) if isinstance(node, list) else steps[-1]
    node[last] = value
    return whole


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("format", "other", "This is not a protocol file"),
        ("version", 2, "version 2"),
        ("version", None, "version None"),
        ("title", 3, "“title” must be text"),
        ("title", "x" * 201, "“title” is longer than 200 characters"),
        ("language", "a b", "language” must be a language tag"),
        ("guidelines", "a\x00b", "The file contains characters that can't"),
        ("guidelines", "a\ud800b", "The file contains characters that can't"),
        ("protocol", None, "The file contains no protocol"),
        ("protocol", {}, "cannot be read"),
        ("protocol.key", "../mine", "The protocol in the file was"),
        ("protocol.key", "dscs", "rounds that this installation"),
        ("protocol.title", None, "The protocol in the file was"),
        ("protocol.title", "Mine", "rounds that this installation"),
        ("protocol.extra", 1, "The protocol in the file was"),
        ("protocol.question", "x" * 301, "longer than 300"),
        ("protocol.scale", None, "collects ratings, but the protocol has"),
        ("protocol.scale.step", "nan", "“Step” must be between"),
        ("protocol.rounds.0.key", "X", "R1|rounds"),
        ("protocol.rounds.0.design.incidents", 0, "“Incidents per annotator” must be between 1 and 1000"),
        ("protocol.rounds.0.design.incidents", 10**30, "must be between"),
        ("protocol.rounds.0.design.incidents", float("inf"), "can.*t be read"),
        ("protocol.rounds.0.design.incidents", "6", "The protocol in the file was"),
        ("protocol.rounds.1.pause_hours", float("nan"), "“Pause between sessions” must be between"),
        ("protocol.rounds.1.design.kind", "Project", "cannot be read"),
        ("questions", 5, "questions” must be a list of"),
        ("questions", [5], "JSON object"),
        ("questions", [{"kind": "poem", "text": "?"}], "unknown kind"),
        ("questions", [{"kind": ["text"], "text": "?"}], "unknown kind"),
        ("questions", [{"kind": "text", "text": " "}], "has no text"),
        ("questions", [{"kind": "choice", "text": "?", "choices": [1, 2]}], "list of texts"),
        ("questions", [{"kind": "choice", "text": "?", "choices": ["a"]}], "answer options, one per line"),
    ],
)
def test_a_wrong_file_is_refused_with_a_reason(path, value, reason):
    with pytest.raises(Refusal, match=reason):
        read(changed(path, value))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xfe\x00", "not valid UTF-8"),
        (b"[]", "JSON object"),
        (b"[" * 100_000, "nested too deeply|not valid JSON"),
        (b'{"version": ' + b"9" * 5000 + b"}", "The file is nested too deeply"),
        (b" " * (LARGEST + 1), "too large"),
    ],
)
def test_what_is_no_such_file_is_refused(content, reason):
    with pytest.raises(Refusal, match=reason):
        read_protocol(content)


def test_a_protocol_with_an_unknown_key_may_follow_any_preset():
    protocol = replace(with_settings(PRESETS["dscs"], {"students.people": "2"}), key="mine", title="My protocol")

    assert read(file_of(protocol=to_json(protocol))).protocol == protocol
    with pytest.raises(Refusal, match="“title” is longer than 200 characters"):
        read(file_of(protocol=to_json(replace(protocol, title="x" * 201))))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def paths(node: object, path: tuple = ()) -> list[tuple]:
    """The way to every part of a tree of JSON."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(deeper for key, one in inner for deeper in paths(one, (*path, key)))]


@settings(max_examples=examples(2))
@given(st.data())
def test_a_file_with_anything_anywhere_is_read_or_refused(data):
    """And what is read is a protocol that can be stored and read once more."""
    whole = file_of(data.draw(st.sampled_from(list(PRESETS))), questions=[{"kind": "text", "text": "?"}])
    *above, last = data.draw(st.sampled_from(paths(whole)[1:]))
    node = whole
    for step in above:
        node = node[step]
    node[last] = data.draw(JSON)
    try:
        outline = read(whole)
    except Refusal as refusal:
        assert str(refusal)
        return
    assert read(file_of(protocol=to_json(outline.protocol))).protocol == outline.protocol
    assert all(isinstance(question, Question) for question in outline.questions)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(content):
    with pytest.raises(Refusal):
        read_protocol(content)
