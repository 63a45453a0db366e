# Made by sdk/python/generator/types.ts from openapi.json. Do not edit: npm run sdk writes it again.
from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, Union

from typing_extensions import NotRequired, TypedDict

AccountRole: TypeAlias = Literal["AVAILABLE", "PENDING", "HELD", "RECEIVABLE", "FEES", "OUTSIDE"]
"""Whose balance changed. AVAILABLE, PENDING and HELD: of one of your wallets. RECEIVABLE: what you owe. FEES: the operator’s fees. OUTSIDE: at the payer, the recipient or the provider."""

ApiKeyMaker: TypeAlias = Literal["API_KEY", "USER", "OPERATOR"]
"""API_KEY: a key of yours. USER: a person, in the dashboard. OPERATOR: a command of the operator."""

ApiKeyStatus: TypeAlias = Literal["ACTIVE", "EXPIRED", "REVOKED"]
"""Only an ACTIVE key works."""

ApprovalChoice: TypeAlias = Literal["AMOUNT", "ONE_PERSON", "SUGGESTED"]
"""Who chose `approvalAbove`. AMOUNT: your operator. ONE_PERSON: your operator chose that one person pays out any amount. SUGGESTED: nobody; the suggested amount is in force. Absent: there is none, in a sandbox or a sub-account."""

BalanceHistoryInterval: TypeAlias = Literal["DAY", "WEEK", "MONTH"]
"""What one row stands for."""

CallMethod: TypeAlias = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
"""The method of a call."""

CaptureMode: TypeAlias = Literal["AUTOMATIC", "MANUAL"]
"""CREDIT_CARD: MANUAL authorises only, and you capture or cancel. Without it a card is captured at once."""

ClockAdvanceStatus: TypeAlias = Literal["ADVANCING", "DONE"]
"""ADVANCING: it waits, or goes on step by step. DONE: everything was moved."""

ClockWork: TypeAlias = Literal["PAYMENT_EXPIRY", "RELEASE", "PAYOUT_SCHEDULE", "DELIVERY", "FAILING_ENDPOINT", "REFUND", "WITHDRAWAL", "CAPTURE", "CHECK", "CANCELLATION", "SIGNAL", "RECONCILIATION"]
"""What fell due."""

Currency: TypeAlias = Literal["BRL", "EUR", "USD", "USDT"]
"""ISO 4217, and USDT with two decimals."""

DeliveryStatus: TypeAlias = Literal["PENDING", "DELIVERED", "EXHAUSTED", "CANCELED"]
"""PENDING: will be sent, or held while its endpoint is disabled. EXHAUSTED: every attempt failed. CANCELED: its endpoint was deleted. DELIVERED and EXHAUSTED can be sent again."""

DisputeEvidenceFileKind: TypeAlias = Literal["RECEIPT", "CUSTOMER_COMMUNICATION", "CUSTOMER_SIGNATURE", "SERVICE_DOCUMENTATION", "SHIPPING_DOCUMENTATION", "CANCELLATION_POLICY", "REFUND_POLICY", "DUPLICATE_CHARGE_DOCUMENTATION", "OTHER"]
"""What a file shows. One file for each."""

DisputeEvidenceFileType: TypeAlias = Literal["application/pdf", "image/png", "image/jpeg"]
"""By the bytes of the file."""

DisputeEvidenceStatus: TypeAlias = Literal["NONE", "DRAFT", "SENDING", "SENT", "REFUSED"]
"""SENDING: submitted, and the provider has not confirmed it yet. REFUSED: the provider did not take it; it can be changed and submitted again."""

DisputeKind: TypeAlias = Literal["CHARGEBACK", "MED", "RECALL"]
"""MED is the return of PIX after fraud or a bank’s error."""

DisputeStatus: TypeAlias = Literal["OPEN", "WON", "LOST"]
"""OPEN: the money is held. LOST may become WON, when the funds are reinstated, and WON may become OPEN or LOST once more."""

EventType: TypeAlias = Literal["payment.waiting", "payment.approved", "payment.completed", "payment.expired", "payment.failed", "payment.canceled", "payment.underpaid", "payment.received_after_close", "refund.created", "refund.completed", "refund.failed", "dispute.opened", "dispute.won", "dispute.lost", "withdrawal.created", "withdrawal.approval_required", "withdrawal.processing", "withdrawal.completed", "withdrawal.failed", "withdrawal.canceled", "withdrawal.returned", "wallet.created", "transfer.completed", "transfer_grant.created", "transfer_grant.revoked", "share.credited", "share.returned", "webhook_endpoint.disabled", "webhook_endpoint.ping", "service.restored"]
"""New ones may be added: ignore those that you do not know."""

Expansion: TypeAlias = Literal["payment"]
"""payment: each row has its whole payment, as a list of payments shows it."""

ExplainedKind: TypeAlias = Literal["PAYMENT", "REFUND", "WITHDRAWAL"]
"""What is explained."""

Language: TypeAlias = Literal["pt-BR", "en", "es"]
"""A language of our texts."""

MetadataKeyStatus: TypeAlias = Literal["FILLING", "READY"]
"""FILLING: earlier records are being filled in, and lists refuse the key. READY: lists find every record by it."""

Mode: TypeAlias = Literal["LIVE", "SANDBOX"]
"""Whose money it is: real, or the sandbox’s."""

PaymentException: TypeAlias = Literal["UNDERPAID", "OVERPAID", "LATE", "DUPLICATE"]
"""What is remarkable about the money of a payment."""

PaymentLinkArchived: TypeAlias = Literal["true", "false"]
"""Only links that are archived, or only those that are not."""

PaymentLinkStatus: TypeAlias = Literal["ACTIVE", "USED_UP", "EXPIRED", "ARCHIVED"]
"""Only an ACTIVE link makes payments. USED_UP: active again when a payment that can still be paid ends without money."""

PaymentMethod: TypeAlias = Literal["PIX", "CREDIT_CARD", "CRYPTO", "PARTNER_PAY", "MULTIBANCO", "MB_WAY", "IDEAL", "BANCONTACT", "BIZUM", "BOLETO", "SEPA_TRANSFER"]
"""How a payment is paid."""

PaymentRefundStatus: TypeAlias = Literal["NONE", "PARTIAL", "FULL"]
"""How much of what was received went back."""

PaymentStatus: TypeAlias = Literal["PENDING", "WAITING_PAYMENT", "APPROVED", "PAID", "EXPIRED", "FAILED", "CANCELED"]
"""PAID is for ever: refunds, disputes and exceptions say the rest."""

PayoutRhythm: TypeAlias = Literal["DAILY", "WEEKLY", "ABOVE"]
"""DAILY needs time and timeZone, WEEKLY also weekday. ABOVE needs above: it pays whenever the balance has reached it."""

PayoutScheduleOutcome: TypeAlias = Literal["REQUESTED", "NOTHING_TO_PAY", "NOT_LISTED", "FROZEN", "NOT_AVAILABLE", "REFUSED"]
"""What came of the last run. REQUESTED: it made a withdrawal. REFUSED: the wallet does not pay, or the limits leave nothing."""

PayoutScheduleStatus: TypeAlias = Literal["ACTIVE", "PAUSED", "ENDED"]
"""ENDED is for good."""

PixKeyType: TypeAlias = Literal["CPF", "CNPJ", "PHONE", "EMAIL", "EVP"]
"""PIX: what the key is."""

PixKeyTypeInput: TypeAlias = Literal["CPF", "CNPJ", "PHONE", "EMAIL", "EVP", "RANDOM"]
"""PIX: the type of the key; never guessed. RANDOM is EVP. A PHONE without +55 counts as Brazilian."""

ProblemCode: TypeAlias = Literal["invalid_request", "unauthenticated", "forbidden", "address_not_allowed", "frozen", "merchant_suspended", "not_found", "method_not_allowed", "request_timeout", "idempotency_conflict", "invalid_state", "payload_too_large", "unsupported_media_type", "headers_too_large", "currency_not_supported", "method_not_available", "network_not_supported", "checkout_not_found", "insufficient_funds", "wallet_not_spendable", "limit_exceeded", "destination_not_allowed", "transfer_not_granted", "split_refused", "refund_exceeds_payment", "rate_limited", "internal", "provider_unavailable", "unavailable"]
"""The only field to decide by."""

ReadinessStatus: TypeAlias = Literal["ready", "degraded", "not_ready"]
"""degraded: welcome but for a part, which `checks` names and `reasons` explains."""

RefundStatus: TypeAlias = Literal["PENDING", "COMPLETED", "FAILED"]
"""PENDING: held, the provider has not reported its end."""

RehearsalCase: TypeAlias = Literal["GOOD_DELIVERY", "RAW_BODY", "TWO_SIGNATURES", "FORGED_DELIVERY", "OLD_DELIVERY", "REPLAYED_DELIVERY", "NEW_TYPE", "NEW_FIELD", "MANY_AT_ONCE", "DUPLICATED_DELIVERY", "REORDERED_DELIVERIES", "LATE_PAYMENT", "SPLIT_PAYMENT", "PAID_TWICE", "REFUND_AND_DISPUTE"]
"""GOOD_DELIVERY: A signed event is accepted. RAW_BODY: The signature is verified over the bytes that came. TWO_SIGNATURES: One valid signature of two is enough. FORGED_DELIVERY: Forged deliveries are refused. OLD_DELIVERY: Old deliveries are refused. REPLAYED_DELIVERY: A delivery that comes again is accepted. NEW_TYPE: A type that is not known is accepted. NEW_FIELD: Fields that are not known are accepted. MANY_AT_ONCE: Many deliveries at once are answered in time. DUPLICATED_DELIVERY: An event that comes twice counts once. REORDERED_DELIVERIES: An older event does not set the state back. LATE_PAYMENT: A payment that comes late counts. SPLIT_PAYMENT: A payment in two parts counts in full. PAID_TWICE: A payment that is paid twice is fulfilled once. REFUND_AND_DISPUTE: A refund and a dispute of the same money count once. New ones may be added."""

RehearsalCaseStatus: TypeAlias = Literal["WAITING", "RUNNING", "PASSED", "FAILED", "NOT_JUDGED", "SKIPPED"]
"""NOT_JUDGED: it was played, and what has to be known could not be seen. SKIPPED: it was not played to its end."""

RehearsalStatus: TypeAlias = Literal["RUNNING", "PASSED", "FAILED", "INCOMPLETE", "CANCELED"]
"""PASSED: every case passed. FAILED: a case failed. INCOMPLETE: none failed, and not every one was judged."""

ReportedOutcome: TypeAlias = Literal["seen", "orphaned", "authorised", "voided", "paid", "declined", "refunded", "refund_failed", "dispute_opened", "dispute_taken", "dispute_won", "dispute_lost"]
"""What was reported, when nothing was booked for it."""

RestoreAskFirst: TypeAlias = Literal["REFUND", "WITHDRAWAL", "TRANSFER"]
"""May have moved money."""

RestoreSendAgain: TypeAlias = Literal["PAYMENT", "PAYMENT_LINK", "WALLET", "WEBHOOK_ENDPOINT"]
"""What you made in that span: make it again."""

SandboxScenario: TypeAlias = Literal["exact", "under", "over", "twice", "late", "lost_webhook", "repeated_webhook", "med", "success", "decline", "insufficient_funds", "challenge", "dispute", "reorged", "confirm", "refuse", "approve", "slow", "fail", "leave", "no_reference", "typo", "expire"]
"""exact: the amount. under, over: less, more. twice: two payments of it. late: after the payment expired. expire: nobody pays, and it expires now, by whatever method or before one is chosen. PIX: lost_webhook, repeated_webhook: the bank’s callback is lost, or comes three times. med: the payer’s bank takes it back. CREDIT_CARD: success, decline, insufficient_funds; challenge: with 3-D Secure; dispute: its holder wants the money back. CRYPTO: reorged: the block leaves the chain and the transfer comes back. PARTNER_PAY: confirm, refuse. MULTIBANCO: approve: paid, and reported a moment later. slow: on its way. fail: the money never arrives. MB_WAY: approve, decline; leave: nobody answers. IDEAL: approve, decline; leave: nobody answers. BANCONTACT: approve, decline; leave: nobody answers. BIZUM: approve, decline; leave: nobody answers. BOLETO: approve: paid, and reported a moment later. slow: on its way. fail: the money never arrives. SEPA_TRANSFER: no_reference: goes to suspense. typo: one character is wrong, so it waits for a person."""

