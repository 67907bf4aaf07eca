from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from config.reporting import security_txt

admin.site.site_header = admin.site.site_title = "Semblance"
# The admin has no login of its own: e-mail check and second factor apply there too.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("admin/", admin.site.urls),
    path("account/", include("allauth.urls")),
    path("api/v1/", include("config.api")),
    path("", include("annotation.urls")),  # first, for /projects/new/ is no project
    path("", include("scoring.urls")),
]
handler400 = "annotation.api.problems.bad_request"
handler404 = "annotation.api.problems.page_not_found"
handler500 = "annotation.api.problems.server_error"
