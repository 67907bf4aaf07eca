"""Squashed migrations that a backup names, and that later versions replaced by others."""

import pytest

from config.backup.errors import BackupError
from config.backup.versions import guard_known, single

KNOWN = [("annotation", name) for name in ("0001_initial", "0002_more", "0003_last", "0001_squashed_0003")]


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (["0001_initial", "0002_more"], ["0001_initial", "0002_more"]),
        (["0001_squashed_0002"], ["0001_initial", "0002_more"]),
        (["0001_squashed_0003"], ["0001_initial", "0002_more", "0003_last"]),
        (["0001_squashed_0002", "0003_last"], ["0001_initial", "0002_more", "0003_last"]),
        (["0001_squashed_0004"], ["0001_squashed_0004"]),
    ],
)
def test_a_squashed_migration_stands_for_those_up_to_its_number(named, expected):
    found = single([("annotation", name) for name in named], KNOWN)
    assert found == {("annotation", name) for name in expected}


def test_squashed_migrations_of_earlier_versions_are_known_and_of_later_ones_are_not():
    guard_known([("annotation", "0001_squashed_0016"), ("scoring", "0001_squashed_0008")], "0.1.0")
    with pytest.raises(BackupError, match=r"this version lacks \(scoring\.0001_squashed_9000\)"):
        guard_known([("scoring", "0001_squashed_9000")], "9.0.0")
