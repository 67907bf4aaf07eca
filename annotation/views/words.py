"""Texts for scripts: every page carries them in its language, and static/js/words.js reads them."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotation.domain.recruiting.mailings import sends_email

CHOOSING = {
    "pair": {
        "none": _("Choose the pair that is {best}."),
        "best": _("Pair {best_number} is {best}. Now choose the {worst}."),
        "worst": _("Pair {worst_number} is {worst}. Now choose the {best}."),
        "both": _("Pair {best_number} is {best}, {worst_number} is {worst}."),
        "full": _("You have chosen both. Clear one before you choose another pair."),
        "missing": _("Choose the pair that is {mark} first."),
    },
    "text": {
        "none": _("Choose the text that is {best}."),
        "best": _("Text {best_number} is {best}. Now choose the {worst}."),
        "worst": _("Text {worst_number} is {worst}. Now choose the {best}."),
        "both": _("Text {best_number} is {best}, {worst_number} is {worst}."),
        "full": _("You have chosen both. Clear one before you choose another text."),
        "missing": _("Choose the text that is {mark} first."),
    },
    "utterance": {
        "none": _("Choose the utterance that is {best}."),
        "best": _("Utterance {best_number} is {best}. Now choose the {worst}."),
        "worst": _("Utterance {worst_number} is {worst}. Now choose the {best}."),
        "both": _("Utterance {best_number} is {best}, {worst_number} is {worst}."),
        "full": _("You have chosen both. Clear one before you choose another utterance."),
        "missing": _("Choose the utterance that is {mark} first."),
    },
}
RATING = {
    "unset": _("not chosen yet"),
    "of": _("of {maximum}"),
    "range": _("from {minimum} to {maximum}"),
    "between": _("between {below} and {above}"),
    "missing": _("Choose a rating first."),
    "off_scale": _("“{typed}” is not on the scale. Choose a value from {minimum} to {maximum} in steps of {step}."),
    "step_down": _("One step down"),
    "step_up": _("One step up"),
    "missing_of": _("Rate the sentence “{title}” first."),
}
SELECTING = {
    "empty": _("Choose a sentence."),
    "missing": _("Choose a sentence for “{title}” first."),
    "full": _("All {all} sentences are chosen. Remove one, or choose a letter to replace that sentence with this one."),
    "inverted": _(
        "The sentence “{title}” has a lower rating than “{other}”. "
        "Change the ratings, or press “{button}” again to keep them."
    ),
    "take_out": _("Remove"),
    "take_out_of": _("Remove the sentence “{title}”"),
    "count": _("{chosen} of {all} chosen, {rated} of {all} rated"),
}
SENDING = {
    "saving": _("Saving…"),
    "saved": _("Saved"),
    "too_late": _("An unsent answer was not accepted: its screen was already answered, or its round has ended."),
    "signed_out": _(
        "You have been signed out. Your answer is kept on this device and will be sent when you sign in again."
    ),
    "fault": _("Server error ({status}). Your answer is kept on this device and will be sent automatically."),
    "unknown": _(
        "This screen was not found ({status}). You may be signed in to a different account. "
        "Your answer is kept on this device."
    ),
    "offline": _("No connection. Your answer is kept on this device and will be sent automatically."),
    "sign_in": _("Sign in again"),
    "link_back": _("How to continue without a password"),
    "try_now": _("Try now"),
    "discard": _("Discard answer"),
    "page_signed_out": _("You have been signed out."),
    "page_fault": _("Server error ({status}). Please try again in a moment."),
    "page_offline": _("No connection. Please try again in a moment."),
}
PAGE = {"copied": _("Copied"), "press_to_copy": _("Press Ctrl+C")}
PAGE |= {"countdown": _("In {time}"), "zone": _("({zone} time)")}
WORDS = {"choosing": CHOOSING, "rating": RATING, "selecting": SELECTING, "sending": SENDING, "page": PAGE}


def words(request: HttpRequest) -> dict[str, object]:
    """Return the texts for scripts, and the languages by their own names, as a context processor."""
    return {"words": WORDS, "page_languages": settings.LANGUAGES}


def email(request: HttpRequest) -> dict[str, object]:
    """Return whether the server sends email, as a context processor: no page promises one otherwise."""
    return {"sends_email": sends_email()}
