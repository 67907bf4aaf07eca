from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Item, Judgment, Participation, Project, User
from annotation.protocols.settings import setting_names
from annotation.queries.counting import counted
from tests.factories import add_incidents, add_pairs, make_project
from tests.importing.files import write
from tests.presets import DSCS, PRESETS

DEMO = Path("annotation/presets/dscs/demo/definitions.csv")
pytestmark = pytest.mark.django_db

NO_KEY = "is not a valid project key. Use up to 50 lowercase letters, digits and hyphens."
PAIRS = "id,sentence1,sentence2\n1,One,Two\n2,Three,Four\n"
TOO_LONG = "Ensure this value has at most 200 characters (it has 201)."
NUMBERS = ", ".join(setting_names(DSCS))
SMALL_NEWS = {
    "R1__incidents": "2",
    "R2__tuples": "2",
    "R3__annotators": "1",
    "R3__tuples": "2",
    "R3__stack_size": "1",
    "R3__intra": "1",
}


def said(*arguments, **options):
    """What the command writes."""
    out = StringIO()
    call_command(*arguments, **options, stdout=out)
    return out.getvalue()


def refusal(*arguments, **options):
    """The error with which the command ends, and what it wrote as one."""
    errors = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command(*arguments, **options, stderr=errors)
    return str(refused.value), errors.getvalue()


@pytest.fixture
def project():
    return make_project("stss131", key="pairs")


# create_project


def test_create_project():
    text = said(
        "create_project", "news", "--preset=czech_news", "--set=R3.annotators=2", "--set", "intra = 1",
        "--title=News", "--language=cs", "--seed=7",
    )  # fmt: skip
    project = Project.objects.get()
    assert text == "project news: Czech News: selection and validation\n"
    assert (project.key, project.title, project.language, project.seed) == ("news", "News", "cs", 7)
    assert (project.round("R3").design.annotators, project.round("R3").design.intra) == (2, 1)
    assert project.guidelines.startswith("#")
    assert project.consent.startswith("#")


def test_create_project_with_authors_contact_and_url():
    call_command(
        "create_project", "news", "--preset=dscs", "--author=Ann Example", "--author=Čapek, Karel",
        "--contact=data@example.org", "--url=https://example.org/data",
    )  # fmt: skip
    project = Project.objects.get()
    assert project.authors.splitlines() == ["Ann Example", "Čapek, Karel"]
    assert (project.contact, project.url) == ("data@example.org", "https://example.org/data")


def test_create_project_with_a_url_that_is_none():
    with pytest.raises(CommandError, match="url: Enter a valid URL"):
        call_command("create_project", "news", "--preset=dscs", "--url=our page")


def test_create_project_with_nothing_but_a_preset():
    call_command("create_project", "my-news", "--preset=dscs")
    project = Project.objects.get()
    assert (project.title, project.language, project.seed) == ("my news", "", 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["News", "--preset=dscs"], f"“News” {NO_KEY}"),
        (["n" * 51, "--preset=dscs"], f"“{'n' * 51}” {NO_KEY}"),
        (["pairs", "--preset=dscs"], "The key “pairs” is already taken. Choose another key."),
        (["news", "--preset=sts"], f"There is no preset “sts”. The presets: {', '.join(PRESETS)}."),
        (["news", "--preset=dscs", "--set=people"], "--set needs NAME=VALUE, not “people”."),
        (["news", "--preset=czech_news", "--set=intra=-1"], "“Repeated pairs” must be between 0 and 1000."),
        (["news", "--preset=czech_news", "--set=calibration=9"], (
"Round R3 expects ratings of "
"9, which is not on the scale."
)),
        (["news", "--preset=dscs", "--set=nix=3"], f"This protocol has no setting “nix”. Its settings: {NUMBERS}."),
        (["news", "--preset=dscs", "--seed=-1"], "The random seed must be a whole number, 0 or greater."),
        (["news", "--preset=dscs", f"--title={'x' * 201}"], f"title: {TOO_LONG}"),
        (["news"], "Error: the following arguments are required: --preset"),
    ],
)  # fmt: skip
def test_create_project_refused(project, arguments, message):
    error, _ = refusal("create_project", *arguments)
    assert error == message
    assert list(Project.objects.all()) == [project]


# import_items, import_judgments


def test_import_items(project, tmp_path):
    assert said("import_items", "pairs", str(write(tmp_path, PAIRS))) == "pairs: 2\n"
    assert project.items.count() == 2


def test_import_items_lists_what_is_wrong(project, tmp_path):
    error, listed = refusal("import_items", "pairs", str(write(tmp_path, PAIRS + "1,,Six\n")))
    assert error == "Nothing was imported: the file has 2 problems."
    assert listed.splitlines() == [
        "line 4, sentence1: The value is missing.",
        "line 4, id: The ID “1” is already used on line 2. Change one of them.",
    ]
    assert not Item.objects.exists()