Scope: TypeAlias = Literal["payments:read", "payments:write", "wallets:read", "wallets:write", "withdrawals:read", "withdrawals:write", "withdrawals:approve", "webhooks:read", "webhooks:write", "requests:read", "keys:read", "keys:write", "subaccounts:read", "subaccounts:write", "subaccounts:act", "sandbox"]
"""What a key may do. New ones may be added."""

Spreadsheet: TypeAlias = Literal["semicolon", "comma"]
"""Of a CSV file that a spreadsheet opens. `semicolon`: separated by `;`, with a decimal comma, as in Brazil; `comma`: separated by `,`, with a decimal point. Default: a file for programs."""

StatementEntryKind: TypeAlias = Literal["PAYMENT", "FEE", "REFUND", "REFUND_RETURNED", "WITHDRAWAL", "WITHDRAWAL_RETURNED", "TRANSFER", "DISPUTE", "DISPUTE_WON", "RELEASE", "RECEIVABLE_REPAID", "SHARE", "SHARE_FEE", "SHARE_RETURNED", "SHARE_REPAID", "ADJUSTMENT"]
"""What moved the balance. New ones may be added."""

StatementFormat: TypeAlias = Literal["json", "csv"]
"""Default: json. csv accepts neither limit nor cursor."""

StatusClass: TypeAlias = Literal["2XX", "4XX", "5XX"]
"""The first digit of a status."""

StepCause: TypeAlias = Literal["DEPOSIT_SEEN", "DEPOSIT_VANISHED", "DEPOSIT_FINAL", "MONEY_REPORTED", "AUTHORISATION_REPORTED", "CAPTURE_REPORTED", "VOID_REPORTED", "DECLINE_REPORTED", "REFUND_REPORTED", "REFUND_FAILURE_REPORTED", "DISPUTE_REPORTED", "DISPUTE_TAKING_REPORTED", "DISPUTE_WIN_REPORTED", "DISPUTE_LOSS_REPORTED", "NOTHING_BOOKED", "PAYOUT_REPORTED", "PAYOUT_REFUSAL_REPORTED", "PAYOUT_RETURN_REPORTED", "PAYMENT_REQUESTED", "METHOD_CHOSEN", "READY_TO_PAY", "AUTHORISED", "PAID_IN_FULL", "PAID_TOO_MUCH", "PAID_LATE", "PAID_LATE_AND_TOO_MUCH", "PAID_BY_PARTIAL_CAPTURE", "PAID_TOO_LITTLE", "PAID_TOO_LITTLE_AFTER_END", "PAID_AGAIN", "PAID_AFTER_CANCELING", "TIME_RAN_OUT", "AUTHORISATION_LAPSED", "REFUSED_BY_PROVIDER", "PAYMENT_CANCELED", "AUTHORISATION_VOIDED", "REFUND_REQUESTED", "REFUND_NEEDS_APPROVAL", "REFUND_HELD_FOR_APPROVAL", "REFUND_APPROVED", "REFUND_REJECTED", "REFUND_DONE", "REFUND_DONE_AFTER_ALL", "REFUND_REFUSED", "REFUND_CAME_BACK", "REFUND_ENDED_BY_OPERATOR", "REFUND_DISPUTED", "REFUND_UNCOVERED", "DISPUTE_OPENED", "DISPUTE_OPENED_AGAIN", "EVIDENCE_SUBMITTED", "DISPUTE_WON", "DISPUTE_REINSTATED", "DISPUTE_LOST", "WITHDRAWAL_REQUESTED", "WITHDRAWAL_NEEDS_APPROVAL", "WITHDRAWAL_APPROVED", "WITHDRAWAL_REJECTED", "WITHDRAWAL_SENT", "WITHDRAWAL_DONE", "WITHDRAWAL_DONE_AFTER_ALL", "WITHDRAWAL_REFUSED", "WITHDRAWAL_CANCELED", "WITHDRAWAL_RETURNED", "WITHDRAWAL_RESOLVED_BY_OPERATOR", "WITHDRAWAL_STOPPED_BY_OPERATOR", "ANNOUNCED", "NO_LONGER_ANNOUNCED", "CREDITED", "CREDITED_TO_PENDING", "FEE_TAKEN", "DEBT_REPAID", "PARENT_DEBT_REPAID", "DEBT_MADE", "RELEASED", "HELD_FOR_REFUND", "HELD_FOR_DISPUTE", "HELD_FOR_WITHDRAWAL", "FEE_HELD", "HELD_MONEY_LEFT", "DISPUTED_MONEY_CAME_BACK", "DISPUTED_MONEY_FREED", "DISPUTE_FEE_TAKEN", "REFUND_MONEY_BACK", "WITHDRAWAL_MONEY_BACK", "FEE_BACK", "WITHDRAWAL_DEBITED", "MOVED", "DELIVERY_PENDING", "DELIVERED", "DELIVERY_EXHAUSTED", "DELIVERY_CANCELED"]
"""What happened. New ones may be added: show `text` for those that you do not know."""

StepKind: TypeAlias = Literal["OBSERVATION", "PROVIDER_ANSWER", "STATE_CHANGE", "LEDGER", "DELIVERY"]
"""OBSERVATION: what a chain showed. PROVIDER_ANSWER: what a provider reported. STATE_CHANGE: what became of a record. LEDGER: a transfer in the books. DELIVERY: an event on its way to your server."""

SubAccountState: TypeAlias = Literal["PENDING", "ACTIVE", "SUSPENDED", "CLOSED"]
"""PENDING receives and cannot withdraw. ACTIVE, by the operator alone, withdraws. SUSPENDED starts no payments, gets no new splits, and its money stays. CLOSED is final: its keys are not valid, nothing is started for it, and what still comes goes on to its parent."""

SubAccountSuspender: TypeAlias = Literal["PARENT", "OPERATOR"]
"""SUSPENDED: who may let it go on, besides the operator."""

TransferGrantStatus: TypeAlias = Literal["ACTIVE", "USED_UP", "EXPIRED", "REVOKED"]
"""ACTIVE: it stands. USED_UP: `maxAmount` was taken. EXPIRED: `expiresAt` has come. REVOKED: the sub-account ended it, or the operator did, when closing the sub-account."""

WalletType: TypeAlias = Literal["SPENDABLE", "RESERVE"]
"""RESERVE pays no withdrawals."""

WebhookEndpointDisabledReason: TypeAlias = Literal["REQUESTED", "FAILING", "GONE"]
"""REQUESTED: by you. FAILING: it only failed for five days. GONE: it answered 410."""

WebhookEndpointEventType: TypeAlias = Literal["payment.waiting", "payment.approved", "payment.completed", "payment.expired", "payment.failed", "payment.canceled", "payment.underpaid", "payment.received_after_close", "refund.created", "refund.completed", "refund.failed", "dispute.opened", "dispute.won", "dispute.lost", "withdrawal.created", "withdrawal.approval_required", "withdrawal.processing", "withdrawal.completed", "withdrawal.failed", "withdrawal.canceled", "withdrawal.returned", "wallet.created", "transfer.completed", "transfer_grant.created", "transfer_grant.revoked", "share.credited", "share.returned", "webhook_endpoint.disabled", "service.restored", "*"]
"""`*`, by itself: all types, also those to come."""

WebhookEndpointStatus: TypeAlias = Literal["ENABLED", "DISABLED", "DELETED"]
"""DISABLED: what is announced is held. DELETED is only in the answer of its deletion."""

WebhookEndpointStatusInput: TypeAlias = Literal["ENABLED", "DISABLED"]
"""ENABLED sends what was held, in order."""

WebhookRecoveryStatus: TypeAlias = Literal["RUNNING", "DONE", "CANCELED"]
"""DONE: all of the span was looked at. What is to be sent again is on its way."""

Weekday: TypeAlias = Literal["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"]
"""WEEKLY: the day."""

WithdrawalBatchStatus: TypeAlias = Literal["PENDING_APPROVAL", "IN_PROGRESS", "ENDED"]
"""PENDING_APPROVAL: it waits for a second key. IN_PROGRESS: the end of a withdrawal of it is not known yet. ENDED: each has its end."""

WithdrawalStatus: TypeAlias = Literal["PENDING", "PENDING_APPROVAL", "PROCESSING", "COMPLETED", "FAILED", "CANCELED"]
"""PROCESSING: sent to the provider, its end is not known. COMPLETED: the recipient has it."""

WithdrawalType: TypeAlias = Literal["PIX", "CRYPTO", "SEPA"]
"""How the money leaves."""


class AddDisputeEvidenceFileRequest(TypedDict):
    kind: DisputeEvidenceFileKind
    name: str
    """The file’s name, as the bank sees it."""
    content: str
    """The bytes of the file in base64."""


