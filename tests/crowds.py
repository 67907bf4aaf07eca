"""Studies on crowd platforms, and people who come from them, for tests."""

from django.http import HttpResponse
from django.test import Client

from annotation.domain.planning.rounds import plan_round
from annotation.domain.recruiting.crowd.arrival import Arrival, enter
from annotation.domain.recruiting.guests import nameless_guest
from annotation.domain.recruiting.links import make_link, places_of
from annotation.models import CrowdStudy, Guest, Mailing, Participation, Project, ProlificStudy, Wallet
from annotation.views.browsers import remember_browser
from tests.factories import NOON, add_pairs, make_project, validation_round
from tests.platforms import TOKEN

STUDY, SECOND = "5" * 24, "6" * 24


def pid(number: int = 1) -> str:
    return f"{number:024x}"


def sid(number: int = 1) -> str:
    return f"f{number:023x}"


def worker(number: int = 1) -> str:
    return f"AWORKER{number:07d}"


def make_study(project: Project | None = None, round_key: str = "", **values: object) -> CrowdStudy:
    """A study of Prolific for the first round, planned for three people if the project is new."""
    if project is None:
        project = make_project()
        add_pairs(project, 2)
        plan_round(project=project, round_key="main", people=3)
    first = next(place for place in places_of(project) if not round_key or place[0] == round_key)
    usual = {"round": first[0], "pool": first[1], "platform": "prolific", "study_id": STUDY, "completion_code": "DONE1"}
    usual |= {"screen_out_code": "OUT1", "no_consent_code": "NO1"}
    return CrowdStudy.objects.create(project=project, **usual | values)


def fill_wallet(project: Project, token: str = TOKEN) -> None:
    """A token of the stand-in, and leave to pay with it."""
    Wallet.objects.update_or_create(project=project, defaults={"token": token, "allowed_at": NOON})


def arrive(study: CrowdStudy, number: int = 1, submission: int | None = None, now=NOON) -> Participation:
    who = worker(number) if study.platform == "mturk" else pid(number)
    return enter(arrival=Arrival(study.pk, who, sid(submission or number)), now=now)


def browser_of(number: int = 1) -> Client:
    """The browser in which somebody from Prolific began, long after their session; a new one for a newcomer."""
    client, response = Client(), HttpResponse()
    for guest in Guest.objects.filter(user__annotators__external_id=f"prolific:{pid(number)}"):
        remember_browser(response, guest)
    client.cookies.update(response.cookies)
    return client


def recruit(project: Project) -> dict[str, list[object]]:
    """One of everything that finds and pays people; gives the arguments of the addresses of its pages."""
    link = make_link(project=project, round_key=project.protocol.rounds[0].key, actor=None, now=NOON)
    study, guest = make_study(project), nameless_guest(project=project)
    made_here = make_study(project, session=2, study_id=SECOND)
    ProlificStudy.objects.create(study=made_here, name="A study", places=1, reward=1, minutes=1, status="UNPUBLISHED")
    place = project.participations.filter(annotator__isnull=False).first()
    mailing = Mailing.objects.create(project=project, round=study.round)
    invited = mailing.addresses.create(project=project, link=link, round=study.round, address="a@example.org")
    payment = study.payments.create(state="uncertain")
    money = {"amount": 1, "currency": "GBP", "participation": place}
    study.bonuses.create(key="uncertain", state="uncertain", payment=payment, **money)
    planned = study.bonuses.create(key="planned", **money)
    key = project.key
    whole = (
        "recruiting",
        "recruiting-options",
        "standing-revoke",
        "recruiting-guests",
        "recruiting-addresses",
        "emails",
        "waiting",
        "quotas",
        "studies",
        "prolific-new",
        "wallet",
        "wallet-aws",
        "wallet-allow",
    )
    prolific = ("refresh", "publish", "pause", "resume", "places", "screener", "screener-remove")
    one = (
        "study",
        "prolific",
        *(f"prolific-{name}" for name in prolific),
        "bonuses",
        "bonus-csv",
        "bonuses-pay",
        "by-hand",
    )
    return (
        {f"project-{name}": [key] for name in whole}
        | {f"project-{name}": [key, study.pk] for name in one}
        | {f"project-{name}": [key, made_here.pk] for name in ("prolific", *(f"prolific-{one}" for one in prolific))}
        | {
            "project-link-revoke": [key, link.pk],
            "project-email": [key, "reminder"],
            "project-quota-remove": [key, project.quotas.create(round=study.round, language="cs", most=1).pk],
            "unsubscribe": ["x"],
            "project-guest-send": [key, guest.pk],
            "project-guest-void": [key, guest.pk],
            "project-address-again": [key, invited.pk],
            "project-bonus-withdraw": [key, study.pk, planned.pk],
            "project-payment-settle": [key, study.pk, payment.pk],
            "resume": ["x"],
            "crowd-enter": ["x"],
            "crowd-prolific": [key, study.round],
            "crowd-mturk": [key, study.round],
        }
    )


