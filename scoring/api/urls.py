"""Addresses under `api/v1/`, next to those of `annotation.api`."""

from django.urls import path

from scoring.api import (
    archives,
    evaluations,
    figures,
    files,
    machines,
    outgoing,
    progress,
    registrations,
    releases,
    runs,
)

urlpatterns = [
    path("projects/<slug:key>/progress/", progress.Progress.as_view(), name="progress"),
    path("projects/<slug:key>/runs/", runs.Runs.as_view(), name="runs"),
    path("projects/<slug:key>/runs/<int:number>/", runs.OneRun.as_view(), name="run"),
    path("projects/<slug:key>/runs/<int:number>/figures/", figures.Figures.as_view(), name="figures"),
    path("projects/<slug:key>/runs/<int:number>/figures/<slug:name>.svg", figures.Svg.as_view(), name="figure-svg"),
    path("projects/<slug:key>/runs/<int:number>/figures/<slug:name>.png", figures.Png.as_view(), name="figure-png"),
    path("projects/<slug:key>/runs/<int:number>/figures/<slug:name>.csv", figures.Csv.as_view(), name="figure-csv"),
    path("projects/<slug:key>/releases/", releases.Releases.as_view(), name="releases"),
    path("projects/<slug:key>/releases/<int:number>/", releases.OneRelease.as_view(), name="release"),
    path("projects/<slug:key>/releases/<int:number>/files/<path:name>", files.File.as_view(), name="file"),
    path("projects/<slug:key>/releases/<int:number>/files.zip", archives.Archive.as_view(), name="archive"),
    path(
        "projects/<slug:key>/releases/<int:number>/for/<slug:program>.json",
        outgoing.Converted.as_view(),
        name="converted",
    ),
    path("projects/<slug:key>/releases/<int:number>/models/", evaluations.Models.as_view(), name="models"),
    path("projects/<slug:key>/models/", machines.Machines.as_view(), name="machines"),
    path("projects/<slug:key>/models/<int:pk>/answers/", machines.MachineAnswers.as_view(), name="machine-answers"),
    path("projects/<slug:key>/registrations/", registrations.Registrations.as_view(), name="registrations"),
    path(
        "projects/<slug:key>/registrations/<int:number>/",
        registrations.OneRegistration.as_view(),
        name="registration",
    ),
    path("projects/<slug:key>/evaluations/", evaluations.Evaluations.as_view(), name="evaluations"),
]
