"""The texts of invitations and reminders, when people who stopped are reminded, and the page that unsubscribes."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from annotation.domain.errors import Refusal
from annotation.domain.messages import templates
from annotation.domain.messages.unsubscribing import read_token, unsubscribe
from annotation.domain.project.creation import log_changes
from annotation.domain.recruiting.mailings import sends_email
from annotation.domain.recruiting.overview import options_of
from annotation.forms.recruiting import MailForm, StoppedForm
from annotation.forms.refusals import refusals
from annotation.models import Project
from annotation.permissions import managed_project

Kind = templates.Kind


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def emails(request: HttpRequest, key: str) -> HttpResponse:
    """Show the e-mails of a project, and set when people who stopped are reminded."""
    project = managed_project(request.user, key)
    form = StoppedForm(request.POST or None, instance=options_of(project))
    if request.method == "POST" and form.is_valid():
        form.save()
        log_changes(project=project, fields=form.changed_data, actor=request.user, now=timezone.now())
        messages.success(request, _("Saved."))
        return redirect("project-emails", key=key)
    own = set(project.mail_templates.values_list("kind", flat=True))
    kinds = [{"key": kind.value, "title": kind.label, "own": kind.value in own} for kind in Kind]
    values = {"project": project, "tab": "emails", "form": form, "kinds": kinds, "keeps_mail": not sends_email()}
    return render(request, "projects/emails.html", values, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def template(request: HttpRequest, key: str, kind: str) -> HttpResponse:
    """Show the text of an e-mail; preview, save it, or restore the default."""
    project = managed_project(request.user, key)
    if kind not in Kind.values:
        raise Http404
    if "restore" in request.POST:
        templates.restore_default(project=project, kind=kind, actor=request.user, now=timezone.now())
        messages.success(request, _("The default text is used again."))
        return redirect("project-email", key=key, kind=kind)
    stored = templates.text_of(project, kind)
    form = MailForm(request.POST or None, initial={"subject": stored.subject, "body": stored.body})
    text = templates.Text(**form.cleaned_data) if request.method == "POST" and form.is_valid() else stored
    if request.method == "POST" and form.is_valid():
        with refusals(form):
            templates.check(text)
            if "preview" not in request.POST:
                templates.save_template(project=project, kind=kind, text=text, actor=request.user, now=timezone.now())
                messages.success(request, _("Saved."))
                return redirect("project-email", key=key, kind=kind)
    values = {"project": project, "tab": "emails", "form": form, "title": Kind(kind).label}
    values |= {"preview": _sample(project, text), "names": templates.NAMES.items()}
    values["own"] = project.mail_templates.filter(kind=kind).exists()
    return render(request, "projects/email_template.html", values, status=422 if form.errors else 200)


def _sample(project: Project, text: templates.Text) -> templates.Text:
    """Return the text as an imaginary person would get it."""
    first = project.protocol.rounds[0].title
    values = {"name": "Ada", "project": project.title, "round": first, "link": f"{settings.PUBLIC_URL}/join/…/"}
    return templates.filled(text, values)


@never_cache
@csrf_exempt  # mail programs unsubscribe by one POST (RFC 8058); the link is signed and can do nothing else
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribed(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to unsubscribe, since programs that scan e-mails open links too; a POST unsubscribes."""
    try:
        project, digest = read_token(token)
    except Refusal as error:
        return render(request, "work/refused.html", {"problem": error}, status=404)
    if request.method == "POST":
        unsubscribe(project=project, digest=digest, now=timezone.now())
    return render(request, "work/unsubscribe.html", {"project": project, "done": request.method == "POST"})
