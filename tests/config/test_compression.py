"""Which answers of the server are compressed."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from config.compression import PageCompressionMiddleware

TEXT = b"<p>How similar are two texts?</p>" * 200


def answered(response, **headers):
    return PageCompressionMiddleware(lambda request: response)(RequestFactory().get("/", **headers))


def test_a_page_is_compressed():
    response = answered(HttpResponse(TEXT), HTTP_ACCEPT_ENCODING="gzip, br")
    assert (response["Content-Encoding"], response["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(response.content) == TEXT
    assert len(response.content) < len(TEXT)


@pytest.mark.parametrize(
    "response",
    [HttpResponse(TEXT, content_type="application/json"), StreamingHttpResponse([TEXT], content_type="text/html")],
)
def test_what_is_no_page_goes_out_as_it_is(response):
    response = answered(response, HTTP_ACCEPT_ENCODING="gzip")
    assert not response.has_header("Content-Encoding")
    assert response.getvalue() == TEXT


def test_who_understands_no_compression_gets_none():
    assert answered(HttpResponse(TEXT)).content == TEXT


@pytest.mark.django_db
def test_the_pages_of_the_site_are_compressed(client):
    response = client.get("/account/login/", headers={"accept-encoding": "gzip"})
    assert response["Content-Encoding"] == "gzip"
    assert b"Sign in" in gzip.decompress(response.content)
