# Made by sdk/python/generator/resources.ts from openapi.json. Do not edit: npm run sdk writes it again.
from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from typing_extensions import Unpack

from .._call import Call, CallOptions, path
from .._follow import FollowedEvents
from .._send import Resource, Sender
from ..pages import Pages
from .types import (
    AddDisputeEvidenceFileRequest,
    AdvanceSandboxClockRequest,
    ApiKey,
    BalanceHistory,
    BalanceHistoryInterval,
    CallMethod,
    Caller,
    CapturePaymentRequest,
    CataloguedEventTypeList,
    ChangeApiKeyRequest,
    ChangeDisputeEvidenceRequest,
    ChangePayoutScheduleRequest,
    ChangeSubAccountRequest,
    ChangeWalletRequest,
    ChangeWebhookEndpointRequest,
    ClockAdvance,
    ConsolidatedBalance,
    CreateApiKeyRequest,
    CreatePaymentLinkRequest,
    CreatePaymentRequest,
    CreatePayoutScheduleRequest,
    CreateRefundRequest,
    CreateRehearsalRequest,
    CreateSubAccountKeyRequest,
    CreateSubAccountRequest,
    CreateTransferGrantRequest,
    CreateTransferRequest,
    CreateWalletRequest,
    CreateWebhookEndpointRequest,
    CreateWebhookRecoveryRequest,
    CreateWithdrawalBatchRequest,
    CreateWithdrawalRequest,
    CreatedPayment,
    CreatedWebhookEndpoint,
    Currency,
    DeclareMetadataKeysRequest,
    Delivery,
    DeliveryStatus,
    Deposit,
    Dispute,
    DisputeEvidence,
    DisputeStatus,
    Event,
    EventType,
    Expansion,
    Explanation,
    Language,
    ListedWithdrawalBatch,
    LoggedCall,
    MetadataKeyList,
    NewApiKey,
    NewSubAccount,
    PaySandboxPaymentRequest,
    Payment,
    PaymentLink,
    PaymentLinkArchived,
    PaymentMethod,
    PaymentShareList,
    PaymentStatus,
    PayoutSchedule,
    ProblemCode,
    Refund,
    RefundStatus,
    Rehearsal,
    RehearsalSummary,
    RollApiKeyRequest,
    RollWebhookSecretRequest,
    RolledWebhookEndpoint,
    SandboxClock,
    SandboxPaymentResult,
    SetSettingsRequest,
    Settings,
    Share,
    Spreadsheet,
    StatementEntry,
    StatementEntryKind,
    StatusClass,
    SubAccount,
    SubmitDisputeEvidenceRequest,
    Transfer,
    TransferGrant,
    Wallet,
    WalletSummary,
    WebhookEndpoint,
    WebhookPing,
    WebhookRecovery,
    Withdrawal,
    WithdrawalBatch,
    WithdrawalStatus,
    WithdrawalType,
)