def two_sessions(user) -> tuple[Participation, CrowdStudy, CrowdStudy]:
    """A place in a round of two sessions with somebody from Prolific in it, and a study for each session."""
    place = validation_round(user)
    annotator = place.annotator
    annotator.external_id, annotator.user = f"prolific:{pid()}", None
    annotator.save()
    first = make_study(place.project, "R3")
    second = make_study(place.project, "R3", session=2, study_id=SECOND, completion_code="DONE2")
    return arrive(first), first, second


def _managed(by_get: int, by_post: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of a page for managers: what they get; strangers are asked to sign in, everybody else finds nothing."""

    def told(status: int) -> tuple[int, ...]:
        return (302, *[405] * 5) if status == 405 else (302, 404, 404, status, 404, 404)

    return told(by_get), told(by_post)


# What each of the people of tests/views/test_access.py gets by GET and by POST of nothing useful.
ACCESS = {
    "project-recruiting": _managed(200, 422),
    "project-recruiting-options": _managed(405, 302),
    "project-standing-revoke": _managed(302, 302),
    "project-link-revoke": _managed(200, 302),
    "project-recruiting-guests": _managed(200, 405),
    "project-guest-send": _managed(405, 302),
    "project-guest-void": _managed(200, 302),
    "project-recruiting-addresses": _managed(200, 422),
    "project-address-again": _managed(405, 302),
    "project-emails": _managed(200, 302),
    "project-email": _managed(200, 422),
    "project-waiting": _managed(200, 405),
    "project-quotas": _managed(200, 422),
    "project-quota-remove": _managed(405, 302),
    "unsubscribe": ((404,) * 6, (404,) * 6),
    "project-studies": _managed(200, 422),
    "project-study": _managed(200, 422),
    "project-prolific-new": _managed(200, 422),
    "project-prolific": _managed(200, 422),
    "project-prolific-refresh": _managed(405, 302),
    "project-prolific-publish": _managed(404, 404),  # only owners spend money
    "project-prolific-pause": _managed(200, 422),
    "project-prolific-resume": _managed(404, 404),
    "project-prolific-places": _managed(404, 404),
    "project-prolific-screener": _managed(302, 302),
    "project-prolific-screener-remove": _managed(405, 302),
    "project-wallet": _managed(405, 404),  # only owners pay
    "project-wallet-aws": _managed(405, 404),
    "project-wallet-allow": _managed(405, 404),
    "project-bonuses": _managed(200, 422),
    "project-bonus-csv": _managed(200, 405),
    "project-bonuses-pay": _managed(404, 404),  # only owners pay
    "project-by-hand": _managed(405, 404),
    "project-bonus-withdraw": _managed(405, 302),
    "project-payment-settle": _managed(405, 404),
    "resume": ((410,) * 6, (410,) * 6),
    "crowd-enter": ((400,) * 6, (400,) * 6),
    "crowd-prolific": ((400,) * 6, (405,) * 6),
    "crowd-mturk": ((400,) * 6, (405,) * 6),
}
