"""Additions to the OpenAPI schema that the views do not show."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from annotation.api.paging import PageQuery
from annotation.api.problem_json import MEDIA_TYPE

TITLES = {
    "400": "A parameter is invalid, or the request body can't be read.",
    "401": "The token is missing or invalid.",
    "403": "The token is read-only.",
    "404": "Not found, or not visible to you.",
    "405": "Method not allowed.",
    "406": "Not available in an accepted media type.",
    "409": "Not possible in the current state.",
    "412": "The file has changed.",
    "413": "The request body is too large.",
    "415": "The request body is not JSON.",
    "416": "The range starts after the end of the file.",
    "422": "The request body has invalid values.",
    "429": "Too many requests. Retry-After has the number of seconds to wait.",
}
ALWAYS = ("400", "401", "404", "405", "406", "429")
WRITING = ("403", "409", "413", "415", "422")
REQUESTS = (
    "RunStartRequest",
    "RunParametersRequest",
    "ReleaseStartRequest",
    "ReleaseOptionsRequest",
    "PredictionsRequest",
)


class Described(AutoSchema):
    """A schema whose descriptions are written for its readers; docstrings are left out."""

    def get_description(self) -> str:
        return ""

    def get_tags(self) -> list[str]:
        """Return the part of the address below the project."""
        return [(self.path.split("/") + [""] * 3)[5] or "projects"]


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "annotation.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": "`Token KEY`"}


def add_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add problem responses to every operation, and forbid unknown names in bodies; a hook of the schema."""
    components = result["components"]
    components["responses"] = {
        code: {"description": title, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for code, title in TITLES.items()
    }
    for path in result["paths"].values():
        for method, operation in path.items():
            responses = operation["responses"]
            codes = ALWAYS + WRITING if method == "post" else ALWAYS
            for code in (*codes, *(each for each in ("409", "412", "416") if each in responses and each not in codes)):
                responses[code] = {"$ref": f"#/components/responses/{code}"}
    for name in REQUESTS:
        components["schemas"][name]["additionalProperties"] = False
    return result


def streamed(summary: str, query: type[PageQuery], row: type[Serializer], **more: Any) -> Any:
    """Return the description of a list that is answered in pages, as CSV or as JSON Lines."""
    text = "With `Accept: text/csv` or `application/x-ndjson` the response has all rows, without pages."
    whole = OpenApiResponse(OpenApiTypes.STR, description="All rows.")
    answers = {
        (200, "application/json"): row(many=True),
        (200, "text/csv"): whole,
        (200, "application/x-ndjson"): whole,
    }
    return extend_schema(summary=summary, description=text, parameters=[query], responses=answers, **more)