def test_import_judgments(project, tmp_path):
    add_pairs(project, 2)
    path = write(tmp_path, "item,annotator,value\np1,ann,3\np2,ann,4\n")
    assert said("import_judgments", "pairs", str(path), "--round=main") == "judgments: 2\nannotators: 1\n"
    assert Judgment.objects.count() == 2


def test_import_judgments_tells_what_it_met(project, tmp_path):
    add_pairs(project, 2)
    path = write(tmp_path, "item,ann,bob\np1,3,\np1,1,\np2,4,2\n")
    assert said("import_judgments", "pairs", str(path), "--wide", "--repeated=last").splitlines() == [
        "judgments: 3",
        "annotators: 2",
        "without a rating: 2",
        "repeated, kept instead of the earlier ones: 1",
    ]


def test_import_judgments_once_more(db, tmp_path):
    add_pairs(make_project("semrel", "choices", tuple_size="3"), 3)
    path = str(write(tmp_path, "item1,item2,item3,best,worst\np1,p2,p3,p1,p2\n"))
    said("import_judgments", "choices", path)
    error, _ = refusal("import_judgments", "choices", path)
    assert error.endswith("To import it all the same, choose “Import again”.")
    assert said("import_judgments", "choices", path, "--again").startswith("judgments: 1\n")


def test_import_judgments_of_an_unknown_round(project, tmp_path):
    error, _ = refusal("import_judgments", "pairs", str(write(tmp_path, "")), "--round=R2")
    assert error == "This protocol has no round “R2”. Its rounds: main."


@pytest.mark.parametrize("command", ["import_items", "import_judgments"])
def test_file_that_cannot_be_read(project, tmp_path, command):
    missing, folder = tmp_path / "missing.csv", tmp_path
    assert f"{missing} cannot be read: No such file or directory." in refusal(command, "pairs", str(missing))[0]
    assert f"{folder} cannot be read: Is a directory." in refusal(command, "pairs", str(folder))[0]


@pytest.mark.parametrize("arguments", [["plan", "nix", "main"], ["simulate", "nix", "main"], ["release", "nix"]])
def test_project_that_does_not_exist(project, arguments):
    assert refusal(*arguments)[0] == "There is no project “nix”. Projects: pairs."


def test_project_where_there_is_none():
    assert refusal("release", "nix")[0] == "There is no project “nix”. Projects: none."


# plan


def test_plan_of_pairs(project):
    add_pairs(project, 3, calibration=2)
    assert said("plan", "pairs", "main", "--people=2").splitlines() == [
        "round: main",
        "places: 2",
        "new places: 2",
        "pairs a person: 1",
        "calibration pairs: p1, p2",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["main"], "There are no pairs yet. Import pairs first."),
        (["main", "--people=0"], "A round can have 1 to 10000 people, not 0."),
        (["R1"], "This protocol has no round “R1”. Its rounds: main."),
    ],
)
def test_plan_refused(project, arguments, message):
    assert refusal("plan", "pairs", *arguments)[0] == message
    assert not Participation.objects.exists()


def test_plan_with_chosen_calibration():
    project = make_project("czech_news", key="news", calibration="6,0", **SMALL_NEWS)
    add_incidents(project, 4, reports=3, sentences=8)
    call_command("simulate", "news", "R1", noise=0.0)
    call_command("simulate", "news", "R2")
    free = Item.objects.filter(assignments=None)
    most, least = (free.filter(selections__value=value).first().key for value in (6, 0))
    text = said("plan", "news", "R3", calibration=f"{most}, {least}")
    assert f"calibration pairs: {most}, {least}\ncalibration drawn by seed: False\n" in text
    error, _ = refusal("plan", "news", "R3")
    assert error == "Round R3 is already planned. People who leave or are excluded are replaced automatically."


# simulate, release


def test_simulate_plans_a_round_first(project):
    add_pairs(project, 2)
    assert said("simulate", "pairs", "main", people=2).splitlines()[-1] == "finished: 2"
    assert said("simulate", "pairs", "main") == "people: none, because there were no open places\n"
    assert Judgment.objects.count() == 4


def test_simulate_people_who_leave_are_replaced(project):
    add_pairs(project, 2)
    call_command("plan", "pairs", "main", people=2)
    assert said("simulate", "pairs", "main", people=2, leaving=1.0, careless=1.0) == "left: 2\n"
    assert said("simulate", "pairs", "main") == "finished: 2\n"
    assert Participation.objects.count() == 4


def test_simulate_contrary_raters_are_screened():
    add_pairs(make_project("dscs", key="dscs", students__people="1", crowd__people="1"), 6, gold=True)
    call_command("plan", "dscs", "main")
    assert said("simulate", "dscs", "main", people=2, contrary=1.0, noise=0.0) == "finished: 1\nexcluded: 1\n"


