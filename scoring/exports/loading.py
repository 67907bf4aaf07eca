"""The lines of Python that load a release, as its page and its data card print them."""

from collections.abc import Iterator, Sequence

import yaml

EDGE = "---\n"


def loading(names: Sequence[str], archive: str = "") -> str:
    """Return lines that run as they are in the folder with the files, or next to the ZIP archive with all of them.

    `load_dataset(".")` is refused by `datasets` 5, which names a dataset by the last part of its path.

    Parameters: names, of the configurations in the header of the data card, the default first; archive, the name of the
    ZIP archive without its ending, which is that of the folder in it; empty if nothing is to be unpacked.
    """
    return "\n".join(_lines(names, archive))


def _lines(names: Sequence[str], archive: str) -> Iterator[str]:
    yield from ("import os", *(["import shutil"] if archive else []), "", "import pandas")
    yield from ("from datasets import load_dataset", "", "folder = os.getcwd()  # contains the files of the release")
    if archive:
        yield f'if os.path.exists("{archive}.zip"):  # unpack the archive'
        yield f'    shutil.unpack_archive("{archive}.zip")'
        yield f'    folder = os.path.join(folder, "{archive}")'
    yield ""
    yield 'judgments = pandas.read_parquet(f"{folder}/judgments.parquet")'
    if names:  # `datasets` refuses files without rows
        yield 'typed = load_dataset("parquet", data_files=f"{folder}/judgments.parquet")'
    yield from (f'dataset = load_dataset(folder, "{name}")' for name in names)


def configurations(card: str) -> list[str]:
    """Return the names of the configurations in the header of a data card, the default first; none without a header."""
    if not card.startswith(EDGE):
        return []
    header = yaml.safe_load(card.removeprefix(EDGE).partition(f"\n{EDGE}")[0])
    return [config["config_name"] for config in header.get("configs", [])]
