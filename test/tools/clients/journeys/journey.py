# The journey of clients that openapi-python-client generates: an endpoint, create, pay, get, list, refund, explain,
# events; beyond 32 bits.
import json
import os
import time
from uuid import UUID

from vintem_client import AuthenticatedClient
from vintem_client.api.events import list_events
from vintem_client.api.payments import create_payment, explain_payment, get_payment, list_payments
from vintem_client.api.refunds import create_refund, get_refund
from vintem_client.api.sandbox import pay_sandbox_payment
from vintem_client.api.wallets import list_wallets
from vintem_client.api.webhook_endpoints import create_webhook_endpoint, delete_webhook_endpoint
from vintem_client.models import (
    CreatedPayment,
    CreatedWebhookEndpoint,
    CreatePaymentRequest,
    CreateRefundRequest,
    CreateWebhookEndpointRequest,
    Currency,
    EventList,
    Explanation,
    Language,
    Metadata,
    Payment,
    PaymentList,
    PaymentMethod,
    PaymentStatus,
    PaySandboxPaymentRequest,
    Refund,
    SandboxPaymentResult,
    SandboxScenario,
    StepCause,
    WalletList,
    WebhookEndpoint,
    WebhookEndpointEventType,
)

AMOUNT = 5_000_000_000
BACK = 3_000_000_000

client = AuthenticatedClient(
    base_url=os.environ["API_URL"], token=os.environ["API_KEY"], prefix="", auth_header_name="apikey"
)


def paid(payment_id: UUID) -> Payment:
    for _ in range(600):
        payment = get_payment.sync(payment_id, client=client)
        assert isinstance(payment, Payment), payment
        if payment.status == PaymentStatus.PAID:
            return payment
        time.sleep(0.2)
    raise AssertionError("the payment was not paid")


def main() -> None:
    endpoint = create_webhook_endpoint.sync(
        client=client,
        body=CreateWebhookEndpointRequest(
            url="http://127.0.0.1:9/hooks", event_types=[WebhookEndpointEventType.PAYMENT_COMPLETED]
        ),
    )
    assert isinstance(endpoint, CreatedWebhookEndpoint), endpoint
    assert isinstance(endpoint.secret, str) and endpoint.secret.startswith("whsec_")
    metadata = Metadata()
    metadata["orderId"] = "A-1"
    created = create_payment.sync(
        client=client,
        body=CreatePaymentRequest(
            amount=AMOUNT,
            currency=Currency.BRL,
            payment_methods=[PaymentMethod.PIX],
            idempotency_key=os.environ["RUN"],
            metadata=metadata,
        ),
    )
    assert isinstance(created, CreatedPayment), created
    assert created.amount == AMOUNT, created.amount
    result = pay_sandbox_payment.sync(
        created.id, client=client, body=PaySandboxPaymentRequest(scenario=SandboxScenario.EXACT)
    )
    assert isinstance(result, SandboxPaymentResult), result
    payment = paid(created.id)
    assert payment.amount == AMOUNT, payment.amount
    assert payment.amount_received == AMOUNT, payment.amount_received
    page = list_payments.sync(client=client, limit=10, status=PaymentStatus.PAID, currency=Currency.BRL)
    assert isinstance(page, PaymentList), page
    assert [each.amount_received for each in page.data if each.id == payment.id] == [AMOUNT]
    requested = create_refund.sync(
        payment.id, client=client, body=CreateRefundRequest(amount=BACK, reason="One item was not there")
    )
    assert isinstance(requested, Refund), requested
    refund = get_refund.sync(requested.id, client=client)
    assert isinstance(refund, Refund), refund
    assert refund.amount == BACK, refund.amount
    wallets = list_wallets.sync(client=client, currency=Currency.BRL)
    assert isinstance(wallets, WalletList), wallets
    assert any(each.balance + each.held_balance >= AMOUNT - BACK for each in wallets.data)
    explained = explain_payment.sync(payment.id, client=client, language=Language.PT_BR)
    assert isinstance(explained, Explanation), explained
    assert AMOUNT in [step.amount for step in explained.steps if step.cause == StepCause.CREDITED]
    events = list_events.sync(client=client, types="refund.created", limit=100, wait=1)
    assert isinstance(events, EventList) and len(events.data) > 0, events
    deleted = delete_webhook_endpoint.sync(endpoint.id, client=client)
    assert isinstance(deleted, WebhookEndpoint), deleted
    print(json.dumps({"payment": str(payment.id), "refund": str(refund.id)}))


main()
