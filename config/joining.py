"""Joins a script or a style sheet with everything that it imports into one file.

Scripts keep the form in which they are written: each module becomes a function that is called once, in the order in
which a browser would run them, and returns what it exports. Of `import` and `export` only the forms that our scripts
use are understood; at any other the joining ends with an error, so that nothing is ever joined wrongly.
"""

import re
from collections.abc import Callable
from posixpath import dirname, join, normpath

Read = Callable[[str], str]  # from the name of a file to its text

IMPORT = re.compile(r"""^import (?:\{ ([^{}\n]+) \} from )?"(\.{1,2}/[^"\n]+)";$""", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)(?:async )?\w+ (\w+)\b", re.MULTILINE)
NOT_UNDERSTOOD = re.compile(r"^\s*(?:import|export)\b.*$|\bimport\s*[(.]|^(?:for )?await\b.*$", re.MULTILINE)
IMPORTED_STYLE = re.compile(r"""^@import "([^"\n]+)";$""", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NOT_MOVABLE = re.compile(r"@(?:import|charset|namespace|layer)\b|url\((?!\s*[\"']?data:)")


class JoinError(ValueError):
    """A file says something that joining does not understand."""


def join_script(name: str, read: Read) -> str:
    """Return the module with all that it imports; one that imports nothing stays as it is."""
    modules = _modules(name, read)
    if len(modules) == 1:
        _refuse(NOT_UNDERSTOOD, name, EXPORT.sub("", modules[name]))
        return modules[name]
    numbers = {module: number for number, module in enumerate(modules)}
    return "".join(_function(module, text, modules, numbers) for module, text in modules.items())


def join_style(name: str, read: Read) -> str:
    """Return the style sheet with those that it imports in their places; it has rules or imports, never both."""
    text = read(name)
    imported = [_path(name, each) for each in IMPORTED_STYLE.findall(text)]
    if not imported:
        return text
    if COMMENT.sub("", IMPORTED_STYLE.sub("", text)).strip():
        raise JoinError(f"{name} imports style sheets and says something else too.")
    parts = {part: join_style(part, read) for part in imported}
    for part, rules in parts.items():
        _refuse(NOT_MOVABLE, part, rules)
    return "\n".join(parts.values())


def _modules(name: str, read: Read, above: tuple[str, ...] = (), found: dict[str, str] | None = None) -> dict[str, str]:
    """Return the texts of a module and of all that it imports by their names, those that run first in front."""
    found = {} if found is None else found
    if name in above:
        raise JoinError(f"{name} imports itself: {' > '.join([*above, name])}")
    if name not in found:
        text = read(name)
        for statement in IMPORT.finditer(text):
            _modules(_path(name, statement[2]), read, (*above, name), found)
        found[name] = text
    return found


def _function(name: str, text: str, modules: dict[str, str], numbers: dict[str, int]) -> str:
    """Return the module as a function that runs at once and returns its exports."""

    def imported(statement: re.Match[str]) -> str:
        source = _path(name, statement[2])
        names = statement[1].split(", ") if statement[1] else []
        if missing := {each.split(" as ")[0] for each in names} - set(EXPORT.findall(modules[source])):
            raise JoinError(f"{name} imports {', '.join(sorted(missing))}, which {source} does not export.")
        return f"const {{ {', '.join(names).replace(' as ', ': ')} }} = module{numbers[source]};" if names else ""

    body = EXPORT.sub(lambda statement: statement[0].removeprefix("export "), IMPORT.sub(imported, text))
    _refuse(NOT_UNDERSTOOD, name, body)
    exported = ", ".join(EXPORT.findall(text))
    returned = f"return {{ {exported} }};\n" if exported else ""
    return f"const module{numbers[name]} = (() => {{\n{body.rstrip()}\n{returned}}})(); // {name}\n"


def _refuse(pattern: re.Pattern[str], name: str, text: str) -> None:
    if found := pattern.search(text):
        raise JoinError(f"{name}: “{found[0].strip()}” is not understood.")


def _path(name: str, relative: str) -> str:
    return normpath(join(dirname(name), relative))
