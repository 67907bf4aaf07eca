"""The researchers' API as a whole: its addresses, its schema and the page that shows it."""

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

app_name = "api"


class Docs(SpectacularSwaggerSplitView):
    """The page of the schema, without network or inline script and style, as Content-Security-Policy demands."""

    url_name = "api:schema"
    template_name = "api/docs.html"
    authentication_classes = ()


class Schema(SpectacularAPIView):
    authentication_classes = ()


urlpatterns = [
    path("schema/", Schema.as_view(), name="schema"),
    path("docs/", Docs.as_view(), name="docs"),
    path("", include("annotation.api.urls")),
    path("", include("scoring.api.urls")),
]
