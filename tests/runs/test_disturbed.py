"""Jobs of every kind by a real worker, which is killed, or loses its broker or its database, in the middle.

`KILLS` in the environment asks for more runs and releases than one of each.
"""

import os
import random
import shutil
import time
from decimal import Decimal
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.platforms import Prolific, running
from tests.runs.working import RELEASE, RUN, Embedded, Served
from tests.runs.working_on_kinds import ITEMS, PEOPLE

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("KILLS", "1"))
LONG = {"splits": 2000, "replicates": 2000, "slices": 10}
"""A run in some fifty parts."""
LOSSES = 2
"""In each job."""
WITHIN = {RUN: 0.4, RELEASE: 0.15}
"""Seconds after the first sign of it in which a job is disturbed; a release of the small project soon is done."""
MOST_MISSED = 20
"""So many jobs more where a fast machine has ended each before it was killed."""


@pytest.fixture(scope="module")
def prolific():
    """It is told to pay, pays, and does not answer."""
    server = Prolific()
    server.failing["pay"] = "is silent after"
    with running(server):
        yield server


@pytest.fixture(scope="module")
def listener():
    """The address of a webhook; it is too slow for the first message."""
    server = Listener()
    with running(server):
        yield server


@pytest.fixture(params=["embedded", pytest.param("served", marks=pytest.mark.postgres)], scope="module")
def disturbed(request, template, tmp_path_factory, prolific):
    """A project with a run that nothing disturbed, and a release of it; the worker goes on."""
    own = surroundings(request.param, tmp_path_factory.mktemp(request.param), template, prolific.url)
    try:
        own.do("from tests.runs.projects import EVERY; EVERY['semrel']('project')")
        own.start()
        assert own.wait_for(own.start_runs(LONG)) == ["done"]
        assert own.wait_for([own.start_release()], table=RELEASE) == ["done"]
        yield own
    finally:
        own.end()


def surroundings(name, folder, template, prolific_url):
    values = {"PROLIFIC_API_URL": prolific_url, "WEBHOOKS_TO_PRIVATE_ADDRESSES": "1"}
    if name == "embedded":
        return Embedded(folder, template, **values)
    database, binary = os.environ.get("DATABASE_URL", ""), shutil.which("redis-server")
    if not database.startswith("postgres") or not binary:
        pytest.skip("needs PostgreSQL and redis-server")
    return Served(folder, template, database, binary, **values)


def start(own, table):
    return own.start_runs(LONG)[0] if table == RUN else own.start_release()


def check_runs(own):
    """All have the same results, every part is done, and nothing is left over of lost attempts."""
    runs = [number for (number,) in own.rows("SELECT id FROM scoring_run ORDER BY id")]
    assert len(set(own.results_of(runs))) == 1
    assert own.rows("SELECT count(*) FROM scoring_runpart WHERE state <> 'done'") == [(0,)]


def check_releases(own):
    """All are the same to the byte, as the undisturbed one is, and each stands in its place once."""
    first, *others = own.rows("SELECT id, sha256, attempts FROM scoring_release ORDER BY id")
    assert {digest for _, digest, _ in others} == {first[1]}
    for pk, _, attempts in [first, *others]:
        files = own.rows("SELECT name, file, sha256 FROM scoring_releasefile WHERE release_id = ? ORDER BY name", pk)
        assert {name for name, *_ in files} >= {"manifest.json", "judgments.parquet", "results.json", "README.md"}
        assert len({name for name, *_ in files}) == len(files)
        for _, place, digest in files:
            assert f"/{attempts}/" in place
            assert sha256((own.folder / "files" / place).read_bytes()).hexdigest() == digest


CHECKS = {RUN: check_runs, RELEASE: check_releases}
TABLES = [RUN, pytest.param(RELEASE, marks=pytest.mark.thorough)]
KILLED = [pytest.param("embedded", marks=pytest.mark.thorough), pytest.param("served", marks=pytest.mark.postgres)]


@pytest.mark.parametrize("disturbed", KILLED, indirect=True)
@pytest.mark.parametrize("table", TABLES)
def test_a_killed_worker(disturbed, table):
    """At moments by chance: the job ends once, as if nothing had been."""
    chance, jobs, inside = random.Random(5), 0, 0
    while jobs < KILLS or not inside:
        jobs += 1
        assert jobs <= KILLS + MOST_MISSED
        disturbed.kill()
        own = start(disturbed, table)
        for _ in range(LOSSES):
            disturbed.start()
            disturbed.wait_until_moved(own, table=table)
            time.sleep(chance.uniform(0, WITHIN[table]))
            disturbed.kill()
            inside += disturbed.state_of(own, table) == "running"
        disturbed.start()
        assert disturbed.wait_for([own], table=table) == ["done"]
    print(f"{jobs} {table}s: {inside} of {LOSSES * jobs} kills in the middle")
    CHECKS[table](disturbed)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("lost", ["broker", "database"])
