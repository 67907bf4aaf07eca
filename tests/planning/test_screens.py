from hypothesis import given
from hypothesis import strategies as st

from annotation.planning.screens import Screen, lay_out
from annotation.protocols.terms import BlockKind, Context

BOTH = (Context.FREE, Context.DEPENDENT)
ITEMS = st.lists(st.integers(1, 1000), max_size=8)


def test_screens_of_two_sessions():
    # Czech News, Fig. 5: calibration, main, intra; the same again in context.
    blocks = [(BlockKind.CALIBRATION, [9]), (BlockKind.MAIN, [4, 2]), (BlockKind.INTRA, [7])]
    assert list(lay_out(blocks, BOTH)) == [
        Screen(session, context, block, position, item)
        for session, context in ((1, Context.FREE), (2, Context.DEPENDENT))
        for position, block, item in (
            (1, BlockKind.CALIBRATION, 9),
            (2, BlockKind.MAIN, 4),
            (3, BlockKind.MAIN, 2),
            (4, BlockKind.INTRA, 7),
        )
    ]


@given(calibration=ITEMS, main=ITEMS, intra=ITEMS)
def test_sessions_are_equal_in_blocks_items_and_order(calibration, main, intra):
    blocks = list(zip(BlockKind, (calibration, main, intra), strict=True))
    screens = list(lay_out(blocks, BOTH))
    free, dependent = (
        [(one.block, one.position, one.item) for one in screens if one.context == context] for context in BOTH
    )
    assert free == dependent
    assert [item for _, _, item in free] == [*calibration, *main, *intra]
    assert [position for _, position, _ in free] == list(range(1, len(free) + 1))
