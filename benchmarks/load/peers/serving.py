"""Each peer started as its documentation starts it for production, with people who have signed in."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.load.driving import Person
from benchmarks.load.peers.installing import Missing, installed, run, version
from benchmarks.load.peers.people import TOKEN, DoccanoVisitor, FloorVisitor, LabelStudioVisitor, PotatoVisitor
from benchmarks.load.servers import Serving, find_postgres, image, rebound, started, wait_for
from benchmarks.release import own_database

HERE = Path(__file__).parent
PROCESSES = os.cpu_count() or 1
POTATO = """
annotation_task_name: pairs
task_dir: .
output_annotation_dir: out
output_annotation_format: jsonl
data_files: [data/pairs.jsonl]
item_properties: {id_key: id, text_key: text}
annotation_schemes:
  - {annotation_type: likert, name: similarity, description: How similar they are,
     min_label: unrelated, max_label: identical, size: 5, label_requirement: {required: true}}
require_password: false
user_config: {allow_all_users: true, users: []}
assignment_strategy: random
site_dir: default
"""


@dataclass(frozen=True)
class Running:
    """A peer that answers, its people, and what the table says of it."""

    serving: Serving
    people: list[Person]
    described: str


Serve = Callable[[Path, int, int, int], AbstractContextManager[Running]]
"""A folder, a port, the number of people and of pairs."""


@contextmanager
def potato(folder: Path, port: int, people: int, pairs: int) -> Iterator[Running]:
    """As its image does: one process, since it keeps all state in memory, with eight threads; data in files."""
    programs = installed("potato", "potato-annotation", "gunicorn")
    (folder / "config.yaml").write_text(POTATO)
    (folder / "data").mkdir()
    lines = (json.dumps({"id": f"p{at}", "text": f"First text of pair {at}.<hr>Second."}) for at in range(pairs))
    (folder / "data" / "pairs.jsonl").write_text("\n".join(lines))
    given = {"HOME": str(folder), "POTATO_NONINTERACTIVE": "1", "POTATO_SECRET_KEY": "benchmark" * 4}
    options = f"--worker-class gthread --workers 1 --threads 8 --timeout 120 --bind 127.0.0.1:{port} --chdir {folder}"
    command = [str(programs / "gunicorn"), *options.split(), "potato.flask_server:create_app('config.yaml')"]
    with _running(command, given, folder, port, "/health") as serving:
        visitors = [PotatoVisitor(serving.url, name=f"person-{number}") for number in range(people)]
        yield Running(serving, visitors, f"Potato {version(programs, 'potato-annotation')}, files")


@contextmanager
def doccano(folder: Path, port: int, people: int, pairs: int) -> Iterator[Running]:
    """`doccano webserver`: gunicorn, one process more than twice the processors; PostgreSQL."""
    # It names no upper limits: its gunicorn, environs and pandas need what newer versions no longer have.
    older = ("setuptools<81", "marshmallow<4", "numpy<2")
    programs = installed("doccano", "doccano", "psycopg2-binary", *older)
    with _database() as url:
        given = {"DATABASE_URL": f"{url}?sslmode=disable", "DOCCANO_HOME": str(folder), "SECRET_KEY": "benchmark"}
        run([str(programs / "doccano"), "init"], _environment(given))
        made = _made(programs, "inside_doccano.py", given, people, pairs)
        command = [str(programs / "doccano"), "webserver", "--port", str(port)]
        with _running(command, given, folder, port, "/admin/login/", url) as serving:
            visitors = [
                DoccanoVisitor(serving.url, _cookies(session), project=made["project"], labels=made["labels"])
                for session in made["sessions"]
            ]
            yield Running(serving, visitors, f"doccano {version(programs, 'doccano')}, PostgreSQL")


@contextmanager
def label_studio(folder: Path, port: int, people: int, pairs: int) -> Iterator[Running]:
    """As its image does: uWSGI, twice as many processes as processors; PostgreSQL; without the nginx before it."""
    programs = installed("label-studio", "label-studio", "uwsgi")
    code = "import label_studio, os; print(os.path.dirname(label_studio.__file__))"
    package = run([str(programs / "python"), "-c", code]).strip().splitlines()[-1]
    with _database() as url:
        given = _label_studio_environment(url, folder)
        run([str(programs / "python"), f"{package}/manage.py", "migrate", "--verbosity", "0"], _environment(given))
        made = _made(programs, "inside_label_studio.py", given, people, pairs)
        options = "--master --single-interpreter --need-app --enable-threads --lazy-apps --thunder-lock --die-on-term"
        options += f" --processes {2 * PROCESSES} --threads 1 --buffer-size 65535 --post-buffering 4096 --harakiri 120"
        options += f" --disable-logging --chdir {package} --module core.wsgi:application --http 127.0.0.1:{port}"
        command = [str(programs / "uwsgi"), *options.split(), "--virtualenv", str(programs.parent)]
        with _running(command, given, folder, port, "/health", url) as serving:
            visitors = [
                LabelStudioVisitor(serving.url, _cookies(session), project=made["project"])
                for session in made["sessions"]
            ]
            yield Running(serving, visitors, f"Label Studio {version(programs, 'label-studio')}, PostgreSQL")


def _label_studio_environment(url: str, folder: Path) -> dict[str, str]:
    place = urlsplit(url)
    return {
        "DJANGO_DB": "default",
        "POSTGRE_NAME": place.path.strip("/"),
        "POSTGRE_USER": place.username or "",
        "POSTGRE_PASSWORD": place.password or "",
        "POSTGRE_HOST": place.hostname or "",
        "POSTGRE_PORT": str(place.port or 5432),
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "core.settings.label_studio",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
    }


@contextmanager
def floor(folder: Path, port: int, people: int, pairs: int) -> Iterator[Running]:
    """A bare pair of views of Django REST Framework, behind the same gunicorn as Semblance; PostgreSQL."""
    with _database() as url:
        given = {"DATABASE_URL": url, "PYTHONPATH": str(HERE)}
        run([sys.executable, str(HERE / "floor_site.py")], _environment(given))
        command = [word.replace("config.wsgi", "floor_site") for word in rebound(image().command, port)]
        command[0] = str(Path(sys.executable).with_name(command[0]))
        with _running(command, given, folder, port, "/pairs/1/", url) as serving:
            yield Running(serving, [FloorVisitor(serving.url) for _ in range(people)], "bare DRF view, PostgreSQL")


@contextmanager
def _running(
    command: list[str], given: dict[str, str], folder: Path, port: int, path: str, database: str = ""
) -> Iterator[Serving]:
    environment, url = _environment(given), f"http://127.0.0.1:{port}"
    with started(command, environment, folder / "peer.log", folder) as process:
        try:
            wait_for(process, url, url, path)
        except SystemExit as problem:
            last = (folder / "peer.log").read_text().strip().splitlines() or [str(problem)]
            raise Missing(last[-1]) from problem
        yield Serving(url, url, process.pid, environment, database)


@contextmanager
def _database() -> Iterator[str]:
    with ExitStack() as stack:
        url = find_postgres(stack)
        if not url:
            raise Missing("needs PostgreSQL")
        yield stack.enter_context(own_database(url))


def _made(programs: Path, script: str, given: dict[str, str], people: int, pairs: int) -> dict:
    """Run a script of ours with the peer's Python, away from our own settings."""
    printed = run([str(programs / "python"), str(HERE / script), str(people), str(pairs)], _environment(given))
    return json.loads(printed.strip().splitlines()[-1])


def _environment(given: dict[str, str]) -> dict[str, str]:
    """Return this process's environment without what would lead a peer to our own code and data."""
    ours = ("PYTHONPATH", "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "DATA_DIR")
    return {name: value for name, value in os.environ.items() if name not in ours} | given


def _cookies(session: str) -> dict[str, str]:
    return {"sessionid": session, "csrftoken": TOKEN}


PEERS: dict[str, Serve] = {"Potato": potato, "doccano": doccano, "Label Studio": label_studio, "DRF": floor}