def test_a_broker_or_database_that_goes_and_comes_back(disturbed, table, lost):
    if not isinstance(disturbed, Served):
        pytest.skip("SQLite and the broker of files are no servers")
    chance = random.Random(6)
    for _ in range(KILLS):
        own = start(disturbed, table)
        disturbed.wait_until_moved(own, table=table)
        time.sleep(chance.uniform(0, WITHIN[table]))
        getattr(disturbed, f"lose_{lost}")()
        assert disturbed.wait_for([own], table=table) == ["done"]
    CHECKS[table](disturbed)


@pytest.fixture(scope="module")
def queued(disturbed, prolific, listener):
    """A job of every other kind, none of which begins by itself: its table and its id."""
    for noted in (prolific.orders, prolific.paid, listener.got):
        noted.clear()
    url = f"http://127.0.0.1:{listener.server_port}/"
    lines = disturbed.do(f"from tests.runs.working_on_kinds import queue_each; queue_each({url!r})")
    return {kind: (table, int(pk)) for kind, table, pk in map(str.split, lines)}


MIDDLE = {"payment": lambda prolific, _listener: prolific.paid, "delivery": lambda _prolific, listener: listener.got}
"""When a job is in the middle, where the moment can be seen from outside."""


def wait_until(reached, seconds=60):
    deadline = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.005)


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.got = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append(self.headers["Semblance-Delivery"])
        if len(self.server.got) == 1:
            time.sleep(2)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def check_import(own):
    assert own.rows("SELECT imported FROM annotation_itemimport WHERE imported > 0") == [(ITEMS,)]
    assert count(own, "item", "import") == ITEMS


def check_plan(own):
    assert count(own, "participation", "plan") > 0
    tuples = "SELECT count(*), count(DISTINCT position) FROM annotation_tuple WHERE project_id = ?"
    ((number, distinct),) = own.rows(tuples, project_id(own, "plan"))
    assert number == distinct == 400


def check_statistics(own):
    assert own.rows("SELECT count(*) FROM scoring_projectstatistics WHERE at IS NOT NULL") == [(1,)]


def check_rehearsal(own):
    assert own.rows("SELECT count(*) FROM annotation_project WHERE rehearsal_of_id IS NOT NULL") == [(1,)]


def check_figures(own):
    figures = "SELECT count(*) > 0, count(*) = count(DISTINCT name) FROM scoring_runfigure WHERE run_id = "
    assert own.rows(figures + "(SELECT max(id) FROM scoring_run)") == [(True, True)]


def check_broadcast(own):
    sent = "SELECT count(*), count(DISTINCT participation_id) FROM annotation_message"
    assert own.rows(sent) == [(PEOPLE, PEOPLE)]


def check_mailing(own):
    """Nobody gets two; of the one that was being sent nobody knows."""
    ended = dict(own.rows("SELECT state, count(*) FROM annotation_invitedaddress GROUP BY state"))
    addressed = [line for file in (own.folder / "mail").iterdir() for line in file.read_text().split("\n")]
    written = [line for line in addressed if line.startswith("To: ")]
    assert len(written) == len(set(written))
    assert ended["sent"] + ended.get("sending", 0) == PEOPLE and ended.get("sending", 0) <= KILLS


KINDS = {
    "import": check_import,
    "plan": check_plan,
    "statistics": check_statistics,
    "rehearsal": check_rehearsal,
    "figures": check_figures,
    "broadcast": check_broadcast,
    "mailing": check_mailing,
}


USUAL = ("import", "payment")
"""What writes many rows, and what is not tried again."""


def thorough(kind):
    return pytest.param(kind, marks=pytest.mark.thorough)


def count(own, table, key):
    return own.rows(f"SELECT count(*) FROM annotation_{table} WHERE project_id = ?", project_id(own, key))[0][0]


def project_id(own, key):
    return own.rows("SELECT id FROM annotation_project WHERE key = ?", key)[0][0]


@pytest.mark.parametrize(
    "disturbed", ["embedded", pytest.param("served", marks=[pytest.mark.postgres, pytest.mark.thorough])], indirect=True
)
@pytest.mark.parametrize("kind", [kind if kind in USUAL else thorough(kind) for kind in (*KINDS, *MIDDLE)])
def test_a_worker_killed_at_a_job_of_any_kind(disturbed, queued, prolific, listener, kind):
    """What the job is for is there once; only money is not tried again."""
    table, pk = queued[kind]
    if disturbed.process is None:
        disturbed.start()
    disturbed.rows(f"UPDATE {table} SET not_before = NULL WHERE id = ?", pk)
    for _ in range(1 if kind == "payment" else KILLS):
        wait_until(lambda: disturbed.state_of(pk, table) != "waiting")
        if reached := MIDDLE.get(kind):
            wait_until(lambda: reached(prolific, listener))
        disturbed.kill()
        print(f"{kind}: killed when {disturbed.state_of(pk, table)}")
        disturbed.start()
    assert disturbed.wait_for([pk], table=table) == ["uncertain" if kind == "payment" else "done"]
    KINDS.get(kind, lambda _own: None)(disturbed)
    assert list(prolific.paid.values()) == [Decimal("1.50")] * bool(prolific.orders)
    assert len(set(listener.got)) <= 1