class AdvanceSandboxClockRequest(TypedDict):
    advance: str
    """An ISO 8601 duration of weeks, days, hours, minutes and seconds: more than nothing, at most 400 days. A day has 24 hours."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class ApiKey(TypedDict):
    """A key, without the key itself."""

    id: str
    name: str
    lastFour: str
    """The last four characters of the key."""
    status: ApiKeyStatus | str
    scopes: list[Scope | str]
    allowedCidrs: NotRequired[list[str]]
    """The networks from which it may be used. Absent: from everywhere."""
    createdAt: str
    createdBy: ApiKeyCreator
    rolledFrom: NotRequired[str]
    """The key in whose place it was made."""
    lineage: str
    """The first key of those that it came of, by rolling or because a key made it. Keys of one lineage count as one person."""
    person: NotRequired[str]
    """Who holds it, in the operator’s words. Keys of one person count as one."""
    expiresAt: NotRequired[str]
    """From then on it does not work."""
    revokedAt: NotRequired[str]
    lastUsedAt: NotRequired[str]
    """When it was last used, to within a minute or two. Absent: never."""


class ApiKeyCreator(TypedDict):
    """Who made it."""

    kind: ApiKeyMaker | str
    keyId: NotRequired[str]
    """API_KEY: which one."""
    userId: NotRequired[str]
    """USER: who."""


class ApiKeyList(TypedDict):
    """One page."""

    data: list[ApiKey]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class BalanceHistory(TypedDict):
    """Available balances day by day, week by week, or month by month, oldest first."""

    interval: BalanceHistoryInterval | str
    timeZone: str
    data: list[BalanceHistoryEntry]


class BalanceHistoryEntry(TypedDict):
    """One interval of one currency or wallet."""

    date: str
    """The first day."""
    currency: Currency | str
    walletId: NotRequired[str]
    """Only in the history of one wallet."""
    openingBalance: int
    """At the start of the first day. Can be above 2^53."""
    inflow: int
    """What came in. For a currency without transfers between own wallets, for one wallet with them. Can be above 2^53."""
    outflow: int
    """What went out, likewise. Can be above 2^53."""
    closingBalance: int
    """At the end of the last day, or now. Can be above 2^53."""


class BatchedWithdrawalRequest(TypedDict):
    type: WithdrawalType
    currency: Currency
    """BRL for PIX, USDT for CRYPTO, EUR for SEPA."""
    walletId: NotRequired[str | None]
    """The wallet to debit."""
    pixKey: NotRequired[str | None]
    """PIX: the recipient’s key."""
    cryptoAddress: NotRequired[str | None]
    """CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one."""
    cryptoNetwork: NotRequired[str | None]
    """CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name."""
    cryptoCurrency: NotRequired[str | None]
    """CRYPTO: default USDT. In any capitals."""
    iban: NotRequired[str | None]
    """SEPA: the recipient’s account; spaces do not count."""
    beneficiary: NotRequired[str | None]
    """SEPA: the holder of the account, as the recipient’s bank has it."""
    pixKeyType: NotRequired[PixKeyTypeInput | None]
    description: NotRequired[str | None]
    """The recipient may read it."""
    metadata: NotRequired[Metadata | None]
    webhookUrl: NotRequired[str | None]
    """Receives withdrawal.* of it. A public https address."""
    amount: int
    """Minor units (cents): 1234 is 12.34."""


class Caller(TypedDict):
    """Whose key it is, and what it may do."""

    merchant: Merchant
    key: ApiKey
    limits: CallerLimits


class CallerLimits(TypedDict):
    """A type and currency of withdrawals that is not listed has no limit."""

    requests: NotRequired[RequestLimit]
    withdrawals: list[WithdrawalLimit]


class CapturePaymentRequest(TypedDict):
    """No amount: all that is authorised."""

    amount: NotRequired[int | None]
    """Minor units (cents): 1234 is 12.34."""


class CataloguedEventType(TypedDict):
    """A type of event."""

    type: EventType | str
    description: str
    """When it is announced."""
    since: str
    """The version of Vintem that first announced it."""
    example: Event


class CataloguedEventTypeList(TypedDict):
    """One page."""

    data: list[CataloguedEventType]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class ChangeApiKeyRequest(TypedDict):
    name: NotRequired[str | None]
    """What it is for, so that you recognise it."""
    scopes: NotRequired[list[Scope] | None]
    """Those that it keeps, of those that it has."""
    allowedCidrs: NotRequired[list[str] | None]
    """The networks from which it may be used from now on, all within those of the calling key. `0.0.0.0/0` and `::/0` are everywhere."""


class ChangeDisputeEvidenceRequest(TypedDict):
    texts: NotRequired[DisputeEvidenceTextsRequest | None]
    removeFiles: NotRequired[list[DisputeEvidenceFileKind] | None]


class ChangePayoutScheduleRequest(TypedDict):
    status: NotRequired[PayoutScheduleStatus | None]
    keep: NotRequired[int | None]
    """Minor units that stay in the wallet. Default 0."""
    minimum: NotRequired[int | None]
    """The least amount that is paid out, in minor units. Default 1."""


class ChangeSubAccountRequest(TypedDict):
    name: NotRequired[str | None]
    """A name for people; not blank."""
    taxId: NotRequired[str | None]
    """Its tax id, as its country writes it."""
    reference: NotRequired[str | None]
    """Your own name of it, such as a seller’s number."""
    state: NotRequired[SubAccountState | None]
    """The state that it is to have."""


class ChangeWalletRequest(TypedDict):
    label: NotRequired[str | None]
    """A name for people."""
    isActive: NotRequired[bool | None]
    """An inactive wallet pays nothing; what comes in is still credited."""


class ChangeWebhookEndpointRequest(TypedDict):
    url: NotRequired[str | None]
    """A public https address."""
    eventTypes: NotRequired[list[WebhookEndpointEventType] | None]
    description: NotRequired[str | None]
    """For people."""
    status: NotRequired[WebhookEndpointStatusInput | None]


class ClockAdvance(TypedDict):
    """One span by which what is ahead came closer."""

    id: str
    advance: str
    """As it was sent."""
    status: ClockAdvanceStatus | str
    advancedSeconds: int
    """How far it was moved, in seconds."""
    stillDue: NotRequired[list[ClockStillDue]]
    """What the clock does not wait for any more, such as a webhook that gets no answer."""
    providersBehind: NotRequired[list[str]]
    """Simulated providers that have not moved their side yet. They are asked again."""
    createdAt: str
    completedAt: NotRequired[str]


class ClockStillDue(TypedDict):
    """Work that fell due and was not done in time."""

    work: ClockWork | str
    count: int
    """How many; at most 1000 are counted."""


class ConsolidatedBalance(TypedDict):
    """The sums of each currency over all wallets."""

    data: list[CurrencyBalance]
    asOf: str


class CreateApiKeyRequest(TypedDict):
    name: str
    """What it is for, so that you recognise it."""
    scopes: list[Scope]
    """What it may do; nothing that the calling key may not."""
    expiresAt: NotRequired[str | None]
    """From when on it does not work; not later than the end of the calling key. Default: when that ends."""
    allowedCidrs: NotRequired[list[str] | None]
    """The networks from which it may be used, all within those of the calling key. Default: those of the calling key."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreatePaymentLinkRequest(TypedDict):
    name: str
    """What is paid for. The payer reads it, also at the provider."""
    description: NotRequired[str | None]
    """More about it, on the page of the link. Plain text."""
    currency: Currency
    """Of the amounts."""
    amount: NotRequired[int | None]
    """Minor units (cents): 1234 is 12.34."""
    minAmount: NotRequired[int | None]
    """Minor units (cents): 1234 is 12.34."""
    maxAmount: NotRequired[int | None]
    """Minor units (cents): 1234 is 12.34."""
    checkout: NotRequired[str | None]
    """Slug of a checkout template. Default: `default`."""
    paymentMethods: NotRequired[list[PaymentMethod] | None]
    """Of the methods of the template, these alone."""
    usesMax: NotRequired[int | None]
    """How many payments may be PAID. One that can still be paid counts too, until it ends. Absent: any number."""
    expiresAt: NotRequired[str | None]
    """From then on the link makes no payment."""
    expiresIn: NotRequired[int | None]
    """Seconds that each payer has. Default: an hour."""
    metadata: NotRequired[Metadata | None]
    """Each payment of the link has it."""
    webhookUrl: NotRequired[str | None]
    """As of a payment: each payment of the link has it."""
    returnUrl: NotRequired[str | None]
    """Where the page of a payment leads afterwards. An https address."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreatePaymentRequest(TypedDict):
    amount: int
    """Minor units (cents): 1234 is 12.34."""
    currency: NotRequired[Currency | None]
    """Required for CRYPTO and PARTNER_PAY."""
    paymentMethods: NotRequired[list[PaymentMethod] | None]
    """One method; required without a checkout, a filter with one."""
    idempotencyKey: str
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""
    customerName: NotRequired[str | None]
    """The payer’s name."""
    customerEmail: NotRequired[str | None]
    customerTaxId: NotRequired[str | None]
    """The tax id of the payer’s country, with or without its mask: that of `customerAddress` or `customerCountry`, and in BRL also a CPF or CNPJ. Without a country: CPF or CNPJ; a CNPJ may have letters."""
    customerPhone: NotRequired[str | None]
    """The payer’s phone: with its country code, or as the payer’s country writes it, where the method, the country or the currency says which that is. Shown as E.164. Required for MB_WAY without a checkout."""
    customerAddress: NotRequired[PayerAddressRequest | None]
    customerCountry: NotRequired[str | None]
    """The payer’s country (ISO 3166-1 alpha-2, and XK for Kosovo). A checkout whose template lists no methods shows those of this country first. Default: that of the address."""
    description: NotRequired[str | None]
    """What the payer reads when paying (PIX)."""
    metadata: NotRequired[Metadata | None]
    captureMode: NotRequired[CaptureMode | None]
    items: NotRequired[list[PaymentItemRequest] | None]
    """What the payment is for. quantity × amount of all items add up to the amount of the payment. At most 16 KiB as JSON."""
    webhookUrl: NotRequired[str | None]
    """Receives payment.*, refund.* and dispute.* of this payment. A public https address."""
    checkout: NotRequired[str | None]
    """Slug of a checkout template."""
    returnUrl: NotRequired[str | None]
    """Where the payer’s page leads when the payer is done. Proves nothing. An https address."""
    cancelUrl: NotRequired[str | None]
    """Where the payer’s page leads when the payer gives up. An https address."""
    splits: NotRequired[list[PaymentSplitRequest] | None]
    """Sub-accounts that get shares of what is received. You keep the rest."""
    feePayer: NotRequired[str | None]
    """The sub-account of the splits that pays our fee from its share. Default: you."""
    expiresIn: NotRequired[int | None]
    """Seconds that the payer has."""


class CreatePayoutScheduleRequest(TypedDict):
    type: WithdrawalType
    currency: Currency
    """BRL for PIX, USDT for CRYPTO, EUR for SEPA."""
    walletId: str
    """The wallet that pays out: SPENDABLE and active."""
    pixKey: NotRequired[str | None]
    """PIX: the recipient’s key."""
    cryptoAddress: NotRequired[str | None]
    """CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one."""
    cryptoNetwork: NotRequired[str | None]
    """CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name."""
    cryptoCurrency: NotRequired[str | None]
    """CRYPTO: default USDT. In any capitals."""
    iban: NotRequired[str | None]
    """SEPA: the recipient’s account; spaces do not count."""
    beneficiary: NotRequired[str | None]
    """SEPA: the holder of the account, as the recipient’s bank has it."""
    pixKeyType: NotRequired[PixKeyTypeInput | None]
    description: NotRequired[str | None]
    """The recipient may read it."""
    metadata: NotRequired[Metadata | None]
    webhookUrl: NotRequired[str | None]
    """Receives withdrawal.* of it. A public https address."""
    rhythm: PayoutRhythm
    weekday: NotRequired[Weekday | None]
    time: NotRequired[str | None]
    """DAILY, WEEKLY: hour and minute."""
    timeZone: NotRequired[str | None]
    """DAILY, WEEKLY: the IANA time zone of the time."""
    above: NotRequired[int | None]
    """ABOVE: the balance, in minor units, at which it pays."""
    keep: NotRequired[int | None]
    """Minor units that stay in the wallet. Default 0."""
    minimum: NotRequired[int | None]
    """The least amount that is paid out, in minor units. Default 1."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreateRefundRequest(TypedDict):
    amount: NotRequired[int | None]
    """Minor units (cents): 1234 is 12.34."""
    cryptoAddress: NotRequired[str | None]
    """Where the money is to go. With it what came by CRYPTO is meant, without it the rest."""
    iban: NotRequired[str | None]
    """Where the money is to go; spaces do not count. With it what came by SEPA_TRANSFER is meant. Default: the account that it came from."""
    beneficiary: NotRequired[str | None]
    """The holder of the account. Default: the sender. Needed with another iban than the sender’s."""
    reason: NotRequired[str | None]
    """The payer may read it."""
    coverShortfall: NotRequired[bool | None]
    """Of a split payment: your wallet pays what sub-accounts lack of their shares, and they owe it to you. Without it such a refund is refused."""
    metadata: NotRequired[Metadata | None]
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreateRehearsalRequest(TypedDict):
    url: str
    """Your endpoint for webhooks. A public https address; in a sandbox on your own machine also http and 127.0.0.1."""
    stateUrl: NotRequired[str | None]
    """Where your server answers what it has made of a payment. Without it the cases about effects are NOT_JUDGED."""
    seed: NotRequired[int | None]
    """The same seed plays the same script. The ids are new each time."""
    cases: NotRequired[list[RehearsalCase] | None]
    """Only these. Default: all."""


class CreateSubAccountKeyRequest(TypedDict):
    name: str
    """A name for people."""
    scopes: list[Scope]


