"""`merge-releases RELEASE_A RELEASE_B --out FOLDER`: one dataset from two releases, where their protocols allow."""

from argparse import Namespace
from pathlib import Path

from scoring.files.reading import FileFault
from scoring.files.releases import open_release
from scoring.summaries.releases.merging import merge_releases
from scoring.summaries.releases.reading import ReleaseFault


def run(options: Namespace) -> None:
    first, second = open_release(options.first), open_release(options.second)
    folder = Path(options.out)
    if folder.exists() and any(folder.iterdir()):
        raise FileFault(f"{options.out}: the folder is not empty. Choose another one.")
    try:
        files = merge_releases(first, second)
    except ReleaseFault as error:
        raise FileFault(str(error)) from error
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise FileFault(f"{options.out}: {error.strerror}.") from error
    print(f"Written to {options.out}: {', '.join(sorted(files))}.")
