import hashlib
import subprocess
import sys
import zipfile
from dataclasses import fields, replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.summaries.parts import parts_for
from scoring.summaries.storing import TABLES, from_bytes, stored, to_bytes
from scoring.summaries.tables import Facts, Groups, Items, Origins
from tests.summaries.snapshots import FEW, SINGLE, chosen_snapshot, czech_snapshot, items_of, ratings_of, snapshot_of

some_text = st.text(st.characters(exclude_categories=["Cs"]))


def same(one, other):
    for name in TABLES:
        for column in fields(getattr(one, name)):
            pair = [getattr(getattr(own, name), column.name) for own in (one, other)]
            if isinstance(pair[0], tuple):
                assert pair[0] == pair[1], column.name
            else:
                assert pair[0].dtype.kind == pair[1].dtype.kind, column.name
                np.testing.assert_array_equal(*pair, err_msg=column.name)
    np.testing.assert_array_equal(one.tuples, other.tuples)
    assert repr(one.facts) == repr(other.facts)


@pytest.mark.parametrize(
    "snapshot", [chosen_snapshot(), czech_snapshot(), snapshot_of(items_of(0), facts=Facts((), ()))]
)
def test_a_snapshot_comes_back_from_its_file(snapshot):
    content = to_bytes(snapshot)

    same(from_bytes(content), snapshot)
    assert to_bytes(from_bytes(content)) == content


def test_the_same_data_give_the_same_bytes_in_another_process():
    code = "from tests.summaries.snapshots import *; from scoring.summaries.storing import *; import hashlib; "
    code += "print(hashlib.sha256(to_bytes(czech_snapshot())).hexdigest())"

    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert printed.strip() == hashlib.sha256(to_bytes(czech_snapshot())).hexdigest()


@given(st.lists(some_text, max_size=5))
def test_texts_of_any_script_come_back(texts):
    snapshot = snapshot_of(items_of(len(texts), sentence1=tuple(texts), language=tuple(texts)))

    same(from_bytes(to_bytes(snapshot)), snapshot)


def test_one_nan_and_one_zero_are_written_and_numpy_reads_the_file_without_pickle():
    other_nan = np.frombuffer(np.uint64(0xFFF8000000000001).tobytes(), np.float64)[0]
    one, other = (
        to_bytes(snapshot_of(items_of(2, selected=np.array(values)), ratings=ratings_of([(0, 0, zero)])))
        for values, zero in (([np.nan, 1], 0.0), ([other_nan, 1], -0.0))
    )

    assert one == other
    with np.load(BytesIO(one), allow_pickle=False) as archive:
        assert archive["ratings.items"].dtype == np.int8
        assert archive["items.selected"].tolist()[1] == 1


class Watched(BytesIO):
    """A file that counts the bytes that are read of it."""

    count = 0

    def read(self, *arguments):
        content = super().read(*arguments)
        self.count += len(content)
        return content


def test_columns_are_read_when_they_are_first_needed():
    texts = tuple("A long text. " * 10_000 for _ in range(3))
    file = Watched(to_bytes(snapshot_of(items_of(3, sentence1=texts))))

    snapshot = stored(file)
    assert (snapshot.items.keys, snapshot.items.gold.shape) == (("i0", "i1", "i2"), (3,))
    before = file.count

    assert before < 100_000
    assert snapshot.items.sentence1 == texts
    assert file.count - before > 300_000
    assert snapshot.items.sentence1 is snapshot.items.sentence1
    with pytest.raises(AttributeError):
        _ = snapshot.items.gone


def test_choices_are_read_with_32_bits_and_computed_with_64():
    snapshot = chosen_snapshot()

    found = from_bytes(to_bytes(snapshot))

    assert {found.choices.items.dtype, found.choices.tuples.dtype} == {np.dtype(np.int32)}
    assert found.choices.tuples.tolist() == snapshot.choices.tuples.tolist()
    assert {found.screens.rounds.dtype, found.sources.judgments.dtype} == {np.dtype(np.int64)}


def test_wide_integers_come_back():
    ratings = ratings_of([(0, 0, 1.0)] * 4, position=np.array([-129, 2**15, 2**31, -(2**31) - 1]))

    assert from_bytes(to_bytes(snapshot_of(items_of(1), ratings=ratings))).ratings.position.tolist() == [
        -129,
        2**15,
        2**31,
        -(2**31) - 1,
    ]


def test_a_file_of_another_form_is_refused(monkeypatch):
    content = to_bytes(snapshot_of(items_of(1)))
    monkeypatch.setattr("scoring.summaries.storing.SCHEMA_VERSION", 2)

    with pytest.raises(ValueError, match="another version"):
        from_bytes(content)


def test_a_file_of_the_time_before_screens_and_origins_is_read_without_them():
    snapshot = chosen_snapshot()
    with zipfile.ZipFile(BytesIO(to_bytes(snapshot))) as whole:
        kept = {name: whole.read(name) for name in whole.namelist() if not name.startswith(("screens.", "origins."))}
    earlier = BytesIO()
    with zipfile.ZipFile(earlier, "w") as archive:
        for name, content in kept.items():
            archive.writestr(name, content)

    found = from_bytes(earlier.getvalue())

    assert (len(found.screens.rounds), found.origins.sources) == (0, ())
    assert len(found.choices.best) == len(snapshot.choices.best)
    assert {"choice_scores", "corpus"} <= set(parts_for(found, FEW))
    assert "choice_people" not in parts_for(found, FEW)


def test_every_item_has_an_origin_or_none_has():
    with pytest.raises(ValueError, match="There are 1 origins of 2"):
        snapshot_of(items_of(2), origins=Origins(("news",), ("random",)))


def test_columns_of_one_table_have_the_same_length():
    with pytest.raises(ValueError, match="columns of Groups differ in length"):
        Groups(("one",), ())
    with pytest.raises(ValueError, match="columns of Items"):
        Items(*[("a", "b")] * 4, *[np.zeros(1)] * 6)


@pytest.mark.parametrize(
    ("item", "rater", "message"),
    [
        (2, 0, "an item of a rating is outside the range 0 to 1"),
        (-1, 0, "an item of a rating"),
        (0, 3, "a rater is outside"),
    ],
)
def test_an_index_beyond_its_table_is_refused(item, rater, message):
    with pytest.raises(ValueError, match=message):
        snapshot_of(items_of(2), ratings=ratings_of([(item, rater, 1.0)]), people=1)


def test_a_group_may_be_none_but_not_beyond_the_groups():
    with pytest.raises(ValueError, match="a group is outside the range -1 to 0"):
        snapshot_of(items_of(1, groups=np.array([1])), groups=Groups(("one",), ("hotel",)))


def test_facts_need_contexts_for_every_round_and_scores_for_every_role():
    with pytest.raises(ValueError, match="Every round"):
        replace(SINGLE, contexts=())
    with pytest.raises(ValueError, match="every role"):
        replace(SINGLE, roles=("A",))
    assert SINGLE.midpoint == 2
