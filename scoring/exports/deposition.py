"""What a record of Zenodo says about a release (developers.zenodo.org, deposit metadata)."""

from html import escape
from typing import Any

from annotation.models.project import author_names
from scoring.models import Release


def metadata(release: Release) -> dict[str, Any]:
    """Return what Zenodo's record says about a release."""
    project = release.project
    return {
        "upload_type": "dataset",
        "title": " ".join((release.title or project.title).split()),
        "creators": [{"name": name} for name in author_names(project.authors)],
        "description": _description(release),
        "access_right": "open",
        "license": release.licence.lower(),
        "version": f"{release.number}.0.0",
        "publication_date": f"{release.ended_at or release.created_at:%Y-%m-%d}",
        "prereserve_doi": True,
    }


def _description(release: Release) -> str:
    """Return a paragraph of HTML."""
    where = (
        f' See <a href="{escape(release.project.url)}">{escape(release.project.url)}</a>.'
        if release.project.url
        else ""
    )
    return (
        f"<p>Human judgments of texts, release {release.number} of a project in Semblance. README.md describes the "
        f"data; manifest.json has the checksum of every file (SHA-256 of manifest.json: {release.sha256}).{where}</p>"
    )
