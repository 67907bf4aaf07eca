from django.urls import path

from annotation.views import home, importing, projects, rounds, work

urlpatterns = [
    path("", home.home, name="home"),
    path("time-zone/", home.time_zone, name="time-zone"),
    path("join/<str:token>/", rounds.join, name="join"),
    path("my-work/<int:pk>/", work.work, name="work"),
    path("my-work/<int:pk>/back/", work.back, name="work-back"),
    path("my-work/<int:pk>/consent/", rounds.consent, name="work-consent"),
    path("my-work/<int:pk>/begin/", rounds.begin, name="work-begin"),
    path("my-work/<int:pk>/guidelines/", rounds.guidelines, name="work-guidelines"),
    path("my-work/<int:pk>/pause.ics", rounds.calendar, name="work-calendar"),
    path("my-work/<int:pk>/leave/", rounds.leave, name="work-leave"),
    path("projects/<slug:key>/", projects.overview, name="project"),
    path("projects/<slug:key>/import/", importing.upload, name="project-import"),
    path("projects/<slug:key>/import/<int:pk>/", importing.progress, name="project-import-progress"),
]