class CreateSubAccountRequest(TypedDict):
    name: str
    """A name for people; not blank."""
    taxId: NotRequired[str | None]
    """Its tax id, as its country writes it."""
    reference: NotRequired[str | None]
    """Your own name of it, such as a seller’s number."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreateTransferGrantRequest(TypedDict):
    currency: Currency
    """Of the wallets that the parent may take from."""
    maxAmount: NotRequired[int | None]
    """Minor units (cents): 1234 is 12.34."""
    expiresAt: NotRequired[str | None]
    """From then on nothing is taken by it."""
    description: NotRequired[str | None]
    """For people: why."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreateTransferRequest(TypedDict):
    fromWalletId: NotRequired[str | None]
    """The wallet that pays. Needed unless `fromSubAccountId` is there."""
    fromSubAccountId: NotRequired[str | None]
    """A sub-account of yours pays, by a transfer grant of its that stands: from `fromWalletId`, by default its default wallet."""
    toWalletId: NotRequired[str | None]
    """The wallet that gets it, in the same currency. Needed unless `toSubAccountId` is there."""
    toSubAccountId: NotRequired[str | None]
    """A sub-account of yours gets it: in `toWalletId`, by default its default wallet."""
    amount: int
    """Minor units (cents): 1234 is 12.34."""
    description: NotRequired[str | None]
    """For people: shown in the statement, a sub-account’s too."""
    metadata: NotRequired[Metadata | None]
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreateWalletRequest(TypedDict):
    currency: Currency
    """The currency of the wallet."""
    walletType: WalletType
    label: str
    """A name for people."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreateWebhookEndpointRequest(TypedDict):
    url: str
    """A public https address."""
    eventTypes: NotRequired[list[WebhookEndpointEventType] | None]
    description: NotRequired[str | None]
    """For people."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreateWebhookRecoveryRequest(TypedDict):
    endpointId: NotRequired[str | None]
    """Absent: to the URLs of payments and withdrawals."""
    since: NotRequired[str | None]
    """From this instant on. Either this or `afterSequence`."""
    afterSequence: NotRequired[int | None]
    """From the event after this sequence on."""
    until: NotRequired[str | None]
    """Until before this instant. Without an end: up to the newest event."""
    throughSequence: NotRequired[int | None]
    """Up to the event of this sequence, included."""
    types: NotRequired[list[EventType] | None]
    """Only these types, of those that the endpoint takes."""
    includeDelivered: NotRequired[bool | None]
    """Also what was delivered already. Default: false."""


class CreateWithdrawalBatchRequest(TypedDict):
    """The key may come as the header Idempotency-Key instead."""

    idempotencyKey: str
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""
    withdrawals: list[BatchedWithdrawalRequest]


class CreateWithdrawalRequest(TypedDict):
    type: WithdrawalType
    currency: Currency
    """BRL for PIX, USDT for CRYPTO, EUR for SEPA."""
    walletId: NotRequired[str | None]
    """The wallet to debit."""
    pixKey: NotRequired[str | None]
    """PIX: the recipient’s key."""
    cryptoAddress: NotRequired[str | None]
    """CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one."""
    cryptoNetwork: NotRequired[str | None]
    """CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name."""
    cryptoCurrency: NotRequired[str | None]
    """CRYPTO: default USDT. In any capitals."""
    iban: NotRequired[str | None]
    """SEPA: the recipient’s account; spaces do not count."""
    beneficiary: NotRequired[str | None]
    """SEPA: the holder of the account, as the recipient’s bank has it."""
    pixKeyType: NotRequired[PixKeyTypeInput | None]
    description: NotRequired[str | None]
    """The recipient may read it."""
    metadata: NotRequired[Metadata | None]
    webhookUrl: NotRequired[str | None]
    """Receives withdrawal.* of it. A public https address."""
    amount: int
    """Minor units (cents): 1234 is 12.34."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class CreatedPayment(TypedDict):
    """A payment as its creation returns it."""

    id: str
    mode: Mode | str
    status: PaymentStatus | str
    amount: int
    """As it was sent."""
    currency: Currency | str
    paymentMethods: list[PaymentMethod | str]
    cardRedirectUrl: NotRequired[str]
    """Where to send the payer (CREDIT_CARD, PARTNER_PAY, local methods)."""
    checkoutUrl: NotRequired[str]
    """The hosted page, when the payment was created with a checkout."""
    pixCopyPaste: NotRequired[str]
    """The BR Code that the payer pastes into the bank’s app."""
    pixQrCode: NotRequired[str]
    """The same as a picture: `data:image/png;base64,…`. Not in lists and webhooks."""
    voucher: NotRequired[Voucher]
    sepa: NotRequired[SepaTransfer]
    lastError: NotRequired[PaymentError]
    idempotencyKey: NotRequired[str]
    """The key of the call that made it. A payment of a payment link has none."""
    checkout: NotRequired[str]
    """The slug of its checkout template."""
    customerName: NotRequired[str]
    customerEmail: NotRequired[str]
    customerTaxId: NotRequired[str]
    customerPhone: NotRequired[str]
    """The payer’s phone as E.164: yours, or what the payer of a checkout entered."""
    customerAddress: NotRequired[CustomerAddress]
    customerCountry: NotRequired[str]
    """ISO 3166-1 alpha-2, as you sent it."""
    description: NotRequired[str]
    metadata: NotRequired[Metadata]
    captureMode: NotRequired[CaptureMode | str]
    items: NotRequired[list[PaymentItem]]
    """What the payment is for. quantity × amount of all items add up to the amount of the payment. At most 16 KiB as JSON."""
    webhookUrl: NotRequired[str]
    returnUrl: NotRequired[str]
    cancelUrl: NotRequired[str]
    splits: NotRequired[list[PaymentSplit]]
    """Sub-accounts that get shares of what is received. You keep the rest."""
    feePayer: NotRequired[str]
    """The sub-account that pays our fee from its share."""
    createdAt: str
    expiresAt: NotRequired[str]


class CreatedWebhookEndpoint(TypedDict):
    """A new endpoint with its secret. When a key is sent again, the secret is absent."""

    id: str
    mode: Mode | str
    url: str
    eventTypes: NotRequired[list[EventType | str]]
    """The types that it gets. Absent: all."""
    description: NotRequired[str]
    status: WebhookEndpointStatus | str
    disabledReason: NotRequired[WebhookEndpointDisabledReason | str]
    disabledAt: NotRequired[str]
    failingSince: NotRequired[str]
    """Since when attempts do nothing but fail."""
    previousSecretUntil: NotRequired[str]
    """Until when the secret before the present one signs too."""
    createdAt: str
    version: int
    """Grows with each change."""
    secret: NotRequired[str]
    """`whsec_` and base64. It is never shown again."""


class CurrencyBalance(TypedDict):
    """One currency."""

    currency: Currency | str
    balance: int
    """Can be withdrawn now. Can be above 2^53."""
    pendingBalance: int
    """Incoming: not final, or not released. Can be above 2^53."""
    heldBalance: int
    """Set aside for withdrawals, refunds and disputes. Can be above 2^53."""
    owed: int
    """The merchant’s debt; later credits repay it first. Can be above 2^53."""
    owedToParent: NotRequired[int]
    """Of a sub-account: shares that its parent covered. Whatever becomes available to it repays it. Can be above 2^53."""
    owedBySubAccounts: NotRequired[int]
    """What sub-accounts owe you: shares that you covered. Can be above 2^53."""
    byWalletType: list[WalletTypeBalance]


class CurrencySummary(TypedDict):
    """One currency."""

    currency: Currency | str
    openingBalance: int
    """Before the first movement. Can be above 2^53."""
    inflow: int
    """All that came in, without transfers between own wallets. Can be above 2^53."""
    outflow: int
    """All that went out, without transfers between own wallets. Can be above 2^53."""
    net: int
    """`inflow` less `outflow`; also `closingBalance` less `openingBalance`. Can be beyond ±2^53."""
    closingBalance: int
    """After the last movement. Can be above 2^53."""
    byKind: list[KindSummary]


class CustomerAddress(TypedDict):
    """The payer’s address: yours, or what the payer of a checkout entered."""

    line1: str
    line2: NotRequired[str]
    district: NotRequired[str]
    """In Brazil: bairro."""
    city: str
    region: NotRequired[str]
    postcode: NotRequired[str]
    country: str
    """ISO 3166-1 alpha-2."""


class DeclareMetadataKeysRequest(TypedDict):
    keys: list[str]
    """All of them: a key that is missing here is no longer declared."""


class Delivery(TypedDict):
    """One event sent to one URL, with every attempt."""

    id: str
    eventId: str
    endpointId: NotRequired[str]
    """The webhook endpoint that it goes to. Absent: the webhookUrl of a payment or a withdrawal."""
    url: str
    status: DeliveryStatus | str
    nextAttemptAt: NotRequired[str]
    attempts: list[DeliveryAttempt]


class DeliveryAttempt(TypedDict):
    """One attempt."""

    at: str
    durationMs: int
    """Milliseconds."""
    responseStatus: NotRequired[int]
    """The HTTP status that was answered."""
    responseBody: NotRequired[str]
    """The first 4 KiB."""
    error: NotRequired[str]
    """Why there was no answer."""


class DeliveryList(TypedDict):
    """One page."""

    data: list[Delivery]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Deposit(TypedDict):
    """One transfer to the payment’s address."""

    txHash: str
    amount: str
    """Base units with 18 decimals."""
    confirmations: int
    """Blocks that hold it, its own included."""
    final: bool
    """Whether it counts as money."""
    at: str


class DepositList(TypedDict):
    """One page."""

    data: list[Deposit]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Dispute(TypedDict):
    """A payer who wants money back."""

    id: str
    mode: Mode | str
    paymentId: NotRequired[str]
    status: DisputeStatus | str
    kind: DisputeKind | str
    amount: int
    """The amount that the payer wants back. Can be above 2^53."""
    currency: Currency | str
    fee: int
    """What the provider charges for it. Can be above 2^53."""
    reason: NotRequired[str]
    evidenceDueAt: NotRequired[str]
    createdAt: str
    closedAt: NotRequired[str]
    version: int
    """Grows with each change."""
    payment: NotRequired[Payment]
    """In lists with `expand=payment`: the disputed payment."""


class DisputeEvidence(TypedDict):
    """What a merchant says against a dispute."""

    disputeId: str
    status: DisputeEvidenceStatus | str
    canChange: bool
    """Whether it can be changed and submitted now."""
    texts: DisputeEvidenceTexts
    files: list[DisputeEvidenceFile]
    changedAt: NotRequired[str]
    changedBy: NotRequired[str]
    """The key that changed it last."""
    submittedAt: NotRequired[str]
    submittedBy: NotRequired[str]
    """The key that submitted it."""
    sentAt: NotRequired[str]
    """When the provider had it."""
    failureMessage: NotRequired[str]
    """REFUSED: why."""
    version: int
    """Grows with each change."""


class DisputeEvidenceFile(TypedDict):
    kind: DisputeEvidenceFileKind | str
    name: str
    type: DisputeEvidenceFileType | str
    size: int
    """Bytes."""
    sha256: str
    """Of the bytes, in hexadecimal digits."""
    addedAt: str
    addedBy: str
    """The key that added it."""


class DisputeEvidenceTexts(TypedDict):
    """What was written, by field."""

    productDescription: NotRequired[str]
    """What was sold."""
    customerName: NotRequired[str]
    """The payer’s name."""
    customerEmail: NotRequired[str]
    """The payer’s email."""
    customerPurchaseIp: NotRequired[str]
    """The address from which the payer bought."""
    billingAddress: NotRequired[str]
    """The billing address that the payer gave."""
    accessActivityLog: NotRequired[str]
    """How the payer used what was sold: times, addresses, actions."""
    serviceDate: NotRequired[str]
    """When the service was given."""
    shippingAddress: NotRequired[str]
    """Where it was sent to."""
    shippingCarrier: NotRequired[str]
    """Who carried it."""
    shippingDate: NotRequired[str]
    """When it was sent."""
    shippingTrackingNumber: NotRequired[str]
    """The carrier’s number of it."""
    cancellationPolicyDisclosure: NotRequired[str]
    """How and when the payer was shown the rules of cancellation."""
    cancellationRebuttal: NotRequired[str]
    """Why the subscription was not canceled."""
    refundPolicyDisclosure: NotRequired[str]
    """How and when the payer was shown the rules of refunds."""
    refundRefusalExplanation: NotRequired[str]
    """Why no refund is due."""
    duplicateChargeId: NotRequired[str]
    """The provider’s id of the other charge."""
    duplicateChargeExplanation: NotRequired[str]
    """How the two charges differ."""
    statement: NotRequired[str]
    """Anything else that the bank should know."""


class DisputeEvidenceTextsRequest(TypedDict):
    """Fields that are left out stay; null removes a text. All texts together have at most 150,000 characters."""

    productDescription: NotRequired[str | None]
    """What was sold."""
    customerName: NotRequired[str | None]
    """The payer’s name."""
    customerEmail: NotRequired[str | None]
    """The payer’s email."""
    customerPurchaseIp: NotRequired[str | None]
    """The address from which the payer bought."""
    billingAddress: NotRequired[str | None]
    """The billing address that the payer gave."""
    accessActivityLog: NotRequired[str | None]
    """How the payer used what was sold: times, addresses, actions."""
    serviceDate: NotRequired[str | None]
    """When the service was given."""
    shippingAddress: NotRequired[str | None]
    """Where it was sent to."""
    shippingCarrier: NotRequired[str | None]
    """Who carried it."""
    shippingDate: NotRequired[str | None]
    """When it was sent."""
    shippingTrackingNumber: NotRequired[str | None]
    """The carrier’s number of it."""
    cancellationPolicyDisclosure: NotRequired[str | None]
    """How and when the payer was shown the rules of cancellation."""
    cancellationRebuttal: NotRequired[str | None]
    """Why the subscription was not canceled."""
    refundPolicyDisclosure: NotRequired[str | None]
    """How and when the payer was shown the rules of refunds."""
    refundRefusalExplanation: NotRequired[str | None]
    """Why no refund is due."""
    duplicateChargeId: NotRequired[str | None]
    """The provider’s id of the other charge."""
    duplicateChargeExplanation: NotRequired[str | None]
    """How the two charges differ."""
    statement: NotRequired[str | None]
    """Anything else that the bank should know."""


class DisputeList(TypedDict):
    """One page."""

    data: list[Dispute]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class DisputeLostEvent(TypedDict):
    """It went back to the payer."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["dispute.lost"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Dispute


