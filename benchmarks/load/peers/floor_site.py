"""A bare site of Django REST Framework with two tables: what an answer costs at the least. Run by gunicorn."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from environ import Env

settings.configure(
    SECRET_KEY="benchmark",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": Env.db_url_config(os.environ["DATABASE_URL"]) | {"CONN_MAX_AGE": 60}},
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    },
)
application = get_wsgi_application()

from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import generics, serializers  # noqa: E402


class Pair(models.Model):
    sentence1 = models.TextField()
    sentence2 = models.TextField()

    class Meta:
        app_label = "floor"

    def __str__(self) -> str:
        return self.sentence1


class Rating(models.Model):
    pair = models.ForeignKey(Pair, models.PROTECT)
    value = models.FloatField()

    class Meta:
        app_label = "floor"

    def __str__(self) -> str:
        return f"{self.value}"


class PairSerializer(serializers.ModelSerializer):
    class Meta:
        model = Pair
        fields = ["id", "sentence1", "sentence2"]


class RatingSerializer(serializers.ModelSerializer):
    class Meta:
        model = Rating
        fields = ["id", "pair", "value"]


class PairView(generics.RetrieveAPIView):
    queryset = Pair.objects.all()
    serializer_class = PairSerializer


class RatingView(generics.CreateAPIView):
    queryset = Rating.objects.all()
    serializer_class = RatingSerializer


urlpatterns = [path("pairs/<int:pk>/", PairView.as_view()), path("ratings/", RatingView.as_view())]

if __name__ == "__main__":
    with connection.schema_editor() as editor:
        editor.create_model(Pair)
        editor.create_model(Rating)
    Pair.objects.bulk_create(
        Pair(sentence1=f"First text of pair {at}.", sentence2=f"Second text of pair {at}.") for at in range(1, 2_001)
    )
