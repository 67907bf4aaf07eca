"""Pages below /account/. allauth looks up their names."""

from allauth.socialaccount.views import connections
from django.urls import path

from annotation.single_sign_on import views

urlpatterns = [
    path("single-sign-on/", connections, name="socialaccount_connections"),
    path("oidc/<slug:provider_id>/login/", views.login, name="openid_connect_login"),
    path("oidc/<slug:provider_id>/login/callback/", views.callback, name="openid_connect_callback"),
]
