"""Releases with models held against them, as the pages show them."""

from math import atanh, tanh

from django.test import Client

from annotation.models import Project
from scoring.models import Evaluation, Release
from tests.api.worlds import done_release, member
from tests.factories import make_project
from tests.views.sending import client_of

KEY = "project"
RELEASES = f"/projects/{KEY}/releases/"
BOARD = f"/leaderboards/{KEY}/1/"
UNDEFINED = {"low": None, "low_reason": "there is none", "high": None, "high_reason": "there is none"}


def client_as(project: Project, role: str) -> Client:
    """Somebody with a role, or by the name of none of them somebody else who is signed in."""
    if role == "nobody":
        return Client()
    if role == "outsider":
        return client_of(member(make_project(key="other"), "manager", "outsider"))
    return client_of(member(project, role))


def released(preset: str = "stss131", **values: object) -> Release:
    """A release that is done, with one file."""
    return done_release(make_project(preset, KEY), **values)


def evaluated(release: Release, model: str, r: float, *, name: str = "main.free", **values: object) -> Evaluation:
    """A model that follows the scores by r, with the figures that the pages show."""
    baseline = values.pop("baseline", False)
    earlier = release.evaluations.values_list("model", "results")
    results = {"main": name, "predictions": 20, "scores": {name: figures_of(r, **values)}}
    compared = results["scores"][name]["compared"]
    for other, found in earlier:
        compared[other] = difference(r, found["scores"][name]["whole"]["pearson"]["r"])
    return Evaluation.objects.create(
        release=release, model=model, predictions={"p1": 1.0}, results=results, baseline=baseline
    )


def figures_of(r: float, **values: object) -> dict:
    width = {"low": round(tanh(atanh(r) - 0.4), 3), "high": round(tanh(atanh(r) + 0.4), 3)} if abs(r) < 1 else UNDEFINED
    return {
        "pairs": 20,
        "items": 20,
        "pearson": r,
        "pearson_interval": width,
        "spearman": r,
        "spearman_interval": width,
        "whole": {"pearson": {"r": r, "interval": width}, "spearman": {"r": r, "interval": width}},
        "mse": round(1 - r, 3),
        "missing": {"number": 0, "items": []},
        "ceiling": {"average_rater": 0.81234, "mse_bound": 0.25, "mse_oracle": 0.1875},
        "multiple_choice": None,
        "compared": {},
    } | values


def difference(one: float, other: float) -> dict:
    """Not Meng's, but above 0 where the first one is better."""
    if one == other:
        return {
            "pairs": 20,
            "z": None,
            "z_reason": "they are alike",
            "p_left": None,
            "p_right": None,
            "p_two_sided": None,
        }
    z = (one - other) * 10
    return {"pairs": 20, "z": z, "p_left": 0.9, "p_right": 0.1, "p_two_sided": 0.2 if abs(z) < 3 else 0.0001}
