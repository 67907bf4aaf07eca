"""Every address of the URL configuration with something for each of its variables: real, odd or of somebody else."""

import re

from django.urls import URLPattern, get_resolver
from hypothesis import strategies as st

VARIABLE = re.compile(r"<(?:(\w+):)?(\w+)>")
NUMBERS = ["1", "2", "3", "0", "9" * 25]
WORDS = {
    "key": ["project", "project", "project", "elsewhere", "nothing"],
    "round_key": ["main", "R1"],
    "preset": ["rating", "semrel", "nothing"],
    "kind": ["import", "run", "plan", "speed", "payment", "nothing"],
    "action": ["cancel", "retry", "withdraw", "pause", "resume", "message", "nothing"],
    "name": ["guidelines", "consent", "rating", "scores", "scores.csv", "manifest.json", "..%2F..%2Fetc", "nothing"],
    "form": ["csv", "svg", "png", "nothing"],
    "token": ["t", "x:y:z", "%C3%A4", "a" * 300],
    "ticket": ["x", "x:y:z"],
    "content_type_id": ["1", "x"],
    "app_label": ["annotation", "nothing"],
    "url": ["nothing"],
}
REGEXES = {
    r"^confirm-email/(?P<key>[-:\w]+)/$": "confirm-email/MQ:1abc:xyz/",
    r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$": "password/reset/key/1-abc-123/",
    r"^(?P<app_label>annotation|scoring|account|mfa)/$": "annotation/",
    r"(?P<url>.*)$": "nothing",
}


def every_path(resolver=None, before: str = "/") -> list[str]:
    """The paths of all patterns, with their variables as in the configuration."""
    found = []
    for one in (resolver or get_resolver()).url_patterns:
        path = before + REGEXES.get(str(one.pattern), str(one.pattern)).removeprefix("^").removesuffix("$")
        found += [path] if isinstance(one, URLPattern) else every_path(one, path)
    return found


@st.composite
def paths(draw: st.DrawFn, among: list[str]) -> str:
    """One of the paths, with a value for each variable."""

    def value(found: re.Match) -> str:
        kind, name = found.groups()
        return draw(st.sampled_from(WORDS.get(name, NUMBERS) if kind != "int" else NUMBERS))

    return VARIABLE.sub(value, draw(st.sampled_from(among)))
