"""The calls of Mechanical Turk's API that pay bonuses, by Amazon's own client.

The client is an extra package (requirements-mturk.txt). It signs requests, and never repeats one by itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.domain.recruiting.crowd.prolific import Refused, Unclear
from annotation.models import Wallet

REGION = "us-east-1"
SANDBOX = "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
SECONDS = 20
ONCE = 1
SERVER_FAULT = 500


def client_for(wallet: Wallet) -> Any:
    """Return a client with the project's key. Raise Refused if the package is not installed."""
    try:
        import boto3  # noqa: PLC0415 an extra
        from botocore.config import Config  # noqa: PLC0415
    except ImportError as error:
        raise Refused(
            _("This server cannot pay on Mechanical Turk: requirements-mturk.txt is not installed.")
        ) from error
    return boto3.client(
        "mturk",
        region_name=REGION,
        endpoint_url=settings.MTURK_API_URL or (SANDBOX if wallet.aws_sandbox else None),
        aws_access_key_id=wallet.aws_key_id,
        aws_secret_access_key=wallet.aws_secret,
        config=Config(retries={"total_max_attempts": ONCE}, connect_timeout=SECONDS, read_timeout=SECONDS),
    )


def send_bonus(client: Any, *, worker: str, assignment: str, amount: Decimal, reason: str, token: str) -> None:
    """Pay a bonus. Parameters: token, by which Mechanical Turk refuses to pay the same bonus a second time.

    Raises:
        Refused: it was not paid by this call. Unclear: nobody knows.
    """
    with _answered():
        client.send_bonus(
            WorkerId=worker, AssignmentId=assignment, BonusAmount=str(amount), Reason=reason, UniqueRequestToken=token
        )


def is_paid(client: Any, *, worker: str, assignment: str, amount: Decimal, reason: str) -> bool:
    """Return whether Mechanical Turk lists the bonus as paid. Raise Refused or Unclear without an answer."""
    with _answered():
        pages = client.get_paginator("list_bonus_payments").paginate(AssignmentId=assignment)
        paid = [one for page in pages for one in page.get("BonusPayments", [])]
    same = ((one.get("WorkerId"), Decimal(one.get("BonusAmount", "0")), one.get("Reason")) for one in paid)
    return (worker, amount, reason) in same


@contextmanager
def _answered() -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 an extra

    try:
        yield
    except ClientError as error:
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", SERVER_FAULT)
        failure = Unclear if status >= SERVER_FAULT else Refused
        details = error.response.get("Error", {})
        raise failure(
            _("Mechanical Turk refused this: %(reason)s") % {"reason": details.get("Message", str(error))}
        ) from error
    except BotoCoreError as error:
        raise Unclear(f"{type(error).__name__}: {error}") from error
