"""Letters of scripts that devices may lack come with the pages, and only where a page has them."""

import pytest

from annotation.models import Item
from tests.factories import make_project, planned_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("language", "text", "fetched"),
    [
        ("en", "A “plain” text.", []),
        ("de", "Die Straße ist schön.", ["noto-sans-latin-1"]),
        ("cs", "Žluťoučký kůň “odešel” – pozdě.", ["noto-sans-latin-1", "noto-sans-latin-extended"]),
        ("ru", "Мальчик пошёл в школу.", ["noto-sans-cyrillic"]),
        ("ar", "ذهب الولد إلى المدرسة.", ["noto-sans-arabic-400"]),
        ("hi", "लड़का स्कूल गया।", ["noto-sans-devanagari-400"]),
        ("te", "పిల్లి పాలు తాగింది.", ["noto-sans-telugu-400"]),
        ("am", "ልጁ ወደ ትምህርት ቤት ሄደ።", ["noto-sans-ethiopic-400"]),
    ],
)
def test_letters_of_a_script_are_fetched_where_they_are_shown(open_browser, user, live_server, language, text, fetched):
    project = make_project("stss131")
    Item.objects.create(project=project, key="1", position=1, sentence1=text, sentence2=text, language=language)
    page = open_browser(user).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(f"/my-work/{planned_for(user, project).pk}/", wait_until="networkidle")
    loaded = page.evaluate("[...document.fonts].filter((face) => face.status === 'loaded').length")
    page.goto("/", wait_until="networkidle")  # where every language is named

    assert all(url.startswith((live_server.url, "data:")) for url in asked)
    files = {url.rsplit("/", 1)[1].split(".")[0] for url in asked if ".woff2" in url}
    assert (files, loaded) == ({"noto-sans-latin", *fetched}, 1 + len(fetched))
