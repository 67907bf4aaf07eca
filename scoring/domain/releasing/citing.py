"""How a release is named where somebody has used it."""

from django.utils.timezone import localtime

from scoring.models import Release

LONG = {"\\": r"\textbackslash{}", "~": r"\~{}", "^": r"\^{}"}
SPECIAL = str.maketrans(LONG | {sign: f"\\{sign}" for sign in "&%$#_{}"})
"""What BibTeX would take for a command."""


def citation(release: Release) -> str:
    """One line: title, number, day, licence and the checksum that stands for all files."""
    parts = [_title(release), f"Release {release.number}", _day(release), release.licence]
    told = ". ".join(part for part in parts if part)
    return f"{told}. SHA-256 of manifest.json: {release.sha256}."


def bibtex(release: Release) -> str:
    day = _day(release)
    fields = {
        "title": f"{{{_title(release).translate(SPECIAL)}}}",
        "version": f"Release {release.number}",
        "year": day[:4],
        "month": day[5:7].lstrip("0"),
        "note": f"SHA-256 of manifest.json: {release.sha256}",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@misc{{{release.project.key}-{release.number},", *lines, "}"])


def _title(release: Release) -> str:
    return " ".join((release.title or release.project.title).split())


def _day(release: Release) -> str:
    return localtime(release.ended_at).date().isoformat() if release.ended_at else ""
