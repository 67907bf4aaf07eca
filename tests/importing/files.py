"""Files to import, and what came of it."""

import json
from pathlib import Path

import pytest

from annotation.domain.material import FileRefused, import_items
from annotation.models import Project


def write(folder: Path, text: str | bytes, name: str = "file.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def json_lines(*rows: object) -> str:
    return "\n".join(row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows) + "\n"


def problems_of(project: Project, path: Path) -> list[str]:
    """What is wrong with the file, after seeing that nothing of it was kept."""
    with pytest.raises(FileRefused) as refused:
        import_items(project=project, path=path)
    assert not project.items.exists()
    assert not project.groups.exists()
    assert not project.incidents.exists()
    return [str(problem) for problem in refused.value.problems]
