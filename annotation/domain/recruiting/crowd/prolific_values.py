"""A study in the terms of Prolific's API: what is sent, and what is reported."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse

from annotation.models import CrowdStudy, ProlificStudy

PLACEHOLDERS = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
REPORTED = {
    "places": "total_available_places",
    "places_taken": "places_taken",
    "reward": "reward",
    "minutes": "estimated_completion_time",
}
"""What somebody may have changed on Prolific's own pages, and what counts."""
NO_CONSENT = "You did not consent to take part."  # shown to the participant on Prolific's pages, which are in English


def address_of(study: CrowdStudy) -> str:
    """Return the address to which Prolific sends participants; it replaces the placeholders by IDs."""
    path = reverse("crowd-prolific", args=[study.project.key, study.round])
    return f"{settings.PUBLIC_URL}{path}?{PLACEHOLDERS}"


def codes_of(draft: ProlificStudy) -> list[dict[str, Any]]:
    """Return the completion codes as Prolific takes them: what becomes of a submission with each code."""
    study = draft.study
    completed = "AUTOMATICALLY_APPROVE" if draft.approves else "MANUALLY_REVIEW"
    declined = {"action": "REQUEST_RETURN", "return_reason": NO_CONSENT}
    return [
        {"code": study.completion_code, "code_type": "COMPLETED", "actions": [{"action": completed}]},
        {"code": study.screen_out_code, "code_type": "OTHER", "actions": [{"action": "MANUALLY_REVIEW"}]},
        {"code": study.no_consent_code, "code_type": "NO_CONSENT", "actions": [declined]},
    ]


def values_of(draft: ProlificStudy) -> dict[str, Any]:
    """Return the settings as Prolific takes them."""
    sent = ("filter_id", "selected_values", "selected_range")
    return {
        "name": draft.name,
        "internal_name": draft.internal_name or draft.name,
        "description": draft.description,
        "external_study_url": address_of(draft.study),
        "is_external_study_url_secure": draft.study.signed,
        "prolific_id_option": "url_parameters",
        "completion_codes": codes_of(draft),
        "total_available_places": draft.places,
        "estimated_completion_time": draft.minutes,
        "reward": draft.reward,
        "device_compatibility": draft.devices,
        "filters": [{key: one[key] for key in sent if key in one} for one in draft.filters],
    }


def note_state(draft: ProlificStudy, found: dict[str, Any], now: datetime) -> None:
    """Store what Prolific reports; numbers that it does not report stay as they are."""
    draft.status, draft.read_at = found["status"][:30], now
    for name, key in REPORTED.items():
        if isinstance(found.get(key), int | float) and found[key] >= 0:
            setattr(draft, name, round(found[key]))
    currency = found.get("presentment_currency_code") or found.get("currency_code") or ""
    draft.currency = str(currency)[:3]
    draft.save()