class DisputeOpenedEvent(TypedDict):
    """The payer’s bank wants the money back: it is held."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["dispute.opened"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Dispute


class DisputeWonEvent(TypedDict):
    """You keep the money; also after dispute.lost, when it is reinstated."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["dispute.won"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Dispute


class Event(TypedDict):
    """Something that changed: the same body that is sent to webhook URLs."""

    id: str
    type: EventType | str
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Mapping[str, object]
    """The resource as its own GET showed it then."""


class EventList(TypedDict):
    """One page."""

    data: list[Event]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""
    readTo: int
    """There is nothing more for you up to this sequence: send it as `after` to go on."""


class Explanation(TypedDict):
    """What happened to a record, in order."""

    id: str
    kind: ExplainedKind | str
    status: str
    """The status of the record, as its own GET shows it."""
    language: Language | str
    summary: str
    """How it stands, as one sentence."""
    steps: list[Step]
    truncated: NotRequired[bool]
    """true: the payment has more than 100 refunds or more than 100 disputes, and the explanation follows the oldest 100 of each."""
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class FieldError(TypedDict):
    """One thing that is wrong."""

    pointer: str
    """A JSON pointer into the body, or to a field of the query."""
    code: str
    message: str


class KindSummary(TypedDict):
    """One kind of movement."""

    kind: StatementEntryKind | str
    count: int
    """Rows of the statement."""
    inflow: int
    """What came in. Can be above 2^53."""
    outflow: int
    """What went out. A transfer between own wallets does both. Can be above 2^53."""


class ListedWithdrawalBatch(TypedDict):
    """Withdrawals that were accepted together."""

    id: str
    status: WithdrawalBatchStatus | str
    count: int
    """How many withdrawals it has."""
    idempotencyKey: str
    createdAt: str


class ListedWithdrawalBatchList(TypedDict):
    """One page."""

    data: list[ListedWithdrawalBatch]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Liveness(TypedDict):
    """That the process runs."""

    status: str


class LoggedCall(TypedDict):
    """One call with a key of yours. Bodies are not kept."""

    receivedAt: str
    """When the request came."""
    durationMs: int
    """How long the answer took."""
    method: CallMethod | str
    path: str
    """Without the query. A text in the place of an id that is no UUID is not kept: it says {id} there."""
    status: NotRequired[int]
    """Absent: the caller closed the connection before there was an answer."""
    code: NotRequired[ProblemCode | str]
    keyId: str
    """The key that called."""
    requestId: str
    """The header x-request-id of the answer."""


class LoggedCallList(TypedDict):
    """One page."""

    data: list[LoggedCall]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Merchant(TypedDict):
    """Whose key it is."""

    id: str
    name: str
    mode: Mode | str
    createdAt: str

Metadata: TypeAlias = Mapping[str, object]
"""Your own fields, returned as they are, numbers in the digits that you wrote. At most 8 KiB as JSON. No card numbers: digits grouped as on a card, or under a name that says card, are refused."""


class MetadataKey(TypedDict):
    """A key of your metadata that lists find records by."""

    key: str
    status: MetadataKeyStatus | str
    declaredAt: str
    filledUntil: NotRequired[str]
    """While FILLING: records that were created before it are filled in."""


class MetadataKeyList(TypedDict):
    """All your declared keys."""

    data: list[MetadataKey]
    """In the order in which they were declared."""


class NewApiKey(TypedDict):
    """A key that was just made."""

    id: str
    name: str
    lastFour: str
    """The last four characters of the key."""
    status: ApiKeyStatus | str
    scopes: list[Scope | str]
    allowedCidrs: NotRequired[list[str]]
    """The networks from which it may be used. Absent: from everywhere."""
    createdAt: str
    createdBy: ApiKeyCreator
    rolledFrom: NotRequired[str]
    """The key in whose place it was made."""
    lineage: str
    """The first key of those that it came of, by rolling or because a key made it. Keys of one lineage count as one person."""
    person: NotRequired[str]
    """Who holds it, in the operator’s words. Keys of one person count as one."""
    expiresAt: NotRequired[str]
    """From then on it does not work."""
    revokedAt: NotRequired[str]
    lastUsedAt: NotRequired[str]
    """When it was last used, to within a minute or two. Absent: never."""
    key: NotRequired[str]
    """The key itself, shown this once. Absent when the idempotency key made it before."""


class NewSubAccount(TypedDict):
    """A sub-account that was just made."""

    id: str
    """It is a merchant of its own, and this is that merchant’s id."""
    mode: Mode | str
    name: str
    state: SubAccountState | str
    taxId: NotRequired[str]
    reference: NotRequired[str]
    """Your own name of it."""
    suspendedBy: NotRequired[SubAccountSuspender | str]
    createdAt: str
    activatedAt: NotRequired[str]
    """When the operator last let it withdraw."""
    version: int
    """Grows with each change."""
    webhookSecret: NotRequired[str]
    """Signs its webhooks. Shown this once; absent when the key made it before."""


class PaySandboxPaymentRequest(TypedDict):
    amount: NotRequired[int | None]
    """Minor units (cents): 1234 is 12.34."""
    scenario: NotRequired[SandboxScenario | None]
    method: NotRequired[PaymentMethod | None]
    """Of a checkout: what the payer chooses. Required until a method was chosen, but for `expire`."""


class PayerAddressRequest(TypedDict):
    """The payer’s address. Required, with region and postcode, for BOLETO without a checkout."""

    line1: str
    """Street and number."""
    line2: NotRequired[str | None]
    """Apartment, floor."""
    district: NotRequired[str | None]
    """In Brazil: bairro."""
    city: str
    """City."""
    region: NotRequired[str | None]
    """State or province; in Brazil the two letters of the state."""
    postcode: NotRequired[str | None]
    """Postal code; in Brazil: CEP."""
    country: str
    """ISO 3166-1 alpha-2: any country that there is, and XK for Kosovo."""


class Payment(TypedDict):
    """A payment. What does not apply is absent."""

    id: str
    mode: Mode | str
    status: PaymentStatus | str
    amount: int
    """The amount that was requested."""
    currency: Currency | str
    paymentMethods: list[PaymentMethod | str]
    paymentMethod: NotRequired[PaymentMethod | str]
    """The one that is or was used."""
    amountReceived: int
    """All that arrived and is final. Can be above 2^53."""
    amountRefunded: int
    """The part of it that was refunded, or is on its way back. Can be above 2^53."""
    amountRefundPending: int
    """The part of amountRefunded that is on its way back: its refunds are PENDING. Can be above 2^53."""
    refundStatus: PaymentRefundStatus | str
    exceptions: list[PaymentException | str]
    fee: int
    """The operator’s fee. Can be above 2^53."""
    netAmount: int
    """Received less the fee. Can be above 2^53."""
    paymentLinkId: NotRequired[str]
    """The payment link that made it."""
    walletId: NotRequired[str]
    """The wallet that was credited."""
    idempotencyKey: NotRequired[str]
    """The key of the call that made it. A payment of a payment link has none."""
    checkout: NotRequired[str]
    """The slug of its checkout template."""
    customerName: NotRequired[str]
    customerEmail: NotRequired[str]
    customerTaxId: NotRequired[str]
    customerPhone: NotRequired[str]
    """The payer’s phone as E.164: yours, or what the payer of a checkout entered."""
    customerAddress: NotRequired[CustomerAddress]
    customerCountry: NotRequired[str]
    """ISO 3166-1 alpha-2, as you sent it."""
    description: NotRequired[str]
    metadata: NotRequired[Metadata]
    captureMode: NotRequired[CaptureMode | str]
    items: NotRequired[list[PaymentItem]]
    """What the payment is for. quantity × amount of all items add up to the amount of the payment. At most 16 KiB as JSON."""
    webhookUrl: NotRequired[str]
    returnUrl: NotRequired[str]
    cancelUrl: NotRequired[str]
    splits: NotRequired[list[PaymentSplit]]
    """Sub-accounts that get shares of what is received. You keep the rest."""
    feePayer: NotRequired[str]
    """The sub-account that pays our fee from its share."""
    payerErasedAt: NotRequired[str]
    """What was known of its payer was erased then, with `description`, `metadata`, `items`, `returnUrl` and `cancelUrl`."""
    cardRedirectUrl: NotRequired[str]
    checkoutUrl: NotRequired[str]
    pixCopyPaste: NotRequired[str]
    """The BR Code that the payer pastes into the bank’s app."""
    pixQrCode: NotRequired[str]
    """The same as a picture: `data:image/png;base64,…`. Not in lists and webhooks."""
    endToEndIds: NotRequired[list[str]]
    """The names that the PIX system gave to what was paid: at most ten, the newest and the one that completed the sum."""
    card: NotRequired[PaymentCard]
    voucher: NotRequired[Voucher]
    cryptoAddress: NotRequired[str]
    """The address to pay to; this payment’s alone."""
    cryptoAmount: NotRequired[str]
    """What to send there, in base units with 18 decimals, whatever the token: divide by 10^18. A contract takes `cryptoAmountToken`."""
    cryptoAmountToken: NotRequired[str]
    """The same amount as the token’s contract counts it: what a wallet passes to `transfer`."""
    cryptoDecimals: NotRequired[int]
    """The decimals of `cryptoAmountToken`."""
    cryptoContract: NotRequired[str]
    """The token’s contract, with its checksum (EIP-55)."""
    cryptoChainId: NotRequired[int]
    """The chain id of the network (EIP-155)."""
    cryptoNetwork: NotRequired[str]
    """The only network to send on."""
    cryptoCurrency: NotRequired[str]
    """The only token to send."""
    cryptoReceived: NotRequired[str]
    """What counts as money at the address, in base units with 18 decimals. Present while that is no whole number of cents: `amountReceived` has the whole cents alone."""
    depositCount: NotRequired[int]
    """How many transfers reached the address, in all."""
    deposits: NotRequired[list[Deposit]]
    """At most ten, oldest first: the newest, and always the one that completed the sum. All of them: `GET /v1/payments/{id}/deposits`."""
    sepa: NotRequired[SepaTransfer]
    onchainTxHash: NotRequired[str]
    """Only in webhooks and `GET /v1/events`: the transaction on the chain whose transfer completed the sum. Elsewhere: `deposits[].txHash`."""
    lastError: NotRequired[PaymentError]
    createdAt: str
    expiresAt: NotRequired[str]
    approvedAt: NotRequired[str]
    paidAt: NotRequired[str]
    version: int
    """Grows with each change."""


