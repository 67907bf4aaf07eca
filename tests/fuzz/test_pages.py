"""Whatever anybody sends to whatever page, it is answered, and never by an error of the server."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from annotation.domain.project.creation import add_member
from annotation.models import Membership, Project
from tests.crowds import recruit
from tests.factories import make_user
from tests.fuzz.addresses import every_path, paths
from tests.views.sending import client_of
from tests.views.test_access import world
from tests.views.test_roles import undone

FEW, MANY, PARTS = 200, 1000, 25
FIELD = re.compile(r'<(?:input|select|textarea|button)\b[^>]*\bname="([^"]+)"(?:[^>]*\bvalue="([^"]*)")?')
OPTION = re.compile(r'<option\b[^>]*\bvalue="([^"]*)"')
ODD = [
    *("", " ", "0", "-1", "1", "2.5", "1,5", "9" * 401, "9223372036854775808", "1e999", "nan", "-inf", "١٢٣", "0x10"),
    *("0001-01-01", "9999-12-31", "9999-12-31T23:59", "0001-01-01T00:00", "2026-02-30", "25:61"),
    *("\0", "a\0b", "\ufffe", "\u202e", "\r\n", "x" * 5000, "🦆" * 300, "<script>", "%00", "%s%(x)s{0}", "'\";--"),
    *("[]", "{}", "null", '{"a": [1]}', "[" * 500, "true", "on", "../../etc/passwd", "//evil.example", "javascript:x"),
    *("https://[::1", "https://[64:ff9b::1]/", "http://", "a@b.example", "a@" + "b" * 300, "main", "main/", "R1/x"),
    *("en", "x-klingon", "Europe/Prague", "Mars/Base", "rating", "manager", "owner", "1,2,3", "p1\np2", "a,b\n1,2,3"),
]
FILES = [
    b"",
    b"\0\xff",
    b"id,sentence1,sentence2\n1,a,b\n",
    b"{" * 2000,
    b"\xff\xfe\x00",
    b"a," * 5000,
    b'{"format": 1}',
]


@pytest.fixture(scope="module")
def everybody(keep) -> Iterator[dict[str, Client]]:
    with keep():
        people = world()
        project = Project.objects.get(key="project")
        recruit(project)
        owner = make_user("owner")
        add_member(project=project, user=owner, role=Membership.Role.OWNER)
        people |= {"owner": client_of(owner), "administrator": client_of(make_user("root", is_superuser=True))}
        for client in people.values():
            client.raise_request_exception = False
        yield people


@pytest.fixture(scope="module")
def fields(everybody) -> dict[str, list[str]]:
    """The names of the fields of all forms that anybody sees, with the values that they offer."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in every_path():
        url = re.sub(r"<int:\w+>|<path:\w+>|<id>", "1", path).replace("<slug:key>", "project")
        for name in ("owner", "administrator", "the person", "nobody"):
            page = everybody[name].get(url) if "<" not in url else None
            if page is not None and not page.streaming:
                for field, value in FIELD.findall(page.text):
                    found[field] |= {value, *OPTION.findall(page.text)[:30]}
    found.pop("csrfmiddlewaretoken", None)
    assert len(found) > 100
    return {name: sorted(values) for name, values in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, PARTS))])
def test_no_form_and_no_address_makes_an_error_of_the_server(everybody, fields, db, part, record_property):
    values = st.one_of(st.sampled_from(ODD), st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
    several = st.lists(st.sampled_from(sorted(fields)), min_size=1, max_size=12, unique=True)
    sent = several.flatmap(lambda names: st.fixed_dictionaries({name: _of(name, fields, values) for name in names}))
    tried: Counter[str] = Counter()
    number = MANY if settings().max_examples > FEW else FEW

    @settings(max_examples=number, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @seed(part)
    @given(
        st.sampled_from(sorted(everybody)),
        paths(every_path()),
        st.sampled_from(["get", "post", "post", "post"]),
        sent,
        st.sampled_from([None, None, *FILES]),
        st.booleans(),
    )
    def hold(who, path, method, form, file, of_script):
        if file is not None and method == "post":
            form = form | {"file": SimpleUploadedFile("file.csv", file)}
        headers = {"HX-Request": "true"} if of_script else {}
        with undone():
            answer = getattr(everybody[who], method)(path, form, headers=headers)
        tried[who] += 1
        assert answer.status_code < 500, (who, method, path, form)

    hold()
    for who, requests in tried.items():
        record_property(f"requests as {who}", requests)


def _of(name: str, fields: dict[str, list[str]], values: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(st.sampled_from(fields[name]), values, st.lists(values, max_size=3))
