from django.urls import path

from config.administration import views

urlpatterns = [
    path("", views.overview, name="administration"),
    path("accounts/", views.accounts, name="administration-accounts"),
    path("accounts/<int:pk>/", views.account, name="administration-account"),
    path("settings/", views.shown_settings, name="administration-settings"),
]
