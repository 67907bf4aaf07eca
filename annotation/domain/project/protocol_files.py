"""Protocol files: written from a project, and read back with protocol, guidelines, consent and questions."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from annotation.domain.errors import Refusal
from annotation.domain.project.protocol_numbers import in_words
from annotation.domain.project.questionnaire import MOST_QUESTIONS, require_choices
from annotation.models import Project, Question, QuestionKind
from annotation.models.project import LANGUAGE_PATTERN
from annotation.presets.registry import presets
from annotation.protocols.errors import ProtocolError
from annotation.protocols.spec import Protocol
from annotation.protocols.storing import protocol_from_json, to_json
from annotation.protocols.wording import like, texts_of

FORMAT, VERSION = "semblance protocol", 1
LARGEST = 1_000_000  # bytes
LONGEST_TITLE, LONGEST_WORDS, LONGEST_PAGE = 200, 300, 30_000  # characters
KEY_PATTERN = r"[a-z][a-z0-9_]{0,49}"
UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


@dataclass(frozen=True)
class Outline:
    """The content of a protocol file: all of a project but its texts and people."""

    title: str
    language: str
    protocol: Protocol
    guidelines: str
    consent: str
    questions: tuple[Question, ...] = ()

    def values(self) -> dict[str, Any]:
        """Return the values that a new project takes over."""
        return {name: value for name, value in vars(self).items() if name != "title"}


def write_protocol(project: Project) -> dict[str, Any]:
    """Return the content of the project's protocol file as plain JSON."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": project.title,
        "language": project.language,
        "protocol": to_json(project.protocol),
        "guidelines": project.guidelines,
        "consent": project.consent,
        "questions": [
            {name: getattr(question, name) for name in ("kind", "text", "help", "choices", "published")}
            for question in project.questions.order_by("position", "pk")
        ],
    }


def read_protocol(content: bytes) -> Outline:
    """Return the content of a protocol file. Raise Refusal if it is no such file, or has invalid values."""
    stored = _read_json(content)
    if stored.get("format") != FORMAT:
        raise Refusal(_("This is not a protocol file. You can download one on the “Set up” page of a project."))
    if stored.get("version") != VERSION:
        raise Refusal(
            _("The file has version %(given)s, but this installation reads only version %(known)s.")
            % {"given": str(stored.get("version"))[:20], "known": VERSION}
        )
    language = _text(stored, "language", 35)
    if language and not re.fullmatch(LANGUAGE_PATTERN, language):
        raise Refusal(_("“language” must be a language tag such as en, cs or ar-EG."))
    return Outline(
        title=_text(stored, "title", LONGEST_TITLE),
        language=language,
        protocol=_protocol(stored.get("protocol")),
        guidelines=_text(stored, "guidelines", LONGEST_PAGE),
        consent=_text(stored, "consent", LONGEST_PAGE),
        questions=_questions(stored.get("questions", [])),
    )


def _read_json(content: bytes) -> dict[str, Any]:
    if len(content) > LARGEST:
        raise Refusal(_("The file is too large to be a protocol file."))
    try:
        stored = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Refusal(_("The file is not valid UTF-8 text.")) from None
    except json.JSONDecodeError as error:
        raise Refusal(_("The file is not valid JSON: see line %(line)s.") % {"line": error.lineno}) from None
    except (ValueError, RecursionError):
        raise Refusal(_("The file is nested too deeply, or a number in it is too large.")) from None
    if not isinstance(stored, dict):
        raise Refusal(_("The file is not a JSON object."))
    if any(UNSTORABLE.search(text) for text in _strings(stored)):
        raise Refusal(_("The file contains characters that can't be stored."))
    return stored


def _strings(stored: Any) -> Iterator[str]:
    """Yield every text in a tree of JSON; escapes can write characters that no text may hold."""
    waiting = [stored]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as node:
                waiting += [*node.keys(), *node.values()]
            case list() as node:
                waiting += node


def _text(stored: Mapping[str, Any], name: str, longest: int) -> str:
    value = stored.get(name, "")
    if not isinstance(value, str):
        raise Refusal(_("“%(name)s” must be text.") % {"name": name})
    if len(value) > longest:
        raise Refusal(_("“%(name)s” is longer than %(most)s characters.") % {"name": name, "most": longest})
    return value


def _protocol(stored: Any) -> Protocol:
    """Return the stored protocol, which differs from a preset only in numbers within their limits and in words.

    A protocol with a key that this installation does not know may follow any preset.
    """
    if not isinstance(stored, dict):
        raise Refusal(_("The file contains no protocol."))
    try:
        protocol = protocol_from_json(stored)
        # A part that is of the wrong kind, or that nobody knows, does not come out as it went in.
        if not _agrees(stored, to_json(protocol)) or not re.fullmatch(KEY_PATTERN, protocol.key):
            raise Refusal(_("The protocol in the file was not written by Semblance."))
        known = any(_follows(protocol, preset) for preset in _models_of(protocol))
    except ProtocolError as error:
        raise Refusal(in_words(error)) from error
    except (ArithmeticError, AttributeError, RecursionError) as error:
        raise Refusal(_("The protocol in the file can't be read.")) from error
    if not known:
        raise Refusal(_("The protocol in the file has rounds that this installation does not support."))
    _text({"title": protocol.title}, "title", LONGEST_TITLE)
    if any(len(text) > LONGEST_WORDS for text in texts_of(protocol).values()):
        raise Refusal(_("A question or a label is longer than %(most)s characters.") % {"most": LONGEST_WORDS})
    return protocol


def _agrees(stored: Any, written: Any) -> bool:
    """Return whether what is stored is written in the same way; a file of an earlier version has fewer parts."""
    match stored, written:
        case dict(), dict():
            return all(name in written and _agrees(part, written[name]) for name, part in stored.items())
        case list(), list():
            return len(stored) == len(written) and all(map(_agrees, stored, written))
    return bool(stored == written)


def _models_of(protocol: Protocol) -> list[Protocol]:
    """Return the preset with the protocol's key, or all presets under its key and title where there is none."""
    if preset := presets().get(protocol.key):
        return [preset.protocol]
    return [replace(other.protocol, key=protocol.key, title=protocol.title) for other in presets().values()]


def _follows(protocol: Protocol, preset: Protocol) -> bool:
    try:
        return like(protocol, preset) == protocol
    except ProtocolError:
        return False


def _questions(stored: Any) -> tuple[Question, ...]:
    if not isinstance(stored, list) or len(stored) > MOST_QUESTIONS:
        raise Refusal(_("“questions” must be a list of up to %(most)s questions.") % {"most": MOST_QUESTIONS})
    return tuple(_question(question) for question in stored)


def _question(stored: Any) -> Question:
    if not isinstance(stored, dict):
        raise Refusal(_("Each question in the file must be a JSON object."))
    kind, choices = stored.get("kind"), stored.get("choices", [])
    if kind not in QuestionKind.values:
        raise Refusal(
            _("A question in the file has an unknown kind. The kinds are: %(kinds)s.")
            % {"kinds": ", ".join(QuestionKind.values)}
        )
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise Refusal(_("The answer options of a question must be a list of texts."))
    require_choices(kind, choices)
    text = _text(stored, "text", LONGEST_WORDS)
    if not text.strip():
        raise Refusal(_("A question in the file has no text."))
    return Question(
        kind=kind,
        text=text,
        help=_text(stored, "help", LONGEST_WORDS),
        choices=choices,
        published=stored.get("published") is True,
    )