class Payments(Resource):
    def create(self, body: CreatePaymentRequest, /, **options: Unpack[CallOptions]) -> CreatedPayment:
        """Create a payment. An idempotencyKey is required, as that field or as the header Idempotency-Key. The same key with the same body returns the same payment again, in its present status; with another body it is a conflict."""
        return cast("CreatedPayment", self._call(Call("POST", "/v1/payments", body=body, takes_key=True, needs_key=True), options))

    def list(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, status: PaymentStatus | None = None, method: PaymentMethod | None = None, currency: Currency | None = None, ids: str | None = None, metadata: Mapping[str, str] | None = None, customer_email: str | None = None, customer_name: str | None = None, customer_tax_id: str | None = None, tx_hash: str | None = None, end_to_end_id: str | None = None, reference: str | None = None, crypto_address: str | None = None, card_last4: str | None = None, idempotency_key: str | None = None, checkout_url: str | None = None, amount: int | None = None, checkout: str | None = None, payment_link_id: str | None = None, exception: str | None = None, **options: Unpack[CallOptions]) -> Pages[Payment]:
        """List payments, newest first. Whole payments, without the pictures of QR codes. `from` and `to` filter by their creation. All filters that are given must fit. With one that finds by a value, a page may have fewer rows than `limit`, even none, and still have a `nextCursor`: the list ends where there is none. A metadata key that is not READY is refused: 400 when it is not declared, 409 while earlier payments are filled in."""
        return self._pages(Call("GET", "/v1/payments", query={"limit": limit, "from": from_, "to": to, "status": status, "method": method, "currency": currency, "ids": ids, "metadata": metadata, "customerEmail": customer_email, "customerName": customer_name, "customerTaxId": customer_tax_id, "txHash": tx_hash, "endToEndId": end_to_end_id, "reference": reference, "cryptoAddress": crypto_address, "cardLast4": card_last4, "idempotencyKey": idempotency_key, "checkoutUrl": checkout_url, "amount": amount, "checkout": checkout, "paymentLinkId": payment_link_id, "exception": exception}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> Payment:
        """Get a payment. As it stands now, with what its payer needs and what arrived for it."""
        return cast("Payment", self._call(Call("GET", path("/v1/payments/{id}", id)), options))

    def list_deposits(self, id: str, /, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[Deposit]:
        """List the deposits of a payment, newest first. Every transfer that reached the payment’s address. A payment by another method has none."""
        return self._pages(Call("GET", path("/v1/payments/{id}/deposits", id), query={"limit": limit}), options)

    def capture(self, id: str, body: CapturePaymentRequest | None = None, /, **options: Unpack[CallOptions]) -> Payment:
        """Capture an approved payment. Captures what the payer’s bank holds, or a part of it; the rest is released. The payment is PAID with what was captured. The same call again returns the same. When the provider does not answer (503) the capture goes on by itself."""
        return cast("Payment", self._call(Call("POST", path("/v1/payments/{id}/capture", id), body=body or {}), options))

    def cancel(self, id: str, /, **options: Unpack[CallOptions]) -> Payment:
        """Cancel an unpaid payment. What is authorised and not captured is released. Canceling again returns the same. Money that still arrives is credited; the payment stays CANCELED."""
        return cast("Payment", self._call(Call("POST", path("/v1/payments/{id}/cancel", id), body={}), options))

    def explain(self, id: str, /, *, language: Language | None = None, cursor: str | None = None, limit: int | None = None, **options: Unpack[CallOptions]) -> Explanation:
        """Explain a payment. What was observed, what providers answered, what changed and why, what was booked, and what you were told of it, as the books hold it. In the order in which it was learned; within one page if there are several. The amounts of LEDGER steps add up to the entries of your wallets."""
        return cast("Explanation", self._call(Call("GET", path("/v1/payments/{id}/explain", id), query={"language": language, "cursor": cursor, "limit": limit}), options))


class PaymentLinks(Resource):
    def list(self, *, limit: int | None = None, archived: PaymentLinkArchived | None = None, **options: Unpack[CallOptions]) -> Pages[PaymentLink]:
        """List payment links, newest first. All of them, or with `archived` those that are archived or not."""
        return self._pages(Call("GET", "/v1/payment-links", query={"limit": limit, "archived": archived}), options)

    def create(self, body: CreatePaymentLinkRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> PaymentLink:
        """Create a payment link. A page to share: each payer who sends its form makes one payment with these terms. With `amount`, or with `minAmount` and `maxAmount` between which the payer chooses. It never changes; archive it and create another one."""
        return cast("PaymentLink", self._call(Call("POST", "/v1/payment-links", body=body, takes_key=True, key=idempotency_key), options))

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> PaymentLink:
        """Get a payment link. With how often it was used. Its payments: `GET /v1/payments?paymentLinkId=`."""
        return cast("PaymentLink", self._call(Call("GET", path("/v1/payment-links/{id}", id)), options))

    def archive(self, id: str, /, **options: Unpack[CallOptions]) -> PaymentLink:
        """Archive a payment link. Its page makes no payment any more. Payments that it made go on. Archiving again returns the same."""
        return cast("PaymentLink", self._call(Call("POST", path("/v1/payment-links/{id}/archive", id), body={}), options))


class Refunds(Resource):
    def create(self, id: str, body: CreateRefundRequest | None = None, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> Refund:
        """Give money back. The amount is held in the wallet at once and leaves it when the provider has refunded it. Without an amount: all that can be refunded. Money goes back as it came: one refund is of one receipt. With a cryptoAddress: money that came by CRYPTO; with an iban: money that came by SEPA_TRANSFER; with neither: all but CRYPTO, and of that, what came twice first, then the newest."""
        return cast("Refund", self._call(Call("POST", path("/v1/payments/{id}/refunds", id), body=body or {}, takes_key=True, key=idempotency_key), options))

    def list(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, payment_id: str | None = None, status: RefundStatus | None = None, currency: Currency | None = None, amount: int | None = None, tx_hash: str | None = None, end_to_end_id: str | None = None, expand: Expansion | None = None, **options: Unpack[CallOptions]) -> Pages[Refund]:
        """List refunds, newest first. The refunds of all payments, or of one. `from` and `to` filter by when the refund was requested. All filters that are given must fit; with an amount, a transaction or an end-to-end id a page may be short and still have a `nextCursor`."""
        return self._pages(Call("GET", "/v1/refunds", query={"limit": limit, "from": from_, "to": to, "paymentId": payment_id, "status": status, "currency": currency, "amount": amount, "txHash": tx_hash, "endToEndId": end_to_end_id, "expand": expand}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> Refund:
        """Get a refund. As it stands now. A refund that is PENDING is still being sent."""
        return cast("Refund", self._call(Call("GET", path("/v1/refunds/{id}", id)), options))

    def approve(self, id: str, /, **options: Unpack[CallOptions]) -> Refund:
        """Approve a refund. For a refund with approvalRequired: its address or account is neither listed nor the one that the money came from, or it is above the limit of approval. Not with the key that requested it, and for a sub-account not with a key that its parent made."""
        return cast("Refund", self._call(Call("POST", path("/v1/refunds/{id}/approve", id), body={}), options))

    def reject(self, id: str, /, **options: Unpack[CallOptions]) -> Refund:
        """Reject a refund that waits for approval. Not with the key that requested it, and for a sub-account not with a key that its parent made. The refund is FAILED, and what was held is in the wallet again."""
        return cast("Refund", self._call(Call("POST", path("/v1/refunds/{id}/reject", id), body={}), options))

    def explain(self, id: str, /, *, language: Language | None = None, cursor: str | None = None, limit: int | None = None, **options: Unpack[CallOptions]) -> Explanation:
        """Explain a refund. What was observed, what providers answered, what changed and why, what was booked, and what you were told of it, as the books hold it. In the order in which it was learned; within one page if there are several. The amounts of LEDGER steps add up to the entries of your wallets."""
        return cast("Explanation", self._call(Call("GET", path("/v1/refunds/{id}/explain", id), query={"language": language, "cursor": cursor, "limit": limit}), options))


class Disputes(Resource):
    def list(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, payment_id: str | None = None, status: DisputeStatus | None = None, currency: Currency | None = None, expand: Expansion | None = None, **options: Unpack[CallOptions]) -> Pages[Dispute]:
        """List disputes, newest first. The disputes of all payments, or of one. `from` and `to` filter by when the dispute was opened."""
        return self._pages(Call("GET", "/v1/disputes", query={"limit": limit, "from": from_, "to": to, "paymentId": payment_id, "status": status, "currency": currency, "expand": expand}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> Dispute:
        """Get a dispute. As it stands now. A dispute is reported by its provider; it cannot be created here."""
        return cast("Dispute", self._call(Call("GET", path("/v1/disputes/{id}", id)), options))

    def accept(self, id: str, /, **options: Unpack[CallOptions]) -> Dispute:
        """Give in to a dispute. The money stays with the payer and the dispute is LOST. For open chargebacks; banks decide a MED among themselves (422). Accepting again answers the same."""
        return cast("Dispute", self._call(Call("POST", path("/v1/disputes/{id}/accept", id), body={}), options))

    def get_evidence(self, id: str, /, **options: Unpack[CallOptions]) -> DisputeEvidence:
        """Get the evidence of a dispute. The draft, or what was submitted, when and by which key."""
        return cast("DisputeEvidence", self._call(Call("GET", path("/v1/disputes/{id}/evidence", id)), options))

    def change_evidence(self, id: str, body: ChangeDisputeEvidenceRequest | None = None, /, **options: Unpack[CallOptions]) -> DisputeEvidence:
        """Write evidence. Saves a draft. Nothing is sent until it is submitted. For open disputes whose provider takes evidence by its API."""
        return cast("DisputeEvidence", self._call(Call("PATCH", path("/v1/disputes/{id}/evidence", id), body=body or {}), options))

    def add_evidence_file(self, id: str, body: AddDisputeEvidenceFileRequest, /, **options: Unpack[CallOptions]) -> DisputeEvidence:
        """Add a file to the evidence. A PDF, PNG or JPEG, in place of the file of the same kind. All files together have at most 4.5 MB. The same call again changes nothing."""
        return cast("DisputeEvidence", self._call(Call("POST", path("/v1/disputes/{id}/evidence/files", id), body=body), options))

    def submit_evidence(self, id: str, body: SubmitDisputeEvidenceRequest, /, **options: Unpack[CallOptions]) -> DisputeEvidence:
        """Submit the evidence. Sends it to the provider, once. It cannot be changed afterwards. The call can be repeated: with the same version it answers the same."""
        return cast("DisputeEvidence", self._call(Call("POST", path("/v1/disputes/{id}/evidence/submit", id), body=body), options))


class Wallets(Resource):
    def list(self, *, limit: int | None = None, currency: Currency | None = None, **options: Unpack[CallOptions]) -> Pages[Wallet]:
        """List wallets, oldest first. With their balances now. Every merchant starts with a default wallet in BRL, EUR and USDT."""
        return self._pages(Call("GET", "/v1/wallets", query={"limit": limit, "currency": currency}), options)

    def create(self, body: CreateWalletRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> Wallet:
        """Create a wallet. The first SPENDABLE wallet of a currency is its default; later ones are not. Where a currency has none yet, a RESERVE wallet creates it as well."""
        return cast("Wallet", self._call(Call("POST", "/v1/wallets", body=body, takes_key=True, key=idempotency_key), options))

    def get_balance(self, *, at: str | None = None, **options: Unpack[CallOptions]) -> ConsolidatedBalance:
        """Get the sums of each currency. Now, or with `at` as they were after the last movement at or before that instant."""
        return cast("ConsolidatedBalance", self._call(Call("GET", "/v1/wallets/balance", query={"at": at}), options))

    def get_statement(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, wallet_id: str | None = None, currency: Currency | None = None, kind: StatementEntryKind | None = None, spreadsheet: Spreadsheet | None = None, time_zone: str | None = None, **options: Unpack[CallOptions]) -> Pages[StatementEntry]:
        """List the movements of available balances, newest first. When only one kind is requested and it is rare, a page may hold fewer rows than its limit and still have a next one. `format=csv` returns all of it as one file, of any length; what is posted meanwhile is not in it."""
        return self._pages(Call("GET", "/v1/wallets/statement", query={"limit": limit, "from": from_, "to": to, "walletId": wallet_id, "currency": currency, "kind": kind, "spreadsheet": spreadsheet, "timeZone": time_zone}), options)

    def get(self, id: str, /, *, at: str | None = None, **options: Unpack[CallOptions]) -> Wallet:
        """Get a wallet. With `at` the balances are those of that instant: zero before the wallet was created."""
        return cast("Wallet", self._call(Call("GET", path("/v1/wallets/{id}", id), query={"at": at}), options))

    def change(self, id: str, body: ChangeWalletRequest | None = None, /, **options: Unpack[CallOptions]) -> Wallet:
        """Rename a wallet, or make it inactive or active again. The default wallet of a currency stays active: what is received needs a place."""
        return cast("Wallet", self._call(Call("PATCH", path("/v1/wallets/{id}", id), body=body or {}), options))

    def get_summary(self, *, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> WalletSummary:
        """Sum up what came in and went out. The available balances of all wallets of each currency. Default: the last 30 days. Transfers between own wallets are in `byKind`, on both sides, and in neither `inflow` nor `outflow`."""
        return cast("WalletSummary", self._call(Call("GET", "/v1/wallets/summary", query={"from": from_, "to": to}), options))

    def get_balance_history(self, *, interval: BalanceHistoryInterval | None = None, time_zone: str | None = None, currency: Currency | None = None, wallet_id: str | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> BalanceHistory:
        """List balances day by day, week by week, or month by month. One row for each interval and currency, or for one wallet, also where nothing moved. Intervals are whole, in the calendar of the time zone; weeks begin on Monday. Without `from`: 30 days, 13 weeks or 12 months. At most 400 rows."""
        return cast("BalanceHistory", self._call(Call("GET", "/v1/wallets/balance-history", query={"interval": interval, "timeZone": time_zone, "currency": currency, "walletId": wallet_id, "from": from_, "to": to}), options))


class Transfers(Resource):
    def create(self, body: CreateTransferRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> Transfer:
        """Move money between two wallets of one currency. At once and for good: between own wallets, or with a wallet of a sub-account of yours. To a sub-account whenever you want to; from one only while a transfer grant of its stands. A RESERVE may pay; an inactive wallet may only receive."""
        return cast("Transfer", self._call(Call("POST", "/v1/transfers", body=body, takes_key=True, key=idempotency_key), options))

    def list(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, wallet_id: str | None = None, currency: Currency | None = None, **options: Unpack[CallOptions]) -> Pages[Transfer]:
        """List transfers between wallets, newest first. The transfers of all wallets, or of one on either side. `from` and `to` filter by when the money moved."""
        return self._pages(Call("GET", "/v1/transfers", query={"limit": limit, "from": from_, "to": to, "walletId": wallet_id, "currency": currency}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> Transfer:
        """Get a transfer between wallets. A transfer never changes: it happened at once and for good."""
        return cast("Transfer", self._call(Call("GET", path("/v1/transfers/{id}", id)), options))


class TransferGrants(Resource):
    def create(self, body: CreateTransferGrantRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> TransferGrant:
        """Let your parent take money by transfer. For sub-accounts, by a key or a member of their own: not by a key of the parent, nor by one that the parent made. With `maxAmount`, `expiresAt`, or both. One grant stands in each currency."""
        return cast("TransferGrant", self._call(Call("POST", "/v1/transfer-grants", body=body, takes_key=True, key=idempotency_key), options))

    def list(self, *, limit: int | None = None, sub_account_id: str | None = None, **options: Unpack[CallOptions]) -> Pages[TransferGrant]:
        """List transfer grants, newest first. Those that you gave; or those that your sub-accounts gave you, all or of one. Ended ones are there too."""
        return self._pages(Call("GET", "/v1/transfer-grants", query={"limit": limit, "subAccountId": sub_account_id}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> TransferGrant:
        """Get a transfer grant. One that you gave, or that a sub-account of yours gave you."""
        return cast("TransferGrant", self._call(Call("GET", path("/v1/transfer-grants/{id}", id)), options))

    def revoke(self, id: str, /, **options: Unpack[CallOptions]) -> TransferGrant:
        """Revoke a transfer grant. For the sub-account that gave it. From then on nothing is taken by it; what was taken stays taken. Revoking again returns the same."""
        return cast("TransferGrant", self._call(Call("POST", path("/v1/transfer-grants/{id}/revoke", id), body={}), options))


class Withdrawals(Resource):
    def create(self, body: CreateWithdrawalRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> Withdrawal:
        """Take money out of a wallet. The amount and its fee are held at once and leave when the recipient has the money. Without a walletId: the default wallet if it covers both, else the oldest spendable one that does. The same idempotencyKey with the same body returns the same withdrawal again."""
        return cast("Withdrawal", self._call(Call("POST", "/v1/withdrawals", body=body, takes_key=True, key=idempotency_key), options))

    def list(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, status: WithdrawalStatus | None = None, type: WithdrawalType | None = None, currency: Currency | None = None, batch_id: str | None = None, metadata: Mapping[str, str] | None = None, amount: int | None = None, tx_hash: str | None = None, end_to_end_id: str | None = None, pix_key: str | None = None, crypto_address: str | None = None, iban: str | None = None, **options: Unpack[CallOptions]) -> Pages[Withdrawal]:
        """List withdrawals, newest first. The withdrawals of all wallets. `from` and `to` filter by when the withdrawal was requested. All filters that are given must fit; pages and metadata keys are as in the list of payments."""
        return self._pages(Call("GET", "/v1/withdrawals", query={"limit": limit, "from": from_, "to": to, "status": status, "type": type, "currency": currency, "batchId": batch_id, "metadata": metadata, "amount": amount, "txHash": tx_hash, "endToEndId": end_to_end_id, "pixKey": pix_key, "cryptoAddress": crypto_address, "iban": iban}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> Withdrawal:
        """Get a withdrawal. As it stands now. A withdrawal that is PROCESSING may have reached its recipient already."""
        return cast("Withdrawal", self._call(Call("GET", path("/v1/withdrawals/{id}", id)), options))

    def cancel(self, id: str, /, **options: Unpack[CallOptions]) -> Withdrawal:
        """Cancel a withdrawal that was not sent yet. Canceling again returns the same. What was held is in the wallet again. After the operator restored the database, nothing is canceled until it is known what had left."""
        return cast("Withdrawal", self._call(Call("POST", path("/v1/withdrawals/{id}/cancel", id), body={}), options))

    def approve(self, id: str, /, **options: Unpack[CallOptions]) -> Withdrawal:
        """Approve a withdrawal. Not with the key that requested it, nor with another key of the same person or lineage. Limits and listed destinations are checked again, as they are now."""
        return cast("Withdrawal", self._call(Call("POST", path("/v1/withdrawals/{id}/approve", id), body={}), options))

    def reject(self, id: str, /, **options: Unpack[CallOptions]) -> Withdrawal:
        """Reject a withdrawal that waits for approval. Not with the key that requested it, nor with another key of the same person or lineage. The withdrawal is CANCELED, and what was held is in the wallet again."""
        return cast("Withdrawal", self._call(Call("POST", path("/v1/withdrawals/{id}/reject", id), body={}), options))

    def explain(self, id: str, /, *, language: Language | None = None, cursor: str | None = None, limit: int | None = None, **options: Unpack[CallOptions]) -> Explanation:
        """Explain a withdrawal. What was observed, what providers answered, what changed and why, what was booked, and what you were told of it, as the books hold it. In the order in which it was learned; within one page if there are several. The amounts of LEDGER steps add up to the entries of your wallets."""
        return cast("Explanation", self._call(Call("GET", path("/v1/withdrawals/{id}/explain", id), query={"language": language, "cursor": cursor, "limit": limit}), options))


class WithdrawalBatches(Resource):
    def create(self, body: CreateWithdrawalBatchRequest, /, **options: Unpack[CallOptions]) -> WithdrawalBatch:
        """Take money out in up to 1,000 withdrawals. All are accepted, and their amounts and fees held, or none is: the faults of every withdrawal are listed. Then each has its own end. When one needs approval, or all of one type and currency together are above the amount from which approval is needed, the batch waits for it as one. The same key with the same withdrawals returns the same batch again."""
        return cast("WithdrawalBatch", self._call(Call("POST", "/v1/withdrawal-batches", body=body, takes_key=True, needs_key=True), options))

    def list(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> Pages[ListedWithdrawalBatch]:
        """List batches of withdrawals, newest first. `from` and `to` filter by when the batch was requested."""
        return self._pages(Call("GET", "/v1/withdrawal-batches", query={"limit": limit, "from": from_, "to": to}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> WithdrawalBatch:
        """Get a batch of withdrawals, and how far it is. Its withdrawals: `GET /v1/withdrawals?batchId=`."""
        return cast("WithdrawalBatch", self._call(Call("GET", path("/v1/withdrawal-batches/{id}", id)), options))

    def cancel(self, id: str, /, **options: Unpack[CallOptions]) -> WithdrawalBatch:
        """Cancel the withdrawals of a batch that were not sent yet. What was held for them is in the wallets again. Those that were sent keep their own end."""
        return cast("WithdrawalBatch", self._call(Call("POST", path("/v1/withdrawal-batches/{id}/cancel", id), body={}), options))

    def approve(self, id: str, /, **options: Unpack[CallOptions]) -> WithdrawalBatch:
        """Approve a batch of withdrawals. All of it that waits, or nothing: limits and listed destinations are checked again, as they are now. Not with the key that requested it."""
        return cast("WithdrawalBatch", self._call(Call("POST", path("/v1/withdrawal-batches/{id}/approve", id), body={}), options))

    def reject(self, id: str, /, **options: Unpack[CallOptions]) -> WithdrawalBatch:
        """Reject a batch of withdrawals that waits for approval. All of it that waits is CANCELED, and what was held is in the wallets again."""
        return cast("WithdrawalBatch", self._call(Call("POST", path("/v1/withdrawal-batches/{id}/reject", id), body={}), options))


class PayoutSchedules(Resource):
    def create(self, body: CreatePayoutScheduleRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> PayoutSchedule:
        """Let a wallet pay out by itself. To a destination that the operator has put on the merchant’s list. Each run requests a withdrawal of what the wallet has above `keep`, after the fee and as far as the limits allow. Approval is needed as for any withdrawal. A run that was missed is made up for once."""
        return cast("PayoutSchedule", self._call(Call("POST", "/v1/payout-schedules", body=body, takes_key=True, key=idempotency_key), options))

    def list(self, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[PayoutSchedule]:
        """List payout schedules, newest first. Those that have ended too."""
        return self._pages(Call("GET", "/v1/payout-schedules", query={"limit": limit}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> PayoutSchedule:
        """Get a payout schedule. With its next run, and what came of the last one."""
        return cast("PayoutSchedule", self._call(Call("GET", path("/v1/payout-schedules/{id}", id)), options))

    def change(self, id: str, body: ChangePayoutScheduleRequest | None = None, /, **options: Unpack[CallOptions]) -> PayoutSchedule:
        """Pause, resume or end a payout schedule, or change what stays. Its wallet, destination and rhythm stay: for others, make another schedule. Withdrawals that it has requested go on."""
        return cast("PayoutSchedule", self._call(Call("PATCH", path("/v1/payout-schedules/{id}", id), body=body or {}), options))


class Events(FollowedEvents):
    def list(self, *, limit: int | None = None, after: int | None = None, types: str | None = None, wait: int | None = None, **options: Unpack[CallOptions]) -> Pages[Event]:
        """List events, oldest first. Numbers have no gaps, but the one before a `service.restored`, which is never filled: a client that sends the `readTo` of its last answer as `after` misses nothing and reads nothing twice, however long it was away. With `wait` the answer comes as soon as there is an event, or without one when the time is over. At most five requests of a key wait at once."""
        return self._pages(Call("GET", "/v1/events", query={"limit": limit, "after": after, "types": types, "wait": wait}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> Event:
        """Get an event. The same object that was sent to webhook URLs, however long ago."""
        return cast("Event", self._call(Call("GET", path("/v1/events/{id}", id)), options))


class Deliveries(Resource):
    def list(self, id: str, /, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[Delivery]:
        """List the deliveries of an event, newest first. Where the event was sent, with every attempt. An event that no URL belongs to has none."""
        return self._pages(Call("GET", path("/v1/events/{id}/deliveries", id), query={"limit": limit}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> Delivery:
        """Get a delivery with its attempts. When it was sent, what was answered or why there was no answer, and when it is sent next."""
        return cast("Delivery", self._call(Call("GET", path("/v1/deliveries/{id}", id)), options))

    def resend(self, id: str, /, **options: Unpack[CallOptions]) -> Delivery:
        """Send an event to its URL again. Starts a new round of attempts now, in any state of the delivery. That of a deleted endpoint is not sent again."""
        return cast("Delivery", self._call(Call("POST", path("/v1/deliveries/{id}/resend", id), body={}), options))

    def search(self, *, limit: int | None = None, endpoint_id: str | None = None, event_id: str | None = None, status: DeliveryStatus | None = None, type: EventType | None = None, subject: str | None = None, host: str | None = None, from_: str | None = None, to: str | None = None, **options: Unpack[CallOptions]) -> Pages[Delivery]:
        """List deliveries, newest first. To endpoints and to URLs of payments, by the order of their events. A page of one `status`, `type` or `host` may hold fewer than `limit`, even none: go on as long as there is a `nextCursor`."""
        return self._pages(Call("GET", "/v1/deliveries", query={"limit": limit, "endpointId": endpoint_id, "eventId": event_id, "status": status, "type": type, "subject": subject, "host": host, "from": from_, "to": to}), options)


class EventTypes(Resource):
    def list(self, **options: Unpack[CallOptions]) -> CataloguedEventTypeList:
        """List the types of events. All of them, each with an example of the body that is sent. Every key may call it."""
        return cast("CataloguedEventTypeList", self._call(Call("GET", "/v1/event-types"), options))


class MetadataKeys(Resource):
    def list(self, **options: Unpack[CallOptions]) -> MetadataKeyList:
        """List the keys of metadata that lists find by. Each with its state: whether lists find by it yet, and how far earlier records are filled in."""
        return cast("MetadataKeyList", self._call(Call("GET", "/v1/metadata-keys"), options))

    def declare(self, body: DeclareMetadataKeysRequest, /, **options: Unpack[CallOptions]) -> MetadataKeyList:
        """Declare the keys of metadata that lists find by. The whole list, of at most five. Records that are created from now on are found by a new key at once when it is READY; earlier ones are filled in first, which takes at least a minute. Keys that stay in the list stay READY. The same list again changes nothing."""
        return cast("MetadataKeyList", self._call(Call("PUT", "/v1/metadata-keys", body=body), options))


class Requests(Resource):
    def list(self, *, limit: int | None = None, from_: str | None = None, to: str | None = None, status_class: StatusClass | None = None, code: ProblemCode | None = None, method: CallMethod | None = None, key_id: str | None = None, **options: Unpack[CallOptions]) -> Pages[LoggedCall]:
        """List your last calls, newest first. The last 10,000 calls with keys of yours (an operator may keep fewer), some seconds after they were made. Calls can be missing: the log never slows or refuses a call. Requests without a valid key, and to addresses that do not exist, are in no log."""
        return self._pages(Call("GET", "/v1/requests", query={"limit": limit, "from": from_, "to": to, "statusClass": status_class, "code": code, "method": method, "keyId": key_id}), options)


class WebhookEndpoints(Resource):
    def create(self, body: CreateWebhookEndpointRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> CreatedWebhookEndpoint:
        """Create a webhook endpoint. Your events of its types are sent there from now on, signed with its own secret, which this answer alone shows. A merchant has at most 100."""
        return cast("CreatedWebhookEndpoint", self._call(Call("POST", "/v1/webhook-endpoints", body=body, takes_key=True, key=idempotency_key), options))

    def list(self, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[WebhookEndpoint]:
        """List webhook endpoints, oldest first. Without those that are deleted, and without their secrets."""
        return self._pages(Call("GET", "/v1/webhook-endpoints", query={"limit": limit}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> WebhookEndpoint:
        """Get a webhook endpoint. Whether it is enabled, and since when it fails."""
        return cast("WebhookEndpoint", self._call(Call("GET", path("/v1/webhook-endpoints/{id}", id)), options))

    def change(self, id: str, body: ChangeWebhookEndpointRequest | None = None, /, **options: Unpack[CallOptions]) -> WebhookEndpoint:
        """Change a webhook endpoint, disable it, or enable it again. A disabled endpoint’s deliveries are held; enabling it sends them in the order of their sequence, to the URL that it has then. `eventTypes` of `["*"]` is all types, an empty description is none."""
        return cast("WebhookEndpoint", self._call(Call("PATCH", path("/v1/webhook-endpoints/{id}", id), body=body or {}), options))

    def delete(self, id: str, /, **options: Unpack[CallOptions]) -> WebhookEndpoint:
        """Delete a webhook endpoint. For good: it gets nothing more, what was still to be sent to it is canceled, and its secret is erased. Its deliveries stay listed."""
        return cast("WebhookEndpoint", self._call(Call("DELETE", path("/v1/webhook-endpoints/{id}", id)), options))

    def roll_webhook_secret(self, id: str, body: RollWebhookSecretRequest | None = None, /, **options: Unpack[CallOptions]) -> RolledWebhookEndpoint:
        """Give a webhook endpoint a new secret. This answer alone shows it. For `overlapHours` both secrets sign; with 0 the present one stops at once. Of two rolls within that time, the secret before both stops."""
        return cast("RolledWebhookEndpoint", self._call(Call("POST", path("/v1/webhook-endpoints/{id}/roll-secret", id), body=body or {}), options))

    def ping(self, id: str, /, **options: Unpack[CallOptions]) -> WebhookPing:
        """Send an event to a webhook endpoint to see whether it answers. The event `webhook_endpoint.ping`, to this endpoint alone, whatever types it takes."""
        return cast("WebhookPing", self._call(Call("POST", path("/v1/webhook-endpoints/{id}/ping", id), body={}), options))


class WebhookRecoveries(Resource):
    def create(self, body: CreateWebhookRecoveryRequest | None = None, /, **options: Unpack[CallOptions]) -> WebhookRecovery:
        """Send the events of a span again. To an endpoint: those whose delivery failed for good, and those that it never had because it is younger than they are. Without `endpointId`: deliveries to the URLs of payments and withdrawals that failed for good. They are sent one after another in the order of their sequence, beside what is new. One runs at a time for each endpoint."""
        return cast("WebhookRecovery", self._call(Call("POST", "/v1/webhook-recoveries", body=body or {}), options))

    def list(self, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[WebhookRecovery]:
        """List recoveries, newest first. Those that have ended too."""
        return self._pages(Call("GET", "/v1/webhook-recoveries", query={"limit": limit}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> WebhookRecovery:
        """Get a recovery. How far it has come, and how many deliveries it has made due."""
        return cast("WebhookRecovery", self._call(Call("GET", path("/v1/webhook-recoveries/{id}", id)), options))

    def cancel(self, id: str, /, **options: Unpack[CallOptions]) -> WebhookRecovery:
        """Cancel a recovery. It makes nothing more due. What it has made due is sent all the same."""
        return cast("WebhookRecovery", self._call(Call("POST", path("/v1/webhook-recoveries/{id}/cancel", id), body={}), options))


class Me(Resource):
    def get(self, **options: Unpack[CallOptions]) -> Caller:
        """Get the merchant, the scopes and the limits of the key. Every key may call it, whatever its scopes."""
        return cast("Caller", self._call(Call("GET", "/v1/me"), options))


class SettingsResource(Resource):
    def get(self, **options: Unpack[CallOptions]) -> Settings:
        """Get your settings. What you decide for all your payments."""
        return cast("Settings", self._call(Call("GET", "/v1/settings"), options))

    def set(self, body: SetSettingsRequest | None = None, /, **options: Unpack[CallOptions]) -> Settings:
        """Set your settings. All of them: a field that you leave out is removed. Pages of payments that exist follow, too."""
        return cast("Settings", self._call(Call("PUT", "/v1/settings", body=body or {}), options))


class Keys(Resource):
    def create(self, body: CreateApiKeyRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> NewApiKey:
        """Make an API key. The answer shows the key itself, this once. It has at most the rights of the calling key, and counts as the same person where two are needed: keys for another person come from the operator."""
        return cast("NewApiKey", self._call(Call("POST", "/v1/keys", body=body, takes_key=True, key=idempotency_key), options))

    def list(self, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[ApiKey]:
        """List API keys, newest first. All that the merchant ever had, those of the operator too."""
        return self._pages(Call("GET", "/v1/keys", query={"limit": limit}), options)

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> ApiKey:
        """Get an API key. Without the key itself, which is not stored."""
        return cast("ApiKey", self._call(Call("GET", path("/v1/keys/{id}", id)), options))

    def change(self, id: str, body: ChangeApiKeyRequest | None = None, /, **options: Unpack[CallOptions]) -> ApiKey:
        """Rename an API key, take scopes from it, or change its networks. Works within a second everywhere. A key that can do more than the calling key is not changed, and no key gets more scopes than it has."""
        return cast("ApiKey", self._call(Call("PATCH", path("/v1/keys/{id}", id), body=body or {}), options))

    def roll(self, id: str, body: RollApiKeyRequest | None = None, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> NewApiKey:
        """Make a key in place of another. With the same name, scopes, networks and lineage. The old key works until the overlap ends, or its own time. A key may roll itself and keys of its lineage that can do no more than it."""
        return cast("NewApiKey", self._call(Call("POST", path("/v1/keys/{id}/roll", id), body=body or {}, takes_key=True, key=idempotency_key), options))

    def revoke(self, id: str, /, **options: Unpack[CallOptions]) -> ApiKey:
        """End an API key for good. It is refused within a second everywhere. Any key of the merchant, also one that can do more than the calling key, and the calling key itself. Keys that it made work on. A second call changes nothing."""
        return cast("ApiKey", self._call(Call("POST", path("/v1/keys/{id}/revoke", id), body={}), options))

    def list_sub_account_keys(self, id: str, /, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[ApiKey]:
        """List the API keys of a sub-account, newest first. Those that you made and those that it made itself, without the keys themselves."""
        return self._pages(Call("GET", path("/v1/sub-accounts/{id}/keys", id), query={"limit": limit}), options)

    def create_sub_account_key(self, id: str, body: CreateSubAccountKeyRequest, /, **options: Unpack[CallOptions]) -> NewApiKey:
        """Make an API key of a sub-account. The answer shows the key itself, this once. It has at most the rights of the calling key, and counts as the same person where two are needed."""
        return cast("NewApiKey", self._call(Call("POST", path("/v1/sub-accounts/{id}/keys", id), body=body), options))


class SubAccounts(Resource):
    def list(self, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[SubAccount]:
        """List sub-accounts, newest first. All that you made, closed ones too."""
        return self._pages(Call("GET", "/v1/sub-accounts", query={"limit": limit}), options)

    def create(self, body: CreateSubAccountRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> NewSubAccount:
        """Make a sub-account. A merchant whose parent you are, of your mode: with wallets, keys, events and webhooks of its own. It starts PENDING: payments may be split to it, and the operator has to make it ACTIVE before it withdraws. A sub-account has none of its own."""
        return cast("NewSubAccount", self._call(Call("POST", "/v1/sub-accounts", body=body, takes_key=True, key=idempotency_key), options))

    def get(self, id: str, /, **options: Unpack[CallOptions]) -> SubAccount:
        """Get a sub-account. Its wallets, payments and events are read with its own keys, or with the header `sub-account`."""
        return cast("SubAccount", self._call(Call("GET", path("/v1/sub-accounts/{id}", id)), options))

    def change(self, id: str, body: ChangeSubAccountRequest | None = None, /, **options: Unpack[CallOptions]) -> SubAccount:
        """Change a sub-account, suspend it, or close it. `state`: SUSPENDED; PENDING ends a suspension of yours; CLOSED is final, and is refused (409) while anything of it is open; `open` names what. ACTIVE is the operator’s alone (403)."""
        return cast("SubAccount", self._call(Call("PATCH", path("/v1/sub-accounts/{id}", id), body=body or {}), options))

    def get_balance(self, id: str, /, **options: Unpack[CallOptions]) -> ConsolidatedBalance:
        """Get a sub-account’s sums of each currency. What its wallets hold now, and what it owes: `owed` to the operator, `owedToParent` to you."""
        return cast("ConsolidatedBalance", self._call(Call("GET", path("/v1/sub-accounts/{id}/balance", id)), options))


class Shares(Resource):
    def list_payment_shares(self, id: str, /, **options: Unpack[CallOptions]) -> PaymentShareList:
        """List the shares of a payment. In the order of its splits: at most 20. A payment without splits has none."""
        return cast("PaymentShareList", self._call(Call("GET", path("/v1/payments/{id}/shares", id)), options))

    def list(self, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[Share]:
        """List your shares of payments of your parent, newest first. For sub-accounts: what they get, without the payment and its payer. Other merchants have none."""
        return self._pages(Call("GET", "/v1/shares", query={"limit": limit}), options)


class Sandbox(Resource):
    def pay_payment(self, id: str, body: PaySandboxPaymentRequest | None = None, /, **options: Unpack[CallOptions]) -> SandboxPaymentResult:
        """Pay a payment of the sandbox. Only for merchants of the sandbox. The payment changes a moment later, as it would live."""
        return cast("SandboxPaymentResult", self._call(Call("POST", path("/v1/sandbox/payments/{id}/pay", id), body=body or {}), options))

    def create_rehearsal(self, body: CreateRehearsalRequest, /, **options: Unpack[CallOptions]) -> Rehearsal:
        """Test your server with a script of deliveries. Only for merchants of the sandbox. Sends good, forged, old, repeated and reordered webhooks of made-up payments to `url`, signed by your secret, and judges the answers. Nothing of it is in your books, nor in your events. One rehearsal at a time."""
        return cast("Rehearsal", self._call(Call("POST", "/v1/sandbox/rehearsals", body=body), options))

    def list_rehearsals(self, *, limit: int | None = None, **options: Unpack[CallOptions]) -> Pages[RehearsalSummary]:
        """List rehearsals, newest first. Without their cases. The newest hundred are kept."""
        return self._pages(Call("GET", "/v1/sandbox/rehearsals", query={"limit": limit}), options)

    def get_rehearsal(self, id: str, /, **options: Unpack[CallOptions]) -> Rehearsal:
        """Get a rehearsal. With each case as far as it is. It takes less than a minute if your server answers."""
        return cast("Rehearsal", self._call(Call("GET", path("/v1/sandbox/rehearsals/{id}", id)), options))

    def cancel_rehearsal(self, id: str, /, **options: Unpack[CallOptions]) -> Rehearsal:
        """Cancel a rehearsal. Nothing more is sent after the request that is under way. A rehearsal that has ended is refused."""
        return cast("Rehearsal", self._call(Call("POST", path("/v1/sandbox/rehearsals/{id}/cancel", id), body={}), options))

    def advance_clock(self, body: AdvanceSandboxClockRequest, /, *, idempotency_key: str | None = None, **options: Unpack[CallOptions]) -> ClockAdvance:
        """Advance the clock of the sandbox. Only for merchants of the sandbox. What is still ahead of the merchant comes closer by the span, and what the span passes happens within seconds, in order: expiry, releases, retries, payout schedules, dates of disputes, and what the simulated providers do. The present does not move: new records, webhooks and the books keep their real time. Advances are carried out one after another."""
        return cast("ClockAdvance", self._call(Call("POST", "/v1/sandbox/clock", body=body, takes_key=True, key=idempotency_key), options))

    def get_clock(self, **options: Unpack[CallOptions]) -> SandboxClock:
        """Get the clock of the sandbox. How far it was moved in all, and its last advances. Only for merchants of the sandbox."""
        return cast("SandboxClock", self._call(Call("GET", "/v1/sandbox/clock"), options))


class Resources:
    """The client's methods, by resource."""

    def __init__(self, sender: Sender) -> None:
        self.payments = Payments(sender)
        self.payment_links = PaymentLinks(sender)
        self.refunds = Refunds(sender)
        self.disputes = Disputes(sender)
        self.wallets = Wallets(sender)
        self.transfers = Transfers(sender)
        self.transfer_grants = TransferGrants(sender)
        self.withdrawals = Withdrawals(sender)
        self.withdrawal_batches = WithdrawalBatches(sender)
        self.payout_schedules = PayoutSchedules(sender)
        self.events = Events(sender)
        self.deliveries = Deliveries(sender)
        self.event_types = EventTypes(sender)
        self.metadata_keys = MetadataKeys(sender)
        self.requests = Requests(sender)
        self.webhook_endpoints = WebhookEndpoints(sender)
        self.webhook_recoveries = WebhookRecoveries(sender)
        self.me = Me(sender)
        self.settings = SettingsResource(sender)
        self.keys = Keys(sender)
        self.sub_accounts = SubAccounts(sender)
        self.shares = Shares(sender)
        self.sandbox = Sandbox(sender)