class PaymentApprovedEvent(TypedDict):
    """The card is authorised, and you have not captured it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.approved"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PaymentCanceledEvent(TypedDict):
    """You canceled it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.canceled"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PaymentCard(TypedDict):
    """The card, as its provider tells it."""

    brand: NotRequired[str]
    last4: NotRequired[str]
    threeDSecure: NotRequired[str]


class PaymentCompletedEvent(TypedDict):
    """The full amount is final: the payment is PAID. Also when it had expired and the money came late."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.completed"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PaymentError(TypedDict):
    """What the provider last refused."""

    code: str
    message: str


class PaymentExpiredEvent(TypedDict):
    """Its time is over, and the amount is not on its way."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.expired"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PaymentFailedEvent(TypedDict):
    """Its provider ended it and nothing can follow: the payment is FAILED. Not when its creation already answered so."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.failed"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PaymentItem(TypedDict):
    """One line of what a payment is for."""

    name: str
    """What the payer reads. One line."""
    quantity: int
    """How many units."""
    amount: int
    """The price of one unit, in minor units. Negative for a discount, 0 for a gift."""


class PaymentItemRequest(TypedDict):
    """One line of what a payment is for. Shipping and discounts are items of their own."""

    name: str
    """What the payer reads. One line."""
    quantity: int
    """How many units."""
    amount: int
    """The price of one unit, in minor units. Negative for a discount, 0 for a gift."""


class PaymentLink(TypedDict):
    """A page to share; each use of it makes one payment."""

    id: str
    mode: Mode | str
    status: PaymentLinkStatus | str
    url: str
    """The page to share. Opening it makes no payment; its form does."""
    qrCodeUrl: str
    """The QR code of `url`, as an SVG for print."""
    name: str
    description: NotRequired[str]
    currency: Currency | str
    amount: NotRequired[int]
    """Minor units (cents): 1234 is 12.34."""
    minAmount: NotRequired[int]
    """Minor units (cents): 1234 is 12.34."""
    maxAmount: NotRequired[int]
    """Minor units (cents): 1234 is 12.34."""
    checkout: str
    """Slug of the checkout template."""
    paymentMethods: NotRequired[list[PaymentMethod | str]]
    usesMax: NotRequired[int]
    """How many payments may be PAID. One that can still be paid counts too, until it ends. Absent: any number."""
    uses: PaymentLinkUses
    expiresAt: NotRequired[str]
    """From then on the link makes no payment."""
    expiresIn: int
    """Seconds that each payer has. Default: an hour."""
    metadata: NotRequired[Metadata]
    webhookUrl: NotRequired[str]
    returnUrl: NotRequired[str]
    createdAt: str
    archivedAt: NotRequired[str]


class PaymentLinkList(TypedDict):
    """One page."""

    data: list[PaymentLink]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class PaymentLinkUses(TypedDict):
    """The payments of a link."""

    paid: int
    """Payments that are PAID, counted up to 10000."""
    open: int
    """Payments that can still be paid, counted up to 10000."""


class PaymentList(TypedDict):
    """One page."""

    data: list[Payment]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class PaymentReceivedAfterCloseEvent(TypedDict):
    """Money came that changes no status: after PAID, after CANCELED, or a part after EXPIRED."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.received_after_close"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PaymentShare(TypedDict):
    """What a sub-account gets of a payment, as its platform sees it."""

    id: str
    walletId: str
    """The wallet that is credited."""
    currency: Currency | str
    amount: NotRequired[int]
    """A fixed part, when all is paid; pro rata before."""
    percent: NotRequired[str]
    """A part of all that is received: up to 100, as a text with at most four decimals."""
    label: NotRequired[str]
    """What the sub-account reads."""
    amountCredited: int
    """What the wallet got of the payment, less what went back. Can be above 2^53."""
    amountPending: int
    """What of it waits for a settlement delay, less the fee. It cannot be withdrawn yet. Can be above 2^53."""
    fee: int
    """What it has paid of the operator’s fee. Can be above 2^53."""
    version: int
    """Grows with each change."""
    createdAt: str
    paymentId: str
    subAccountId: str
    amountReturned: int
    """What went back by refunds and disputes, all of them together. Can be above 2^53."""
    amountKept: NotRequired[int]
    """What you kept of it, because it came when the sub-account was closed. Can be above 2^53."""
    amountCovered: int
    """What of it you paid because the sub-account lacked it: its debt to you at that moment. Can be above 2^53."""


class PaymentShareList(TypedDict):
    """One page."""

    data: list[PaymentShare]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class PaymentSplit(TypedDict):
    """What a sub-account gets."""

    subAccountId: str
    """A sub-account of yours."""
    walletId: NotRequired[str]
    """A wallet of it. Default: its default wallet of the currency."""
    amount: NotRequired[int]
    """A fixed part, when all is paid; pro rata before."""
    percent: NotRequired[str]
    """A part of all that is received: up to 100, as a text with at most four decimals."""
    label: NotRequired[str]
    """What the sub-account reads."""


class PaymentSplitRequest(TypedDict):
    """What a sub-account gets: `amount` or `percent`, not both."""

    subAccountId: str
    """A sub-account of yours."""
    walletId: NotRequired[str | None]
    """A wallet of it. Default: its default wallet of the currency."""
    amount: NotRequired[int | None]
    """A fixed part, when all is paid; pro rata before."""
    percent: NotRequired[str | None]
    """A part of all that is received: up to 100, as a text with at most four decimals."""
    label: NotRequired[str | None]
    """What the sub-account reads."""


class PaymentUnderpaidEvent(TypedDict):
    """Money came and the amount is not reached; the payment still waits."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.underpaid"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PaymentWaitingEvent(TypedDict):
    """The payer can pay now, after a PENDING: a method was chosen in a checkout."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["payment.waiting"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Payment


class PayoutSchedule(TypedDict):
    """A wallet that pays out by itself."""

    id: str
    mode: Mode | str
    status: PayoutScheduleStatus | str
    walletId: str
    """The wallet that pays out."""
    currency: Currency | str
    type: WithdrawalType | str
    pixKey: NotRequired[str]
    """PIX: the recipient’s key."""
    cryptoAddress: NotRequired[str]
    """CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one."""
    cryptoNetwork: NotRequired[str]
    """CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name."""
    cryptoCurrency: NotRequired[str]
    """CRYPTO: default USDT. In any capitals."""
    iban: NotRequired[str]
    """SEPA: the recipient’s account; spaces do not count."""
    beneficiary: NotRequired[str]
    """SEPA: the holder of the account, as the recipient’s bank has it."""
    pixKeyType: NotRequired[PixKeyType | str]
    description: NotRequired[str]
    metadata: NotRequired[Metadata]
    webhookUrl: NotRequired[str]
    rhythm: PayoutRhythm | str
    weekday: NotRequired[Weekday | str]
    time: NotRequired[str]
    timeZone: NotRequired[str]
    above: NotRequired[int]
    """ABOVE: the balance, in minor units, at which it pays."""
    keep: int
    """Minor units that stay in the wallet."""
    minimum: int
    """The least amount that is paid out, in minor units."""
    nextRunAt: NotRequired[str]
    """When it is looked at next. Absent while it is not ACTIVE."""
    lastRunAt: NotRequired[str]
    lastOutcome: NotRequired[PayoutScheduleOutcome | str]
    lastWithdrawalId: NotRequired[str]
    """The last withdrawal that it made."""
    createdAt: str
    version: int
    """Grows with each change."""


class PayoutScheduleList(TypedDict):
    """One page."""

    data: list[PayoutSchedule]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Problem(TypedDict):
    """What went wrong (RFC 9457)."""

    type: str
    title: str
    status: int
    """The HTTP status."""
    code: ProblemCode | str
    detail: str
    requestId: str
    errors: NotRequired[list[FieldError]]


class Readiness(TypedDict):
    """Whether requests are welcome."""

    status: ReadinessStatus | str
    checks: ReadinessChecks
    reasons: NotRequired[ReadinessReasons]

ReadinessChecks: TypeAlias = Mapping[str, bool]
"""What must work before requests are welcome, and whether it does."""

ReadinessReasons: TypeAlias = Mapping[str, str]
"""Why a check does not hold, by its name."""


class Refund(TypedDict):
    """Money of a payment that goes back to its payer."""

    id: str
    mode: Mode | str
    paymentId: str
    status: RefundStatus | str
    amount: int
    """The amount that goes back. Can be above 2^53."""
    currency: Currency | str
    cryptoAddress: NotRequired[str]
    """CRYPTO: where the money goes."""
    cryptoNetwork: NotRequired[str]
    cryptoCurrency: NotRequired[str]
    iban: NotRequired[str]
    """SEPA_TRANSFER: the account that the money goes to."""
    beneficiary: NotRequired[str]
    """SEPA_TRANSFER: the holder of that account."""
    txHash: NotRequired[str]
    """CRYPTO: the transaction that took it there."""
    reason: NotRequired[str]
    metadata: NotRequired[Metadata]
    approvalRequired: NotRequired[bool]
    """Held, and not sent until a second person approves."""
    failureCode: NotRequired[str]
    failureMessage: NotRequired[str]
    createdAt: str
    completedAt: NotRequired[str]
    version: int
    """Grows with each change."""
    payment: NotRequired[Payment]
    """In lists with `expand=payment`: the payment whose money goes back."""


class RefundCompletedEvent(TypedDict):
    """The money went back."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["refund.completed"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Refund


class RefundCreatedEvent(TypedDict):
    """A refund was requested, and its amount set aside."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["refund.created"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Refund


