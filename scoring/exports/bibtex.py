"""Entries of BibTeX."""

from collections.abc import Iterable, Mapping

LONG = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
SPECIAL = str.maketrans(LONG | {sign: f"\\{sign}" for sign in "&%$#_"})
"""Characters that TeX would read as commands. BibTeX counts braces even after a backslash, so that none may be left."""
IN_ADDRESS = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


def escaped(text: str) -> str:
    """Return a text on one line, for a field in braces."""
    return " ".join(text.split()).translate(SPECIAL)


def names(people: Iterable[str]) -> str:
    """Return the value of `author`; a name that BibTeX would take apart is in braces, such as “Smith and Sons”."""
    return " and ".join(f"{{{escaped(name)}}}" if _is_taken_apart(name) else escaped(name) for name in people)


def _is_taken_apart(name: str) -> bool:
    """Return whether a name has the word “and”, an empty part or more parts than “Last, Junior, First”, or is “others”,
    which stands for “et al.”"""
    parts = name.split(",")
    return " and " in f" {name.lower()} " or name == "others" or len(parts) > 3 or not all(map(str.strip, parts))


def entry(key: str, fields: Mapping[str, str]) -> str:
    """Return a `@misc` entry of the fields that are not empty. Parameters: fields, values that are escaped already."""
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}"])


def address(url: str) -> str:
    """Return the value of `url`, which BibTeX styles print as it is."""
    return url.translate(IN_ADDRESS)
