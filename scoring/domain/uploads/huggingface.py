"""The Hugging Face Hub's HTTP API (huggingface.co/docs/hub/api): a private dataset repository, and a commit of files.

Large files go to the address that the hub's Git LFS endpoint names (git-lfs/docs/api/batch.md); the hub decides which.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from tempfile import TemporaryFile
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.jobs.engine import note
from scoring.domain.uploads.contents import Content, contents_of
from scoring.domain.uploads.transport import Client, Taken
from scoring.models import Release, Upload

NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")
MOST_BYTES = 50_000_000_000  # of one file
SAMPLE = 512  # bytes from which the hub tells the kind of a file
A_REQUEST = 100  # files
LFS = "application/vnd.git-lfs+json"
MADE_BY_HUB = {".gitattributes"}


def guard(release: Release, name: str) -> str:
    """Return the name of the repository of a new upload. Raise Refusal if it is not valid."""
    if not NAME.fullmatch(name.strip()):
        raise Refusal(
            _(
                "Enter the repository as owner/name, for example my-lab/similar-sentences. Use letters, digits, “-”, "
                "“_” and dots."
            )
        )
    return name.strip()


def upload(upload: Upload, client: Client) -> None:
    """Create the repository, and commit the files, as private. Raise as `Client.call`; Refusal also if the repository
    has files of something else, or is public."""
    with contents_of(upload.release, flat=False) as contents:
        if any(content.size > MOST_BYTES for content in contents):
            raise Refusal(_("Hugging Face accepts files of up to 50 GB."))
        present = _repository(upload, client)
        modes = _modes(upload, client, contents)
        large = [content for content in contents if modes.get(content.name) == "lfs" and content.size]
        note(upload, done=0, total=len(large) + 1)
        for done, content in enumerate(_with_actions(upload, client, large), start=1):
            _send_large(client, *content)
            note(upload, done=done)
        _commit(upload, client, contents, {content.name for content in large}, _stale(upload, present, contents))


def _repository(upload: Upload, client: Client) -> set[str]:
    """Create the repository unless it is there, and return the names of its files."""
    owner, name = upload.name.split("/")
    organization = None if client.call("GET", "/api/whoami-v2").get("name") == owner else owner
    try:
        body = {"type": "dataset", "name": name, "organization": organization, "private": True}
        client.call("POST", "/api/repos/create", body)
    except Taken as taken:
        _guard_own(upload, client, taken)
    note(upload, outside_id=upload.name, url=f"{client.base}/datasets/{upload.name}")
    found = client.call("GET", f"/api/datasets/{upload.name}")
    if found.get("private") is not True:
        raise Refusal(
            _("The repository is public, so files would be published at once. Make it private on Hugging Face first.")
        )
    return _names(found)


def _guard_own(upload: Upload, client: Client, taken: Taken) -> None:
    """Let an existing repository be used if it is empty or has a release of this project; else raise Taken."""
    uploads = Upload.objects.filter(release__project=upload.release.project, archive=upload.archive)
    if uploads.filter(outside_id=upload.name).exists():
        return
    if _names(client.call("GET", f"/api/datasets/{upload.name}")) - MADE_BY_HUB:
        raise taken


def _names(found: dict[str, Any]) -> set[str]:
    return {str(file.get("rfilename")) for file in found.get("siblings") or () if isinstance(file, dict)}


def _stale(upload: Upload, present: set[str], contents: Sequence[Content]) -> list[str]:
    """Return the files of earlier releases in the repository that this one does not have."""
    earlier = Upload.objects.filter(
        release__project=upload.release.project, archive=upload.archive, outside_id=upload.name
    ).exclude(pk=upload.pk)
    known = set(earlier.values_list("release__files__name", flat=True))
    return sorted(name for name in (known & present) - {content.name for content in contents})


def _modes(upload: Upload, client: Client, contents: Sequence[Content]) -> dict[str, str]:
    """Return how each file is to be sent: “regular” or “lfs”."""
    found: dict[str, str] = {}
    for chunk in _chunks(contents):
        files = [{"path": one.name, "size": one.size, "sample": _sample(one)} for one in chunk]
        answer = client.call("POST", f"/api/datasets/{upload.name}/preupload/main", {"files": files})
        found |= {str(file.get("path")): str(file.get("uploadMode")) for file in answer.get("files") or ()}
    return found


def _chunks(contents: Sequence[Content]) -> Iterator[Sequence[Content]]:
    return (contents[start : start + A_REQUEST] for start in range(0, len(contents), A_REQUEST))


def _sample(content: Content) -> str:
    with content.open() as file:
        return base64.b64encode(file.read(SAMPLE)).decode()


def _with_actions(
    upload: Upload, client: Client, large: Sequence[Content]
) -> Iterator[tuple[Content, str, dict[str, Any]]]:
    """Yield each large file with its SHA-256, and what is to be done; nothing for a file that the hub has already."""
    for chunk in _chunks(large):
        hashes = {content.sha256: content for content in chunk}
        objects = [{"oid": sha256, "size": content.size} for sha256, content in hashes.items()]
        body = {"operation": "upload", "transfers": ["basic", "multipart"], "objects": objects, "hash_algo": "sha256"}
        answer = client.call("POST", f"/datasets/{upload.name}.git/info/lfs/objects/batch", body, LFS)
        for found in answer.get("objects") or ():
            if error := found.get("error"):
                raise Refusal(_("Hugging Face refused a file: %(why)s") % {"why": error.get("message", "")})
            yield hashes[found["oid"]], found["oid"], found.get("actions") or {}


def _send_large(client: Client, content: Content, sha256: str, actions: dict[str, Any]) -> None:
    if action := actions.get("upload"):
        headers = {name: str(value) for name, value in (action.get("header") or {}).items()}
        if size := int(headers.pop("chunk_size", "0")):
            _send_in_parts(client, content, sha256, action["href"], headers, size)
        else:
            with content.open() as file:
                client.send_elsewhere("PUT", action["href"], file, headers, content.size)
    if verify := actions.get("verify"):
        client.call("POST", verify["href"], {"oid": sha256, "size": content.size}, LFS)


def _send_in_parts(
    client: Client, content: Content, sha256: str, complete: str, headers: dict[str, str], size: int
) -> None:
    """Send a file in parts to the addresses in the headers, by their number, and say so at the end."""
    places = [headers[number] for number in sorted((name for name in headers if name.isdigit()), key=int)]
    if len(places) != ceil(content.size / size):
        raise Refusal(_("The answer of Hugging Face does not fit the size of a file."))
    parts = []
    with content.open() as file:
        for number, place in enumerate(places, start=1):
            answer = client.send_elsewhere("PUT", place, file.read(size), {})
            parts.append({"partNumber": number, "etag": answer.headers.get("etag", "")})
    body = json.dumps({"oid": sha256, "parts": parts}).encode()
    client.send_elsewhere("POST", complete, body, {"Content-Type": LFS, "Accept": LFS})


def _commit(upload: Upload, client: Client, contents: Sequence[Content], large: set[str], stale: Iterable[str]) -> None:
    with TemporaryFile() as file:
        for line in _operations(upload, contents, large, stale):
            file.write(json.dumps(line).encode() + b"\n")
        size = file.tell()
        file.seek(0)
        client.send("POST", f"/api/datasets/{upload.name}/commit/main", file, "application/x-ndjson", size)


def _operations(
    upload: Upload, contents: Sequence[Content], large: set[str], stale: Iterable[str]
) -> Iterator[dict[str, Any]]:
    """Yield the lines of a commit."""
    summary = f"Release {upload.release.number}"
    yield {"key": "header", "value": {"summary": summary, "description": f"SHA-256: {upload.release.sha256}"}}
    for content in contents:
        if content.name in large:
            value = {"path": content.name, "algo": "sha256", "oid": content.sha256, "size": content.size}
            yield {"key": "lfsFile", "value": value}
        else:
            text = base64.b64encode(content.path.read_bytes()).decode()
            yield {"key": "file", "value": {"path": content.name, "encoding": "base64", "content": text}}
    yield from ({"key": "deletedFile", "value": {"path": name}} for name in stale)


def publish(upload: Upload, client: Client) -> dict[str, Any]:
    """Make the repository public, and return what to store. Raise as `Client.call`."""
    client.call("PUT", f"/api/datasets/{upload.name}/settings", {"private": False})
    return {}
