"""Releases of projects compared with each other, from their stored files."""

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from scoring.models import Release, ReleaseFile, State
from scoring.summaries.releases.comparing import compare_releases, main_place, place_of
from scoring.summaries.releases.reading import JUDGMENTS, Place, ReleasedData, ReleaseFault, read_release
from scoring.summaries.undefined import Result

LARGEST = 50_000_000  # bytes of judgments.jsonl: about 100,000 judgments, read in two seconds


@dataclass(frozen=True)
class StoredFiles:
    """The files of a release in the storage."""

    release: Release

    def read(self, name: str) -> bytes:
        try:
            with self.release.files.get(name=name).file.open("rb") as file:
                return file.read()  # type: ignore[no-any-return]
        except (ReleaseFile.DoesNotExist, OSError) as error:
            raise KeyError(name) from error


def comparison_of(first: Release, second: Release, rounds: tuple[str, str] = ("", "")) -> Result:
    """Return how two releases agree, as `compare_releases` does.

    Parameters: rounds, of each as ROUND or ROUND.CONTEXT; empty for the last one.

    Raises: Refusal if a release is not finished or too large, a file is missing or was changed, or they cannot be
    compared.
    """
    for release in (first, second):
        _require_small(release)
    try:
        sides = [read_release(_name(release), StoredFiles(release)) for release in (first, second)]
        places = [_place(side, chosen) for side, chosen in zip(sides, rounds, strict=True)]
        return compare_releases(sides[0], sides[1], (places[0], places[1]))
    except ReleaseFault as error:
        raise Refusal(str(error)) from error


def _require_small(release: Release) -> None:
    if release.state != State.DONE:
        raise Refusal(_("The release is not finished yet."))
    judgments = release.files.filter(name=JUDGMENTS).first()
    if judgments and judgments.size > LARGEST:
        raise Refusal(
            _(
                "%(release)s is too large to be compared on this page: its judgments have more than %(size)s MB. "
                "Download both releases and use python -m scoring compare-releases."
            )
            % {"release": _name(release), "size": number_format(LARGEST // 1_000_000)}
        )


def _name(release: Release) -> str:
    return f"{release.project.key}, release {release.number}"


def _place(release: ReleasedData, chosen: str) -> Place:
    if not chosen:
        return main_place(release)
    round_key, _dot, context = chosen.partition(".")
    return place_of(release, round_key, context)
