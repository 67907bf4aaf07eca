"""The texts that the sources mark for translation, found without GNU gettext."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation.template import templatize

from annotation.management.commands.makemessages import SENTENCES

ROOT = Path(settings.BASE_DIR)
SINGULAR = {"_", "gettext", "gettext_lazy", "gettext_noop"} | {name.partition(":")[0] for name in SENTENCES}
IN_CONTEXT = {"pgettext", "pgettext_lazy"}
PLURAL = {"ngettext", "ngettext_lazy"}
QUOTED = r"""u?('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
MARKED = re.compile(rf"\b(n?gettext|_)\({QUOTED}(?:, *{QUOTED})?", re.DOTALL)


def python_files() -> list[Path]:
    return sorted(file for folder in ("annotation", "scoring", "config") for file in (ROOT / folder).rglob("*.py"))


def template_files() -> list[Path]:
    return sorted(file for file in (ROOT / "templates").rglob("*") if file.suffix in (".html", ".txt"))


def marked_texts() -> set[tuple[str, str]]:
    """Every marked text with its plural, or with an empty text where it has none."""
    texts: set[tuple[str, str]] = set()
    for file in python_files():
        texts |= set(in_python(file.read_text(encoding="utf-8")))
    for file in template_files():
        texts |= set(in_template(file.read_text(encoding="utf-8")))
    return texts


def in_python(source: str) -> Iterator[tuple[str, str]]:
    return in_nodes(ast.walk(ast.parse(source)))


def in_nodes(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if name in SINGULAR and len(texts) == 1:
            yield texts[0], ""
        elif name in IN_CONTEXT and len(texts) == 2:
            yield texts[1], ""
        elif name in PLURAL and len(texts) >= 2:  # the third is the name of the number
            yield texts[0], texts[1]


def in_template(source: str) -> Iterator[tuple[str, str]]:
    for name, singular, plural in MARKED.findall(templatize(source)):
        yield ast.literal_eval(singular), ast.literal_eval(plural) if name == "ngettext" else ""
