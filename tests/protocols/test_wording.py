"""Words of a protocol, changed by name."""

import pytest

from annotation.protocols.errors import ProtocolError
from annotation.protocols.wording import with_changes
from tests.presets import PRESETS


def labels_of(protocol):
    return [(float(label.value), label.text) for label in protocol.scale.labels]


def test_numbers_and_words_change_by_their_names_or_the_last_part_of_them():
    changes = {"people": "3", "question": "Which is the warmest?", "best": "warmest", "main.worst": "coldest"}
    changed = with_changes(PRESETS["semrel"], changes)
    design = changed.round("main").design
    assert (changed.question, design.people, design.best, design.worst) == (
        "Which is the warmest?", 3, "warmest", "coldest"
    )  # fmt: skip


def test_labels_change_one_by_one_and_follow_the_scale():
    changed = with_changes(PRESETS["dscs"], {"maximum": "2", "label.at.1": "some", "highest": "all of it"})
    assert labels_of(changed) == [(0, "completely dissimilar"), (1, "some"), (2, "all of it")]


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"scale.maximum": "6"}, "label.highest=…"),
        ({"scale.maximum": "6", "label.0": "nothing"}, "label.highest=…"),
        ({"minimum": "1", "maximum": "5"}, "label.lowest=…, label.highest=…"),
        ({"minimum": "1", "maximum": "5", "label.1": "nothing"}, "label.highest=…"),
    ],
)
def test_another_scale_asks_for_its_labels(changes, missing):
    with pytest.raises(ProtocolError, match="were written for a scale from 0 to 4") as error:
        with_changes(PRESETS["stss131"], changes)
    assert f"Set the labels of the new scale: {missing}, and label.VALUE=…" in str(error.value)


def test_labels_of_another_scale_are_those_that_are_written():
    assert labels_of(with_changes(PRESETS["stss131"], {"maximum": "6", "label.6": "the same", "label.3": "half"})) == [
        (0, "unrelated"),
        (3, "half"),
        (6, "the same"),
    ]
    assert labels_of(with_changes(PRESETS["rating"], {"maximum": "100", "label.highest": ""})) == [
        (0, "different meanings")
    ]


def test_any_point_is_labelled_by_its_value():
    changed = with_changes(
        PRESETS["stss131"], {"label.0": "none", "label.2.5": "half", "label.4.0": "all", "label.1": ""}
    )
    expected = [(0, "none"), (2, "very much alike"), (2.5, "half"), (3, "strongly related"), (4, "all")]
    assert labels_of(changed) == expected


def test_a_name_of_neither_is_refused():
    with pytest.raises(ProtocolError, match="This protocol has no setting “middle”"):
        with_changes(PRESETS["semrel"], {"middle": "so so"})
    with pytest.raises(ProtocolError, match="This protocol has no setting “0”"):
        with_changes(PRESETS["stss131"], {"0": "none"})
