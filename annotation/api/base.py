"""The common part of the views: the order of checks, and how lists are answered."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.settings import api_settings

from annotation.api.access import open_projects
from annotation.api.paging import NoQuery, PageQuery, Pages
from annotation.api.parsing import Strict
from annotation.api.problems import Unprocessable
from annotation.api.rendering import STREAMS, CsvRenderer, JsonLinesRenderer, stream
from annotation.models import Project
from annotation.permissions import lacks_second_factor

Row = dict[str, Any]
SECOND_FACTOR = (
    "This project requires two-factor authentication for its members. Set it up under “Two-factor authentication” in "
    "your account."
)


class ApiView(GenericAPIView):
    """A view that counts limits first, also for refused requests, and then checks scope, project and parameters."""

    http_method_names = ("get", "head", "post")
    query_class: ClassVar[type[Strict]] = NoQuery
    format_kwarg = None  # the media type is chosen by Accept alone

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        try:
            self.perform_authentication(request)
        except AuthenticationFailed:
            self.check_throttles(request)
            raise
        self.check_throttles(request)
        self.check_permissions(request)
        self.find(request)
        self.query = self.query_class(data=request.query_params.dict())
        self.query.is_valid(raise_exception=True)

    def find(self, request: Request) -> None:
        """Find the object of the address. Raise 404 if the person may not see it."""

    def read_body(self, serializer: Serializer) -> Row:
        """Return the values of the body. Raise Unprocessable (422) with the invalid fields."""
        if not serializer.is_valid():
            raise Unprocessable(serializer.errors)
        return serializer.validated_data


class ProjectView(ApiView):
    """A view of one project; it is 404 for all but its managers and researchers."""

    project: Project

    def find(self, request: Request) -> None:
        self.project = get_object_or_404(open_projects(request), key=self.kwargs["key"])
        if lacks_second_factor(request.user, self.project):
            raise PermissionDenied(SECOND_FACTOR)


class PagedView(ProjectView, ABC):
    """A list of rows in pages."""

    query_class = PageQuery
    pagination_class = Pages

    def get(self, request: Request, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.rows_wanted())
        return self.get_paginated_response(self.written(page))

    @abstractmethod
    def rows_wanted(self) -> QuerySet:
        """Return the rows that the filters leave."""

    def written(self, page: list[Any]) -> Iterable[Any]:
        """Return the rows of a page in their answered form."""
        return self.get_serializer(page, many=True).data


class StreamedView(PagedView):
    """A list that can also be read as a whole, as CSV or JSON Lines: all rows that the filters leave, by id.

    `rows_wanted` returns rows as the database has them, and `written` the answered form of many at once.
    """

    renderer_classes = (*api_settings.DEFAULT_RENDERER_CLASSES, CsvRenderer, JsonLinesRenderer)

    @cached_property
    def columns(self) -> list[str]:
        return list(self.get_serializer_class()().fields)

    def get(self, request: Request, **kwargs: Any) -> Response | StreamingHttpResponse:
        renderer = request.accepted_renderer
        if renderer.format not in STREAMS:
            return super().get(request, **kwargs)
        return stream(renderer, self.rows_wanted().order_by("id"), self.written, self.columns)