def test_simulate_contrary_raters_who_leave_are_screened():
    """The steps by which such a rater was found to count."""
    said("create_project", "dscs", "--preset=dscs", "--set=students.people=3", "--set=crowd.people=5")
    call_command("import_items", "dscs", str(DEMO))
    said("simulate", "dscs", "main", contrary=0.4, careless=0.2, leaving=0.3, seed=6)

    crowd = Participation.objects.filter(pool="crowd")
    shares = {place: _contradicting(place) for place in crowd}
    out = [place for place, (answers, share) in shares.items() if answers >= 10 and share > 0.8]
    assert {place.state for place in out} == {"excluded"}
    assert set(crowd.filter(state="excluded")) == set(out)
    assert crowd.filter(state="excluded", ended_from="left").exists()
    assert counts_of_each_item(crowd) == {5}


def _contradicting(place):
    """The number of a person's answers, and the share against the label."""
    rows = list(Judgment.objects.filter(assignment__participation=place).values_list("value", "assignment__item__gold"))
    return len(rows), sum((value < 2.5) == gold for value, gold in rows) / (len(rows) or 1)


def counts_of_each_item(places):
    """How many judgments that count the items have."""
    rows = counted(Judgment.objects.filter(assignment__participation__in=places))
    found = Counter(rows.values_list("assignment__item", flat=True))
    return {found[pk] for pk in Item.objects.values_list("pk", flat=True)}


def test_simulate_same_seed_same_answers():
    for key in ("one", "two"):
        add_pairs(make_project("stss131", key=key), 5)
        call_command("simulate", key, "main", people=3, seed=5, drift=0.5)
    rows = Judgment.objects.order_by("pk").values_list("assignment__item__key", "assignment__session", "value")
    one, two = (list(rows.filter(assignment__item__project__key=key)) for key in ("one", "two"))
    assert one == two


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"noise": -1.0}, "Noise must be 0 to 10 times the length of the scale, and drift -10 to 10 times."),
        ({"drift": float("nan")}, "Noise must be 0 to 10 times the length of the scale, and drift -10 to 10 times."),
        ({"careless": 2.0}, "The share of careless people lies between 0 and 1."),
        ({"leaving": float("nan")}, "The share of leaving people lies between 0 and 1."),
        ({"leaving": 1.0}, "If everybody leaves, the round never ends. Set the number of people."),
        ({"seed": -1}, "The random seed must be a whole number, 0 or greater."),
    ],
)
def test_simulate_refused(project, options, message):
    add_pairs(project, 1)
    assert refusal("simulate", "pairs", "main", **options)[0] == message
    assert not Judgment.objects.exists()


def test_release(project, tmp_path):
    add_pairs(project, 2)
    call_command("simulate", "pairs", "main", people=2)
    folder = tmp_path / "out"

    told = said("release", "pairs", out=str(folder)).splitlines()

    rows = {
        "distributions.csv": 2,
        "distributions.parquet": 2,
        "items.csv": 2,
        "judgments.csv": 4,
        "judgments.jsonl": 4,
        "judgments.parquet": 4,
        "scores.csv": 2,
        "scores.parquet": 2,
        "stss131.csv": 2,
    }
    assert told[: len(rows)] == [f"{name}: {number}" for name, number in rows.items()]
    assert (told[-3], told[-1]) == ("release: 1", f"written to {folder}")
    assert {path.name for path in folder.iterdir()} == {
        *rows,
        *("manifest.json", "README.md", "results.json", "figures", "CITATION.cff", "croissant.json", "datacite.json"),
    }


def test_release_goes_beside_by_default(project, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call_command("release", "pairs")
    assert (tmp_path / "release-pairs" / "stss131.csv").exists()


def test_release_into_a_file(project, tmp_path):
    path = write(tmp_path, "")
    assert refusal("release", "pairs", out=str(path))[0] == f"Cannot write to {path}: File exists."


def test_add_member_gives_a_role_to_a_confirmed_address(project, user):
    EmailAddress.objects.create(user=user, email=user.email, verified=True)

    assert said("add_member", "pairs", user.email.upper(), "manager") == f"ann as manager of {project}\n"
    assert not User.objects.get(pk=user.pk).is_staff
    entry = project.audit_entries.get()
    assert (entry.action, entry.details) == ("member added", {"member": user.pk, "role": "manager"})


def test_add_member_prints_a_link_for_an_address_that_nobody_proved(project, user):
    told = said("add_member", "pairs", user.email, "owner")

    assert told.startswith(f"Send this invitation link to {user.email}: http://localhost:8000/members/")
    assert not project.memberships.exists()


def test_add_member_leaves_the_project_an_owner(project, user):
    EmailAddress.objects.create(user=user, email=user.email, verified=True)
    said("add_member", "pairs", user.email, "owner")

    assert "needs an owner" in refusal("add_member", "pairs", user.email, "researcher")[0]
    assert project.memberships.get().role == "owner"
