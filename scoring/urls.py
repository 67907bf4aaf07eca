from django.urls import path

from scoring.views import excluding, forecast, leaderboards, monitoring, rehearsals, releases, runs, webhooks

urlpatterns = [
    path("leaderboards/<slug:key>/<int:number>/", leaderboards.leaderboard, name="leaderboard"),
    path("leaderboards/<slug:key>/<int:number>/leaderboard.csv", leaderboards.as_csv, name="leaderboard-csv"),
    path("projects/<slug:key>/forecast/", forecast.forecast, name="project-forecast"),
    path("projects/<slug:key>/rehearsals/", rehearsals.rehearsals, name="project-rehearsals"),
    path("projects/<slug:key>/rehearsals/<int:pk>/", rehearsals.rehearsal, name="project-rehearsal"),
    path("projects/<slug:key>/rehearsals/<int:pk>/discard/", rehearsals.discard, name="project-rehearsal-discard"),
    path("projects/<slug:key>/releases/", releases.releases, name="project-releases"),
    path("projects/<slug:key>/releases/<int:number>/", releases.release, name="project-release"),
    path("projects/<slug:key>/releases/<int:number>/leaderboard/", releases.leaderboard, name="project-leaderboard"),
    path("projects/<slug:key>/releases/<int:number>/leaderboard.csv", releases.as_csv, name="project-leaderboard-csv"),
    path("projects/<slug:key>/releases/<int:number>/files/<path:name>", releases.file, name="project-release-file"),
    path("projects/<slug:key>/releases/<int:number>/files.zip", releases.archive, name="project-release-archive"),
    path("projects/<slug:key>/runs/", runs.runs, name="project-runs"),
    path("projects/<slug:key>/runs/<int:number>/", runs.run, name="project-run"),
    path("projects/<slug:key>/runs/<int:number>/drawings/", runs.drawings, name="project-run-drawings"),
    path("projects/<slug:key>/webhooks/", webhooks.webhooks, name="project-webhooks"),
    path("projects/<slug:key>/webhooks/<int:pk>/", webhooks.webhook, name="project-webhook"),
    path("projects/<slug:key>/webhooks/<int:pk>/test/", webhooks.test, name="project-webhook-test"),
    path("projects/<slug:key>/webhooks/<int:pk>/switch/", webhooks.switch, name="project-webhook-switch"),
    path("projects/<slug:key>/webhooks/<int:pk>/remove/", webhooks.remove, name="project-webhook-remove"),
    path("projects/<slug:key>/watch/", monitoring.watch, name="project-watch"),
    path("projects/<slug:key>/watch/options/", monitoring.options, name="project-watch-options"),
    path("projects/<slug:key>/watch/items/<int:pk>/", monitoring.item, name="project-watch-item"),
    path("projects/<slug:key>/people/", monitoring.people, name="project-people"),
    path("projects/<slug:key>/people/<int:pk>/", monitoring.person, name="project-person"),
    path("projects/<slug:key>/people/<int:pk>/settle/<slug:kind>/", monitoring.settle, name="project-person-settle"),
    path("projects/<slug:key>/people/<int:pk>/exclude/", excluding.exclude, name="project-person-exclude"),
    path("projects/<slug:key>/people/<int:pk>/exclude/effect/", excluding.effect, name="project-person-effect"),
]
