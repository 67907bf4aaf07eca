"""Zenodo's deposit API (developers.zenodo.org): a deposition with files and metadata, published on request."""

from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import note
from annotation.models.project import author_names
from scoring.domain.uploads.contents import Content, contents_of
from scoring.domain.uploads.transport import Client, NotFound
from scoring.exports.deposition import metadata
from scoring.models import Release, Upload

MOST_FILES, MOST_BYTES = 100, 50_000_000_000
"""The limits of one record (help.zenodo.org)."""
DEPOSITIONS = "/api/deposit/depositions"
OCTETS = "application/octet-stream"


def guard(release: Release, name: str) -> str:
    """Return the name of a new upload, which Zenodo does not need. Raise Refusal if a field that it requires is
    missing."""
    if not author_names(release.project.authors):
        raise Refusal(_("Zenodo requires authors. Add them under “Title, language and authors”."))
    if not release.licence:
        raise Refusal(_("This release has no licence. Zenodo requires one: create another release with a licence."))
    return ""


def upload(upload: Upload, client: Client) -> None:
    """Create a draft, and add the files and metadata that it does not have yet. Raise as `Client.call`; Refusal also
    if the release is too large."""
    with contents_of(upload.release, flat=True) as contents:
        if len(contents) > MOST_FILES or sum(content.size for content in contents) > MOST_BYTES:
            raise Refusal(_("Zenodo accepts up to 100 files with 50 GB in all in one record."))
        draft = _draft(upload, client)
        bucket = _text(draft, "links", "bucket")
        present = {
            (file.get("filename"), str(file.get("checksum")).removeprefix("md5:")) for file in draft.get("files") or ()
        }
        note(upload, done=0, total=len(contents))
        for done, content in enumerate(contents, start=1):
            if (content.name, content.md5) not in present:
                _put(client, bucket, content)
            note(upload, done=done)
    client.call("PUT", f"{DEPOSITIONS}/{upload.outside_id}", {"metadata": metadata(upload.release)})


def _draft(upload: Upload, client: Client) -> dict[str, Any]:
    """Return the draft of an earlier attempt, or a new one if there is none any more."""
    if upload.outside_id:
        try:
            return client.call("GET", f"{DEPOSITIONS}/{upload.outside_id}")
        except NotFound:
            note(upload, outside_id="", url="", doi="")
    return _created(upload, client)


def _created(upload: Upload, client: Client) -> dict[str, Any]:
    made = client.call("POST", DEPOSITIONS, {})
    reserved = made.get("metadata", {}).get("prereserve_doi", {})
    doi = str(reserved.get("doi", "")) if isinstance(reserved, dict) else ""
    if not made.get("id"):
        raise Refusal(_("The answer of Zenodo describes no draft."))
    note(upload, outside_id=str(made["id"]), url=_text(made, "links", "html"), doi=doi)
    return made


def _put(client: Client, bucket: str, content: Content) -> None:
    with content.open() as file:
        client.send("PUT", f"{bucket}/{quote(content.name)}", file, OCTETS, content.size)


def _text(tree: dict[str, Any], *path: str) -> str:
    found: Any = tree
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, str):
        raise Refusal(_("The answer of Zenodo describes no draft."))
    return found


def publish(upload: Upload, client: Client) -> dict[str, Any]:
    """Publish the draft, which registers its DOI, and return what to store. Raise as `Client.call`."""
    draft = client.call("GET", f"{DEPOSITIONS}/{upload.outside_id}")
    if not draft.get("submitted"):
        draft = client.call("POST", f"{DEPOSITIONS}/{upload.outside_id}/actions/publish")
    record = draft.get("record_url") or draft.get("links", {}).get("record_html") or upload.url
    return {"doi": str(draft.get("doi") or upload.doi), "url": str(record)}
