"""The exports that other programs wrote, and archives written here."""

from pathlib import Path
from zipfile import ZipFile

from annotation.corpora.elsewhere import Export, read_export, read_parts, recognise

FILES = Path(__file__).parent / "files"
PAIRS = {
    "p1": ("A cat sleeps on the sofa.", "A cat is asleep on the couch."),
    "p2": ("The train leaves at noon.", "Bread is baked in the morning."),
    "p3": ("She plays the violin.", "She plays a string instrument."),
    "p4": ('It rains, and "it pours".', "The sun shines,\nand it is warm."),
}
RATED = {"p1": [5, 5, 4], "p2": [1, 2, 1], "p3": [4, 4, 3], "p4": [2, 1, 1]}
"""What the three people answered to each pair, in Label Studio and in doccano."""


def export_of(path: Path, format_: str = "", question: str = "") -> tuple[str, Export]:
    """Return the format of a file and what it holds."""
    parts = read_parts(path, path.name)
    format_ = format_ or recognise(parts)
    return format_, read_export(parts, format_, question)


def archive(path: Path, **files: str) -> Path:
    """Write a ZIP archive; in names, "__" stands for a slash and the last "_" for the dot."""
    with ZipFile(path, "w") as written:
        for name, content in files.items():
            stem, _, ending = name.replace("__", "/").rpartition("_")
            written.writestr(f"{stem}.{ending}", content)
    return path
