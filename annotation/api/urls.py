"""Addresses below `api/v1/`."""

from django.urls import path

from annotation.api import items, judgments, participations, projects

urlpatterns = [
    path("projects/", projects.Projects.as_view(), name="projects"),
    path("projects/<slug:key>/", projects.OneProject.as_view(), name="project"),
    path("projects/<slug:key>/items/", items.Items.as_view(), name="items"),
    path("projects/<slug:key>/judgments/", judgments.Judgments.as_view(), name="judgments"),
    path("projects/<slug:key>/participations/", participations.Participations.as_view(), name="participations"),
]
