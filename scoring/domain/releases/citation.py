"""The citation of a release, as text and in BibTeX."""

from django.utils.timezone import localtime

from annotation.models.project import author_names
from scoring.exports.bibtex import address, entry, escaped, names
from scoring.models import Release


def citation(release: Release) -> str:
    """Return one line: title, number, day, licence and the checksum that covers all files."""
    authors = "; ".join(author_names(release.project.authors))
    parts = [authors, _title(release), f"Release {release.number}", _day(release), release.licence, release.project.url]
    text = ". ".join(part for part in parts if part)
    return f"{text}. SHA-256 of manifest.json: {release.sha256}."


def bibtex(release: Release) -> str:
    """Return an entry of BibTeX, which compiles whatever the title and the names hold."""
    day, project = _day(release), release.project
    fields = {
        "author": names(author_names(project.authors)),
        "title": f"{{{escaped(_title(release))}}}",
        "version": f"Release {release.number}",
        "year": day[:4],
        "month": day[5:7].lstrip("0"),
        "url": address(project.url),
        "note": f"SHA-256 of manifest.json: {release.sha256}",
    }
    return entry(f"{project.key}-{release.number}", fields)


def _title(release: Release) -> str:
    return " ".join((release.title or release.project.title).split())


def _day(release: Release) -> str:
    return localtime(release.ended_at).date().isoformat() if release.ended_at else ""
