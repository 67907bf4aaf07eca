"""Runs and releases by a real worker, which is killed, or loses its broker or its database, in the middle.

`KILLS` in the environment asks for more runs and releases than one of each.
"""

import os
import random
import shutil
import time
from hashlib import sha256

import pytest

from tests.runs.working import Embedded, Served

pytestmark = [pytest.mark.once, pytest.mark.slow]
KILLS = int(os.environ.get("KILLS", "1"))
LONG = {"splits": 2000, "replicates": 2000, "slices": 10}
"""A run in some fifty parts."""
LOSSES = 2
"""In each job."""
WITHIN = {"run": 0.4, "release": 0.15}
"""Seconds after the first sign of it in which a job is disturbed; a release of the small project soon is done."""
MOST_MISSED = 20
"""So many jobs more where a fast machine has ended each before it was killed."""


@pytest.fixture(params=["embedded", "served"], scope="module")
def disturbed(request, tmp_path_factory):
    """A project with a run that nothing disturbed, and a release of it; the worker goes on."""
    own = surroundings(request.param, tmp_path_factory.mktemp(request.param))
    try:
        own.do("from tests.runs.projects import EVERY; EVERY['semrel']('project')")
        own.start()
        assert own.wait_for(own.start_runs(LONG)) == ["done"]
        assert own.wait_for([own.start_release()], table="release") == ["done"]
        yield own
    finally:
        own.end()


def surroundings(name, folder):
    if name == "embedded":
        return Embedded(folder)
    database, binary = os.environ.get("DATABASE_URL", ""), shutil.which("redis-server")
    if not database.startswith("postgres") or not binary:
        pytest.skip("needs PostgreSQL and redis-server")
    return Served(folder, database, binary)


def start(own, table):
    return own.start_runs(LONG)[0] if table == "run" else own.start_release()


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


CHECKS = {"run": check_runs, "release": check_releases}


@pytest.mark.parametrize("table", CHECKS)
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


@pytest.mark.parametrize("table", CHECKS)
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
