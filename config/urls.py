from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from config.reporting import security_txt

admin.site.site_header = admin.site.site_title = "Semblance"
# The admin has no login of its own: e-mail check and second factor apply there too.
admin.site.login = secure_admin_login(admin.site.login)

single_sign_on = [path("account/", include("annotation.single_sign_on.urls"))] if settings.OIDC_URL else []
if settings.OIDC_ONLY:
    single_sign_on.append(re_path(r"^account/password/", RedirectView.as_view(pattern_name="account_login")))

urlpatterns = [
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("admin/", admin.site.urls),
    path("administration/", include("config.administration.urls")),
    *single_sign_on,
    path("account/", include("allauth.account.urls")),
    path("account/2fa/", include("allauth.mfa.urls")),
    path("api/v1/", include("config.api")),
    path("", include("annotation.urls")),  # first, for /projects/new/ is no project
    path("", include("scoring.urls")),
]
handler400 = "annotation.api.problems.bad_request"
handler404 = "annotation.api.problems.page_not_found"
handler500 = "annotation.api.problems.server_error"
