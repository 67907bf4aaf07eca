"""Lists in pages, each of which begins where the one before it ended."""

import re
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from annotation.api.parsing import Strict

LARGEST_ID = 2**63 - 1
ID = re.compile("[0-9]{1,18}")
MOST_ROWS = 1000


class Pages(CursorPagination):
    """Pages by primary key: rows that are added while somebody reads move none of the others."""

    ordering = "id"
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = MOST_ROWS
    invalid_cursor_message = (
        "cursor: This page does not exist. Use the value from `next` or `previous` of another page."
    )

    def decode_cursor(self, request: Request) -> Cursor | None:
        cursor = super().decode_cursor(request)
        if cursor and cursor.position is not None and not ID.fullmatch(cursor.position):
            raise NotFound(self.invalid_cursor_message)
        return cursor


class ByNumber(Pages):
    """Pages with the newest rows first."""

    ordering = "-id"


class NoQuery(Strict):
    """An address without parameters."""


class PageQuery(Strict):
    """The parameters of every list."""

    cursor = serializers.CharField(required=False, help_text="The cursor from `next` or `previous` of another page.")
    page_size = serializers.IntegerField(required=False, min_value=1, max_value=MOST_ROWS)

    def chosen(self) -> dict[str, Any]:
        """Return the filters, without the parameters of paging."""
        return {name: value for name, value in self.validated_data.items() if name not in ("cursor", "page_size")}


def filters(chosen: dict[str, Any], paths: dict[str, str]) -> dict[str, Any]:
    """Return conditions for a QuerySet: the path of every parameter with a value, and the value."""
    return {paths[name]: value for name, value in chosen.items() if name in paths}