class RefundFailedEvent(TypedDict):
    """It could not go back, or came back: it is in the wallet again."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["refund.failed"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    erasedAt: NotRequired[str]
    """What it told of a payer was erased then: `data` has the other fields, and is delivered so."""
    data: Refund


class RefundList(TypedDict):
    """One page."""

    data: list[Refund]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Rehearsal(TypedDict):
    """A test of your server."""

    id: str
    """Also in the header vintem-rehearsal of each request."""
    mode: Mode | str
    status: RehearsalStatus | str
    url: str
    stateUrl: NotRequired[str]
    seed: int
    """The same seed plays the same script. The ids are new each time."""
    passed: int
    """Cases that passed."""
    failed: int
    """Cases that failed."""
    notJudged: int
    """Cases that were not judged, or skipped."""
    createdAt: str
    endedAt: NotRequired[str]
    cases: list[RehearsalCaseResult]


class RehearsalCaseResult(TypedDict):
    """One case, and how your server did."""

    case: RehearsalCase | str
    title: str
    status: RehearsalCaseStatus | str
    expected: str
    """What a right server does."""
    observed: NotRequired[str]
    """What yours did, or why it was not judged."""
    fix: NotRequired[str]
    """FAILED: what to change."""
    docs: str
    """The section of the documentation: its path in the repository, and at an API that serves its documents."""
    deliveries: list[RehearsalDelivery]


class RehearsalDelivery(TypedDict):
    """One request to your server."""

    what: str
    """What was special about it."""
    type: str
    """The type of the event."""
    durationMs: int
    """Milliseconds."""
    responseStatus: NotRequired[int]
    """The HTTP status that was answered."""
    responseBody: NotRequired[str]
    """The beginning of an answer that was not expected."""
    error: NotRequired[str]
    """Why there was no answer."""


class RehearsalSummary(TypedDict):
    """A rehearsal without its cases."""

    id: str
    """Also in the header vintem-rehearsal of each request."""
    mode: Mode | str
    status: RehearsalStatus | str
    url: str
    stateUrl: NotRequired[str]
    seed: int
    """The same seed plays the same script. The ids are new each time."""
    passed: int
    """Cases that passed."""
    failed: int
    """Cases that failed."""
    notJudged: int
    """Cases that were not judged, or skipped."""
    createdAt: str
    endedAt: NotRequired[str]


class RehearsalSummaryList(TypedDict):
    """One page."""

    data: list[RehearsalSummary]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class RequestLimit(TypedDict):
    """Of each process of the API. Absent: there is no limit."""

    perSecond: int
    """Requests a second that the key may make without end."""
    burst: int
    """Requests that the key may make at once."""


class RollApiKeyRequest(TypedDict):
    overlapHours: NotRequired[int | None]
    """How long the old key works on. 0: it ends now."""
    expiresAt: NotRequired[str | None]
    """From when on the new key does not work; not later than the end of the calling key. Default: when the old key would have ended."""
    idempotencyKey: NotRequired[str | None]
    """The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree."""


class RollWebhookSecretRequest(TypedDict):
    """May be left out."""

    overlapHours: NotRequired[int | None]
    """Hours that the present secret signs beside the new one. Default: 24."""


class RolledWebhookEndpoint(TypedDict):
    """An endpoint with its new secret."""

    id: str
    mode: Mode | str
    url: str
    eventTypes: NotRequired[list[EventType | str]]
    """The types that it gets. Absent: all."""
    description: NotRequired[str]
    status: WebhookEndpointStatus | str
    disabledReason: NotRequired[WebhookEndpointDisabledReason | str]
    disabledAt: NotRequired[str]
    failingSince: NotRequired[str]
    """Since when attempts do nothing but fail."""
    previousSecretUntil: NotRequired[str]
    """Until when the secret before the present one signs too."""
    createdAt: str
    version: int
    """Grows with each change."""
    secret: str
    """`whsec_` and base64. It is never shown again."""


class SandboxClock(TypedDict):
    """How far the dates of a merchant of the sandbox were moved."""

    advancedSeconds: int
    """How far it was moved in all, in seconds."""
    data: list[ClockAdvance]
    """The last 20 advances, newest first."""


class SandboxPaymentResult(TypedDict):
    """How the sandbox’s payer pays."""

    paymentId: str
    scenario: SandboxScenario | str
    txHashes: NotRequired[list[str]]
    """CRYPTO: the transactions that were sent."""
    endToEndIds: NotRequired[list[str]]
    """PIX: the end-to-end ids of what was paid."""


class SepaTransfer(TypedDict):
    """SEPA_TRANSFER: where to send the money, and what to quote."""

    iban: str
    """The account to pay to."""
    bic: NotRequired[str]
    """The bank of the account, where it is known."""
    beneficiary: str
    """The holder of the account: the payer’s bank compares the name that the payer enters."""
    reference: str
    """The creditor reference (ISO 11649) that the payer has to quote. This payment’s alone."""
    epcQrCode: NotRequired[str]
    """A code that fills in the transfer in a bank’s app (EPC069-12): `data:image/png;base64,…`. Not in lists and webhooks."""


class ServiceRestore(TypedDict):
    """A restore of the service to an earlier moment."""

    id: str
    """The restore: the same for every merchant."""
    mode: Mode | str
    lostFrom: str
    """The newest change that was restored."""
    lostTo: str
    """When the repair began: what is answered from here on stays."""
    lastSequence: int
    """The number of your last event that was restored; zero: there was none."""
    firstSequence: int
    """The number of your first event after the restore. Those in between may have been used, and are not used again."""
    sendAgain: list[RestoreSendAgain | str]
    """What to send again if it was answered in that span. It is a new one: idempotency keys are lost too."""
    askFirst: list[RestoreAskFirst | str]
    """What may have been carried out although its record is lost: ask the operator before you send it again."""


class ServiceRestoredEvent(TypedDict):
    """The operator restored the service to an earlier moment. What was answered between `lostFrom` and `lostTo` may be lost, and events with numbers between `lastSequence` and `firstSequence` will not come. Only endpoints get it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["service.restored"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: ServiceRestore


class SetSettingsRequest(TypedDict):
    returnUrl: NotRequired[str | None]
    """Where the payer’s page leads when the payer is done, for payments that have no `returnUrl` of their own or of their template. Absent: none. An https address."""
    legalName: NotRequired[str | None]
    """Your name before the law. Receipts show it beside the name of the shop: the payer’s page, and mails to payers."""
    taxId: NotRequired[str | None]
    """Your tax id, which receipts show in full: that of `country`, and without one a CPF or CNPJ. With or without its mask."""
    country: NotRequired[str | None]
    """The country of your tax id (ISO 3166-1 alpha-2, and XK for Kosovo). Default: BR."""


class Settings(TypedDict):
    """What you decide for all your payments."""

    returnUrl: NotRequired[str]
    """Where the payer’s page leads when the payer is done, for payments that have no `returnUrl` of their own or of their template. Absent: the page stays."""
    legalName: NotRequired[str]
    """Your name before the law. Receipts show it beside the name of the shop: the payer’s page, and mails to payers."""
    taxId: NotRequired[str]
    """Your tax id, which receipts show in full: that of `country`, and without one a CPF or CNPJ. Without its mask."""
    country: NotRequired[str]
    """The country of your tax id (ISO 3166-1 alpha-2, and XK for Kosovo). Default: BR."""


class Share(TypedDict):
    """What a sub-account gets of a payment, as the sub-account sees it."""

    id: str
    walletId: str
    """The wallet that is credited."""
    currency: Currency | str
    amount: NotRequired[int]
    """A fixed part, when all is paid; pro rata before."""
    percent: NotRequired[str]
    """A part of all that is received: up to 100, as a text with at most four decimals."""
    label: NotRequired[str]
    """What the sub-account reads."""
    amountCredited: int
    """What the wallet got of the payment, less what went back. Can be above 2^53."""
    amountPending: int
    """What of it waits for a settlement delay, less the fee. It cannot be withdrawn yet. Can be above 2^53."""
    fee: int
    """What it has paid of the operator’s fee. Can be above 2^53."""
    version: int
    """Grows with each change."""
    createdAt: str


class ShareCreditedEvent(TypedDict):
    """You are a sub-account, and a share of a payment, or more of one, came to you, or a part that waited for a settlement delay can be withdrawn now. `data` shows all that it is now; `amountPending` of it still waits."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["share.credited"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Share


class ShareList(TypedDict):
    """One page."""

    data: list[Share]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class ShareReturnedEvent(TypedDict):
    """A share, or a part of one, went back by a refund or a dispute."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["share.returned"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Share


class StatementEntry(TypedDict):
    """One posted movement of a wallet’s available balance."""

    id: str
    walletId: str
    currency: Currency | str
    kind: StatementEntryKind | str
    amount: int
    """Signed: positive came in, negative went out. Can be beyond ±2^53."""
    balance: int
    """The wallet’s balance after this movement. Can be above 2^53."""
    postedAt: str
    description: str
    label: NotRequired[str]
    """Of a share of a payment: what its platform called it."""
    paymentId: NotRequired[str]
    refundId: NotRequired[str]
    withdrawalId: NotRequired[str]
    transferId: NotRequired[str]
    disputeId: NotRequired[str]


class StatementEntryList(TypedDict):
    """One page."""

    data: list[StatementEntry]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


Step = TypedDict(
    "Step",
    {
        # When it was learned or done.
        "at": "str",
        "kind": "StepKind | str",
        "cause": "StepCause | str",
        # The step as one sentence.
        "text": "str",
        # The amount that it is about. Can be above 2^53.
        "amount": "NotRequired[int]",
        "currency": "NotRequired[Currency | str]",
        # What had come by then and had not gone back. Can be above 2^53.
        "received": "NotRequired[int]",
        # What was still missing. Can be above 2^53.
        "missing": "NotRequired[int]",
        # The whole amount of the authorisation. Can be above 2^53.
        "authorised": "NotRequired[int]",
        # Your fee for the withdrawal. Can be above 2^53.
        "fee": "NotRequired[int]",
        # All that had come back by then. Can be above 2^53.
        "returned": "NotRequired[int]",
        "method": "NotRequired[PaymentMethod | str]",
        "outcome": "NotRequired[ReportedOutcome | str]",
        # The provider’s name of what it reported.
        "providerRef": "NotRequired[str]",
        "endToEndId": "NotRequired[str]",
        "txHash": "NotRequired[str]",
        # When it happened by the provider’s clock.
        "happenedAt": "NotRequired[str]",
        # The status of the record after the change.
        "status": "NotRequired[str]",
        # Why it failed.
        "code": "NotRequired[str]",
        "message": "NotRequired[str]",
        # The API key that decided.
        "keyId": "NotRequired[str]",
        # The refund that it is about.
        "refundId": "NotRequired[str]",
        # The dispute that it is about.
        "disputeId": "NotRequired[str]",
        # The event that announced it.
        "eventId": "NotRequired[str]",
        # The type of the event.
        "eventType": "NotRequired[EventType | str]",
        # Where the money was.
        "from": "NotRequired[AccountRole | str]",
        # Where it went.
        "to": "NotRequired[AccountRole | str]",
        "entries": "NotRequired[list[StepEntry]]",
        "delivery": "NotRequired[StepDelivery]",
    },
)
"""Something that happened. What does not apply is absent."""


class StepDelivery(TypedDict):
    """How a delivery of an event stands."""

    id: str
    url: str
    status: DeliveryStatus | str
    endpointId: NotRequired[str]
    """Absent: it goes to the URL of its payment or withdrawal."""
    attempts: int
    """How often it was tried; 100 means at least that many."""
    responseStatus: NotRequired[int]
    """The HTTP status of the last answer."""
    error: NotRequired[str]
    """Why the last attempt got no answer."""


class StepEntry(TypedDict):
    """One entry in the books."""

    account: AccountRole | str
    walletId: NotRequired[str]
    """The wallet, if the balance is one of a wallet."""
    amount: int
    """The change of the balance. Can be beyond ±2^53."""


class SubAccount(TypedDict):
    """A merchant with a parent: wallets, keys, events and webhooks of its own."""

    id: str
    """It is a merchant of its own, and this is that merchant’s id."""
    mode: Mode | str
    name: str
    state: SubAccountState | str
    taxId: NotRequired[str]
    reference: NotRequired[str]
    """Your own name of it."""
    suspendedBy: NotRequired[SubAccountSuspender | str]
    createdAt: str
    activatedAt: NotRequired[str]
    """When the operator last let it withdraw."""
    version: int
    """Grows with each change."""


class SubAccountList(TypedDict):
    """One page."""

    data: list[SubAccount]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class SubmitDisputeEvidenceRequest(TypedDict):
    version: int
    """The version of the evidence that is submitted. Another one is 409."""


class Transfer(TypedDict):
    """Money that moved between two wallets of one currency, at once and for good: both yours, or one of a sub-account of yours."""

    id: str
    mode: Mode | str
    amount: int
    """The amount that moved."""
    currency: Currency | str
    fromWalletId: NotRequired[str]
    """Absent where it is one of your parent’s."""
    toWalletId: NotRequired[str]
    """Absent where it is one of your parent’s."""
    fromSubAccountId: NotRequired[str]
    """The sub-account of yours that paid."""
    toSubAccountId: NotRequired[str]
    """The sub-account of yours that got it."""
    fromParent: NotRequired[bool]
    """Your parent paid: `true`, or absent."""
    toParent: NotRequired[bool]
    """Your parent took it, or it came for you after you were closed: `true`, or absent."""
    grantId: NotRequired[str]
    """The transfer grant by which it was taken from a sub-account."""
    sourceId: NotRequired[str]
    """Money that came for a closed sub-account and went on to its parent: the payment, withdrawal or other record whose money it was, or the sub-account itself when the operator moved what it still had."""
    description: NotRequired[str]
    metadata: NotRequired[Metadata]
    version: int
    """Grows with each change."""
    createdAt: str


class TransferCompletedEvent(TypedDict):
    """Money moved between two wallets: both yours, or one of a sub-account or your parent, which gets an event of its own. With `sourceId` it came for a sub-account that is closed, and went on to its parent. No webhookUrl belongs to it: only endpoints get it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["transfer.completed"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Transfer


class TransferGrant(TypedDict):
    """A sub-account lets its parent take money from its wallets of one currency."""

    id: str
    mode: Mode | str
    subAccountId: NotRequired[str]
    """Who gave it. Absent where it is you."""
    status: TransferGrantStatus | str
    currency: Currency | str
    maxAmount: NotRequired[int]
    """What may be taken, all transfers together."""
    amountTaken: int
    """What was taken by it. Can be above 2^53."""
    expiresAt: NotRequired[str]
    description: NotRequired[str]
    createdAt: str
    revokedAt: NotRequired[str]
    version: int
    """Grows with each change."""


class TransferGrantCreatedEvent(TypedDict):
    """A sub-account let its parent take money by transfer. Both get it: the sub-account and the parent."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["transfer_grant.created"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: TransferGrant


class TransferGrantList(TypedDict):
    """One page."""

    data: list[TransferGrant]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class TransferGrantRevokedEvent(TypedDict):
    """The sub-account ended a transfer grant, or the operator did, when closing the sub-account. Both get it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["transfer_grant.revoked"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: TransferGrant


class TransferList(TypedDict):
    """One page."""

    data: list[Transfer]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Voucher(TypedDict):
    """What the payer takes to a bank (MULTIBANCO, BOLETO). Not on a payment with a checkout."""

    entity: NotRequired[str]
    """MULTIBANCO."""
    reference: NotRequired[str]
    """MULTIBANCO."""
    line: NotRequired[str]
    """BOLETO: 47 digits."""
    barcode: NotRequired[str]
    """BOLETO: 44 digits, to be drawn as ITF."""
    pdfUrl: NotRequired[str]
    """BOLETO: its PDF at the provider."""
    expiresAt: NotRequired[str]


class Wallet(TypedDict):
    """A wallet with its balances, in minor units."""

    id: str
    currency: Currency | str
    label: str
    walletType: WalletType | str
    isDefault: bool
    """Money received in the currency is credited here."""
    isActive: bool
    version: int
    """Grows with each change."""
    createdAt: str
    balance: int
    """Can be withdrawn now. Can be above 2^53."""
    pendingBalance: int
    """Incoming: not final, or not released. Can be above 2^53."""
    heldBalance: int
    """Set aside for withdrawals, refunds and disputes. Can be above 2^53."""
    asOf: NotRequired[str]
    """With `at`: the instant of the balances."""


class WalletCreatedEvent(TypedDict):
    """A wallet was created. No webhookUrl belongs to a wallet: only endpoints get it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["wallet.created"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Wallet


class WalletList(TypedDict):
    """One page."""

    data: list[Wallet]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


WalletSummary = TypedDict(
    "WalletSummary",
    {
        # Inclusive.
        "from": "str",
        # Exclusive.
        "to": "str",
        "data": "list[CurrencySummary]",
    },
)
"""What moved on the available balances of each currency’s wallets."""


class WalletTypeBalance(TypedDict):
    """One type."""

    walletType: WalletType | str
    balance: int
    """Can be withdrawn now. Can be above 2^53."""
    pendingBalance: int
    """Incoming: not final, or not released. Can be above 2^53."""
    heldBalance: int
    """Set aside for withdrawals, refunds and disputes. Can be above 2^53."""


class WebhookEndpoint(TypedDict):
    """A URL that gets your events."""

    id: str
    mode: Mode | str
    url: str
    eventTypes: NotRequired[list[EventType | str]]
    """The types that it gets. Absent: all."""
    description: NotRequired[str]
    status: WebhookEndpointStatus | str
    disabledReason: NotRequired[WebhookEndpointDisabledReason | str]
    disabledAt: NotRequired[str]
    failingSince: NotRequired[str]
    """Since when attempts do nothing but fail."""
    previousSecretUntil: NotRequired[str]
    """Until when the secret before the present one signs too."""
    createdAt: str
    version: int
    """Grows with each change."""


class WebhookEndpointDisabledEvent(TypedDict):
    """We disabled a webhook endpoint because it only failed. Your other endpoints get it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["webhook_endpoint.disabled"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: WebhookEndpoint


class WebhookEndpointList(TypedDict):
    """One page."""

    data: list[WebhookEndpoint]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class WebhookEndpointPingEvent(TypedDict):
    """You pinged a webhook endpoint. It alone gets it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["webhook_endpoint.ping"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: WebhookEndpoint


class WebhookPing(TypedDict):
    """A ping on its way."""

    eventId: str
    """The event that is sent."""


class WebhookRecovery(TypedDict):
    """Events of a span that are sent again."""

    id: str
    endpointId: NotRequired[str]
    """Absent: to the URLs of payments and withdrawals."""
    status: WebhookRecoveryStatus | str
    afterSequence: int
    """It begins with the event after this one."""
    throughSequence: int
    """It ends with this event."""
    reachedSequence: int
    """It has come up to this event."""
    types: NotRequired[list[EventType | str]]
    """Absent: all that the endpoint takes."""
    includeDelivered: bool
    deliveries: int
    """How many deliveries it has made due."""
    createdAt: str
    endedAt: NotRequired[str]


class WebhookRecoveryList(TypedDict):
    """One page."""

    data: list[WebhookRecovery]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class Withdrawal(TypedDict):
    """Money that leaves."""

    id: str
    mode: Mode | str
    type: WithdrawalType | str
    status: WithdrawalStatus | str
    amount: int
    """The amount that the recipient gets."""
    fee: int
    """On top of the amount. Can be above 2^53."""
    totalDebited: int
    """Amount and fee. Can be above 2^53."""
    currency: Currency | str
    walletId: str
    """The wallet it leaves from."""
    batchId: NotRequired[str]
    """The batch that it was requested in."""
    payoutScheduleId: NotRequired[str]
    """The schedule that requested it."""
    pixKey: NotRequired[str]
    """PIX: the recipient’s key."""
    cryptoAddress: NotRequired[str]
    """CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one."""
    cryptoNetwork: NotRequired[str]
    """CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name."""
    cryptoCurrency: NotRequired[str]
    """CRYPTO: default USDT. In any capitals."""
    iban: NotRequired[str]
    """SEPA: the recipient’s account; spaces do not count."""
    beneficiary: NotRequired[str]
    """SEPA: the holder of the account, as the recipient’s bank has it."""
    pixKeyType: NotRequired[PixKeyType | str]
    description: NotRequired[str]
    metadata: NotRequired[Metadata]
    webhookUrl: NotRequired[str]
    providerRef: NotRequired[str]
    """The provider’s own id of it."""
    endToEndId: NotRequired[str]
    """PIX: its end-to-end id."""
    txHash: NotRequired[str]
    """CRYPTO: the transaction."""
    failureCode: NotRequired[str]
    failureMessage: NotRequired[str]
    amountReturned: NotRequired[int]
    """The amount that came back after it was completed. Can be above 2^53."""
    reviewRequired: NotRequired[bool]
    """Its end is unknown for so long that the operator has to check it, or it is not sent because limits do not allow it any more."""
    createdAt: str
    completedAt: NotRequired[str]
    version: int
    """Grows with each change."""


class WithdrawalApprovalRequiredEvent(TypedDict):
    """A person has to approve it."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["withdrawal.approval_required"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Withdrawal


class WithdrawalBatch(TypedDict):
    """Withdrawals that were accepted together. Each has its own end."""

    id: str
    status: WithdrawalBatchStatus | str
    count: int
    """How many withdrawals it has."""
    idempotencyKey: str
    createdAt: str
    progress: list[WithdrawalBatchProgress]


class WithdrawalBatchProgress(TypedDict):
    """The withdrawals of one status and currency."""

    status: WithdrawalStatus | str
    currency: Currency | str
    count: int
    """Withdrawals of this status and currency."""
    amount: int
    """Their amounts together. Can be above 2^53."""
    fee: int
    """Their fees together. Can be above 2^53."""


class WithdrawalCanceledEvent(TypedDict):
    """It was canceled before it was sent."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["withdrawal.canceled"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Withdrawal


class WithdrawalCompletedEvent(TypedDict):
    """It arrived."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["withdrawal.completed"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Withdrawal


class WithdrawalCreatedEvent(TypedDict):
    """A withdrawal was accepted and its amount set aside."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["withdrawal.created"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Withdrawal


class WithdrawalFailedEvent(TypedDict):
    """It did not arrive, and the amount is back."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["withdrawal.failed"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Withdrawal


class WithdrawalLimit(TypedDict):
    """What the operator allows in one currency. Fees do not count."""

    type: WithdrawalType | str
    currency: Currency | str
    each: NotRequired[int]
    """The most that one withdrawal may be. Can be above 2^53."""
    day: NotRequired[int]
    """The most that may leave on one day in UTC. Can be above 2^53."""
    spentToday: int
    """What was accepted today, in UTC. Can be above 2^53."""
    approvalAbove: NotRequired[int]
    """Above this amount a withdrawal waits for a second key. 0: always. Can be above 2^53."""
    approvalChoice: NotRequired[ApprovalChoice | str]
    listedOnly: bool
    """Only to destinations on the merchant’s list."""


class WithdrawalList(TypedDict):
    """One page."""

    data: list[Withdrawal]
    nextCursor: NotRequired[str]
    """Send it as `cursor` for the next page; absent on the last."""


class WithdrawalProcessingEvent(TypedDict):
    """It is being sent."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["withdrawal.processing"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Withdrawal


class WithdrawalReturnedEvent(TypedDict):
    """It had arrived and came back."""

    id: str
    """The same in every attempt, and in the header webhook-id."""
    type: Literal["withdrawal.returned"]
    timestamp: str
    """When it happened."""
    mode: Mode | str
    sequence: int
    """Numbers the merchant’s events without gaps; `service.restored` alone follows one."""
    data: Withdrawal

WebhookEvent: TypeAlias = Union[PaymentWaitingEvent, PaymentApprovedEvent, PaymentCompletedEvent, PaymentExpiredEvent, PaymentFailedEvent, PaymentCanceledEvent, PaymentUnderpaidEvent, PaymentReceivedAfterCloseEvent, RefundCreatedEvent, RefundCompletedEvent, RefundFailedEvent, DisputeOpenedEvent, DisputeWonEvent, DisputeLostEvent, WithdrawalCreatedEvent, WithdrawalApprovalRequiredEvent, WithdrawalProcessingEvent, WithdrawalCompletedEvent, WithdrawalFailedEvent, WithdrawalCanceledEvent, WithdrawalReturnedEvent, WalletCreatedEvent, TransferCompletedEvent, TransferGrantCreatedEvent, TransferGrantRevokedEvent, ShareCreditedEvent, ShareReturnedEvent, WebhookEndpointDisabledEvent, WebhookEndpointPingEvent, ServiceRestoredEvent]
"""What is sent to webhook URLs. New types may be added: ignore those that you do not know."""
