// Made by generator/operations.ts from openapi.json. Do not edit: npm run sdk writes it again.
import type { CallOptions, OperationRow } from '../call.ts'
import type { Pages } from '../pages.ts'
import type {
  AcceptDisputeRequest,
  AddDisputeEvidenceFileRequest,
  AdvanceSandboxClockRequest,
  ApiKey,
  ApproveRefundRequest,
  ApproveWithdrawalBatchRequest,
  ApproveWithdrawalRequest,
  ArchivePaymentLinkRequest,
  BalanceHistory,
  BalanceHistoryInterval,
  CallMethod,
  Caller,
  CancelPaymentRequest,
  CancelRehearsalRequest,
  CancelWebhookRecoveryRequest,
  CancelWithdrawalBatchRequest,
  CancelWithdrawalRequest,
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
  PingWebhookEndpointRequest,
  ProblemCode,
  Refund,
  RefundStatus,
  Rehearsal,
  RehearsalSummary,
  RejectRefundRequest,
  RejectWithdrawalBatchRequest,
  RejectWithdrawalRequest,
  ResendDeliveryRequest,
  RevokeApiKeyRequest,
  RevokeTransferGrantRequest,
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
} from './types.ts'

/** The client's methods, by resource. */
export type Resources = {
  readonly payments: {
    /** Create a payment. An idempotencyKey is required, as that field or as the header Idempotency-Key. The same key with the same body returns the same payment again, in its present status; with another body it is a conflict. */
    readonly create: (body: CreatePaymentRequest, options?: CallOptions) => Promise<CreatedPayment>
    /** List payments, newest first. Whole payments, without the pictures of QR codes. `from` and `to` filter by their creation. All filters that are given must fit. With one that finds by a value, a page may have fewer rows than `limit`, even none, and still have a `nextCursor`: the list ends where there is none. A metadata key that is not READY is refused: 400 when it is not declared, 409 while earlier payments are filled in. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly status?: PaymentStatus | undefined; readonly method?: PaymentMethod | undefined; readonly currency?: Currency | undefined; readonly ids?: string | undefined; readonly metadata?: Readonly<Record<string, string>> | undefined; readonly customerEmail?: string | undefined; readonly customerName?: string | undefined; readonly customerTaxId?: string | undefined; readonly txHash?: string | undefined; readonly endToEndId?: string | undefined; readonly reference?: string | undefined; readonly cryptoAddress?: string | undefined; readonly cardLast4?: string | undefined; readonly idempotencyKey?: string | undefined; readonly checkoutUrl?: string | undefined; readonly amount?: number | undefined; readonly checkout?: string | undefined; readonly paymentLinkId?: string | undefined; readonly exception?: string | undefined }, options?: CallOptions) => Pages<Payment>
    /** Get a payment. As it stands now, with what its payer needs and what arrived for it. */
    readonly get: (id: string, options?: CallOptions) => Promise<Payment>
    /** List the deposits of a payment, newest first. Every transfer that reached the payment’s address. A payment by another method has none. */
    readonly listDeposits: (id: string, query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<Deposit>
    /** Capture an approved payment. Captures what the payer’s bank holds, or a part of it; the rest is released. The payment is PAID with what was captured. The same call again returns the same. When the provider does not answer (503) the capture goes on by itself. */
    readonly capture: (id: string, body?: CapturePaymentRequest, options?: CallOptions) => Promise<Payment>
    /** Cancel an unpaid payment. What is authorised and not captured is released. Canceling again returns the same. Money that still arrives is credited; the payment stays CANCELED. */
    readonly cancel: (id: string, body?: CancelPaymentRequest, options?: CallOptions) => Promise<Payment>
    /** Explain a payment. What was observed, what providers answered, what changed and why, what was booked, and what you were told of it, as the books hold it. In the order in which it was learned; within one page if there are several. The amounts of LEDGER steps add up to the entries of your wallets. */
    readonly explain: (id: string, query?: { readonly language?: Language | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: CallOptions) => Promise<Explanation>
  }
  readonly paymentLinks: {
    /** List payment links, newest first. All of them, or with `archived` those that are archived or not. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly archived?: PaymentLinkArchived | undefined }, options?: CallOptions) => Pages<PaymentLink>
    /** Create a payment link. A page to share: each payer who sends its form makes one payment with these terms. With `amount`, or with `minAmount` and `maxAmount` between which the payer chooses. It never changes; archive it and create another one. */
    readonly create: (body: CreatePaymentLinkRequest, options?: CallOptions) => Promise<PaymentLink>
    /** Get a payment link. With how often it was used. Its payments: `GET /v1/payments?paymentLinkId=`. */
    readonly get: (id: string, options?: CallOptions) => Promise<PaymentLink>
    /** Archive a payment link. Its page makes no payment any more. Payments that it made go on. Archiving again returns the same. */
    readonly archive: (id: string, body?: ArchivePaymentLinkRequest, options?: CallOptions) => Promise<PaymentLink>
  }
  readonly refunds: {
    /** Give money back. The amount is held in the wallet at once and leaves it when the provider has refunded it. Without an amount: all that can be refunded. Money goes back as it came: one refund is of one receipt. With a cryptoAddress: money that came by CRYPTO; with an iban: money that came by SEPA_TRANSFER; with neither: all but CRYPTO, and of that, what came twice first, then the newest. */
    readonly create: (id: string, body?: CreateRefundRequest, options?: CallOptions) => Promise<Refund>
    /** List refunds, newest first. The refunds of all payments, or of one. `from` and `to` filter by when the refund was requested. All filters that are given must fit; with an amount, a transaction or an end-to-end id a page may be short and still have a `nextCursor`. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly paymentId?: string | undefined; readonly status?: RefundStatus | undefined; readonly currency?: Currency | undefined; readonly amount?: number | undefined; readonly txHash?: string | undefined; readonly endToEndId?: string | undefined; readonly expand?: Expansion | undefined }, options?: CallOptions) => Pages<Refund>
    /** Get a refund. As it stands now. A refund that is PENDING is still being sent. */
    readonly get: (id: string, options?: CallOptions) => Promise<Refund>
    /** Approve a refund. For a refund with approvalRequired: its address or account is neither listed nor the one that the money came from, or it is above the limit of approval. Not with the key that requested it, and for a sub-account not with a key that its parent made. */
    readonly approve: (id: string, body?: ApproveRefundRequest, options?: CallOptions) => Promise<Refund>
    /** Reject a refund that waits for approval. Not with the key that requested it, and for a sub-account not with a key that its parent made. The refund is FAILED, and what was held is in the wallet again. */
    readonly reject: (id: string, body?: RejectRefundRequest, options?: CallOptions) => Promise<Refund>
    /** Explain a refund. What was observed, what providers answered, what changed and why, what was booked, and what you were told of it, as the books hold it. In the order in which it was learned; within one page if there are several. The amounts of LEDGER steps add up to the entries of your wallets. */
    readonly explain: (id: string, query?: { readonly language?: Language | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: CallOptions) => Promise<Explanation>
  }
  readonly disputes: {
    /** List disputes, newest first. The disputes of all payments, or of one. `from` and `to` filter by when the dispute was opened. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly paymentId?: string | undefined; readonly status?: DisputeStatus | undefined; readonly currency?: Currency | undefined; readonly expand?: Expansion | undefined }, options?: CallOptions) => Pages<Dispute>
    /** Get a dispute. As it stands now. A dispute is reported by its provider; it cannot be created here. */
    readonly get: (id: string, options?: CallOptions) => Promise<Dispute>
    /** Give in to a dispute. The money stays with the payer and the dispute is LOST. For open chargebacks; banks decide a MED among themselves (422). Accepting again answers the same. */
    readonly accept: (id: string, body?: AcceptDisputeRequest, options?: CallOptions) => Promise<Dispute>
    /** Get the evidence of a dispute. The draft, or what was submitted, when and by which key. */
    readonly getEvidence: (id: string, options?: CallOptions) => Promise<DisputeEvidence>
    /** Write evidence. Saves a draft. Nothing is sent until it is submitted. For open disputes whose provider takes evidence by its API. */
    readonly changeEvidence: (id: string, body?: ChangeDisputeEvidenceRequest, options?: CallOptions) => Promise<DisputeEvidence>
    /** Add a file to the evidence. A PDF, PNG or JPEG, in place of the file of the same kind. All files together have at most 4.5 MB. The same call again changes nothing. */
    readonly addEvidenceFile: (id: string, body: AddDisputeEvidenceFileRequest, options?: CallOptions) => Promise<DisputeEvidence>
    /** Submit the evidence. Sends it to the provider, once. It cannot be changed afterwards. The call can be repeated: with the same version it answers the same. */
    readonly submitEvidence: (id: string, body: SubmitDisputeEvidenceRequest, options?: CallOptions) => Promise<DisputeEvidence>
  }
  readonly wallets: {
    /** List wallets, oldest first. With their balances now. Every merchant starts with a default wallet in BRL, EUR and USDT. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly currency?: Currency | undefined }, options?: CallOptions) => Pages<Wallet>
    /** Create a wallet. The first SPENDABLE wallet of a currency is its default; later ones are not. Where a currency has none yet, a RESERVE wallet creates it as well. */
    readonly create: (body: CreateWalletRequest, options?: CallOptions) => Promise<Wallet>
    /** Get the sums of each currency. Now, or with `at` as they were after the last movement at or before that instant. */
    readonly getBalance: (query?: { readonly at?: string | undefined }, options?: CallOptions) => Promise<ConsolidatedBalance>
    /** List the movements of available balances, newest first. When only one kind is requested and it is rare, a page may hold fewer rows than its limit and still have a next one. `format=csv` returns all of it as one file, of any length; what is posted meanwhile is not in it. */
    readonly getStatement: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly walletId?: string | undefined; readonly currency?: Currency | undefined; readonly kind?: StatementEntryKind | undefined; readonly spreadsheet?: Spreadsheet | undefined; readonly timeZone?: string | undefined }, options?: CallOptions) => Pages<StatementEntry>
    /** Get a wallet. With `at` the balances are those of that instant: zero before the wallet was created. */
    readonly get: (id: string, query?: { readonly at?: string | undefined }, options?: CallOptions) => Promise<Wallet>
    /** Rename a wallet, or make it inactive or active again. The default wallet of a currency stays active: what is received needs a place. */
    readonly change: (id: string, body?: ChangeWalletRequest, options?: CallOptions) => Promise<Wallet>
    /** Sum up what came in and went out. The available balances of all wallets of each currency. Default: the last 30 days. Transfers between own wallets are in `byKind`, on both sides, and in neither `inflow` nor `outflow`. */
    readonly getSummary: (query?: { readonly from?: string | undefined; readonly to?: string | undefined }, options?: CallOptions) => Promise<WalletSummary>
    /** List balances day by day, week by week, or month by month. One row for each interval and currency, or for one wallet, also where nothing moved. Intervals are whole, in the calendar of the time zone; weeks begin on Monday. Without `from`: 30 days, 13 weeks or 12 months. At most 400 rows. */
    readonly getBalanceHistory: (query?: { readonly interval?: BalanceHistoryInterval | undefined; readonly timeZone?: string | undefined; readonly currency?: Currency | undefined; readonly walletId?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined }, options?: CallOptions) => Promise<BalanceHistory>
  }
  readonly transfers: {
    /** Move money between two wallets of one currency. At once and for good: between own wallets, or with a wallet of a sub-account of yours. To a sub-account whenever you want to; from one only while a transfer grant of its stands. A RESERVE may pay; an inactive wallet may only receive. */
    readonly create: (body: CreateTransferRequest, options?: CallOptions) => Promise<Transfer>
    /** List transfers between wallets, newest first. The transfers of all wallets, or of one on either side. `from` and `to` filter by when the money moved. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly walletId?: string | undefined; readonly currency?: Currency | undefined }, options?: CallOptions) => Pages<Transfer>
    /** Get a transfer between wallets. A transfer never changes: it happened at once and for good. */
    readonly get: (id: string, options?: CallOptions) => Promise<Transfer>
  }
  readonly transferGrants: {
    /** Let your parent take money by transfer. For sub-accounts, by a key or a member of their own: not by a key of the parent, nor by one that the parent made. With `maxAmount`, `expiresAt`, or both. One grant stands in each currency. */
    readonly create: (body: CreateTransferGrantRequest, options?: CallOptions) => Promise<TransferGrant>
    /** List transfer grants, newest first. Those that you gave; or those that your sub-accounts gave you, all or of one. Ended ones are there too. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly subAccountId?: string | undefined }, options?: CallOptions) => Pages<TransferGrant>
    /** Get a transfer grant. One that you gave, or that a sub-account of yours gave you. */
    readonly get: (id: string, options?: CallOptions) => Promise<TransferGrant>
    /** Revoke a transfer grant. For the sub-account that gave it. From then on nothing is taken by it; what was taken stays taken. Revoking again returns the same. */
    readonly revoke: (id: string, body?: RevokeTransferGrantRequest, options?: CallOptions) => Promise<TransferGrant>
  }
  readonly withdrawals: {
    /** Take money out of a wallet. The amount and its fee are held at once and leave when the recipient has the money. Without a walletId: the default wallet if it covers both, else the oldest spendable one that does. The same idempotencyKey with the same body returns the same withdrawal again. */
    readonly create: (body: CreateWithdrawalRequest, options?: CallOptions) => Promise<Withdrawal>
    /** List withdrawals, newest first. The withdrawals of all wallets. `from` and `to` filter by when the withdrawal was requested. All filters that are given must fit; pages and metadata keys are as in the list of payments. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly status?: WithdrawalStatus | undefined; readonly type?: WithdrawalType | undefined; readonly currency?: Currency | undefined; readonly batchId?: string | undefined; readonly metadata?: Readonly<Record<string, string>> | undefined; readonly amount?: number | undefined; readonly txHash?: string | undefined; readonly endToEndId?: string | undefined; readonly pixKey?: string | undefined; readonly cryptoAddress?: string | undefined; readonly iban?: string | undefined }, options?: CallOptions) => Pages<Withdrawal>
    /** Get a withdrawal. As it stands now. A withdrawal that is PROCESSING may have reached its recipient already. */
    readonly get: (id: string, options?: CallOptions) => Promise<Withdrawal>
    /** Cancel a withdrawal that was not sent yet. Canceling again returns the same. What was held is in the wallet again. After the operator restored the database, nothing is canceled until it is known what had left. */
    readonly cancel: (id: string, body?: CancelWithdrawalRequest, options?: CallOptions) => Promise<Withdrawal>
    /** Approve a withdrawal. Not with the key that requested it, nor with another key of the same person or lineage. Limits and listed destinations are checked again, as they are now. */
    readonly approve: (id: string, body?: ApproveWithdrawalRequest, options?: CallOptions) => Promise<Withdrawal>
    /** Reject a withdrawal that waits for approval. Not with the key that requested it, nor with another key of the same person or lineage. The withdrawal is CANCELED, and what was held is in the wallet again. */
    readonly reject: (id: string, body?: RejectWithdrawalRequest, options?: CallOptions) => Promise<Withdrawal>
    /** Explain a withdrawal. What was observed, what providers answered, what changed and why, what was booked, and what you were told of it, as the books hold it. In the order in which it was learned; within one page if there are several. The amounts of LEDGER steps add up to the entries of your wallets. */
    readonly explain: (id: string, query?: { readonly language?: Language | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: CallOptions) => Promise<Explanation>
  }
  readonly withdrawalBatches: {
    /** Take money out in up to 1,000 withdrawals. All are accepted, and their amounts and fees held, or none is: the faults of every withdrawal are listed. Then each has its own end. When one needs approval, or all of one type and currency together are above the amount from which approval is needed, the batch waits for it as one. The same key with the same withdrawals returns the same batch again. */
    readonly create: (body: CreateWithdrawalBatchRequest, options?: CallOptions) => Promise<WithdrawalBatch>
    /** List batches of withdrawals, newest first. `from` and `to` filter by when the batch was requested. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined }, options?: CallOptions) => Pages<ListedWithdrawalBatch>
    /** Get a batch of withdrawals, and how far it is. Its withdrawals: `GET /v1/withdrawals?batchId=`. */
    readonly get: (id: string, options?: CallOptions) => Promise<WithdrawalBatch>
    /** Cancel the withdrawals of a batch that were not sent yet. What was held for them is in the wallets again. Those that were sent keep their own end. */
    readonly cancel: (id: string, body?: CancelWithdrawalBatchRequest, options?: CallOptions) => Promise<WithdrawalBatch>
    /** Approve a batch of withdrawals. All of it that waits, or nothing: limits and listed destinations are checked again, as they are now. Not with the key that requested it. */
    readonly approve: (id: string, body?: ApproveWithdrawalBatchRequest, options?: CallOptions) => Promise<WithdrawalBatch>
    /** Reject a batch of withdrawals that waits for approval. All of it that waits is CANCELED, and what was held is in the wallets again. */
    readonly reject: (id: string, body?: RejectWithdrawalBatchRequest, options?: CallOptions) => Promise<WithdrawalBatch>
  }
  readonly payoutSchedules: {
    /** Let a wallet pay out by itself. To a destination that the operator has put on the merchant’s list. Each run requests a withdrawal of what the wallet has above `keep`, after the fee and as far as the limits allow. Approval is needed as for any withdrawal. A run that was missed is made up for once. */
    readonly create: (body: CreatePayoutScheduleRequest, options?: CallOptions) => Promise<PayoutSchedule>
    /** List payout schedules, newest first. Those that have ended too. */
    readonly list: (query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<PayoutSchedule>
    /** Get a payout schedule. With its next run, and what came of the last one. */
    readonly get: (id: string, options?: CallOptions) => Promise<PayoutSchedule>
    /** Pause, resume or end a payout schedule, or change what stays. Its wallet, destination and rhythm stay: for others, make another schedule. Withdrawals that it has requested go on. */
    readonly change: (id: string, body?: ChangePayoutScheduleRequest, options?: CallOptions) => Promise<PayoutSchedule>
  }
  readonly events: {
    /** List events, oldest first. Numbers have no gaps, but the one before a `service.restored`, which is never filled: a client that sends the `readTo` of its last answer as `after` misses nothing and reads nothing twice, however long it was away. With `wait` the answer comes as soon as there is an event, or without one when the time is over. At most five requests of a key wait at once. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly after?: number | undefined; readonly types?: string | undefined; readonly wait?: number | undefined }, options?: CallOptions) => Pages<Event>
    /** Get an event. The same object that was sent to webhook URLs, however long ago. */
    readonly get: (id: string, options?: CallOptions) => Promise<Event>
  }
  readonly deliveries: {
    /** List the deliveries of an event, newest first. Where the event was sent, with every attempt. An event that no URL belongs to has none. */
    readonly list: (id: string, query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<Delivery>
    /** Get a delivery with its attempts. When it was sent, what was answered or why there was no answer, and when it is sent next. */
    readonly get: (id: string, options?: CallOptions) => Promise<Delivery>
    /** Send an event to its URL again. Starts a new round of attempts now, in any state of the delivery. That of a deleted endpoint is not sent again. */
    readonly resend: (id: string, body?: ResendDeliveryRequest, options?: CallOptions) => Promise<Delivery>
    /** List deliveries, newest first. To endpoints and to URLs of payments, by the order of their events. A page of one `status`, `type` or `host` may hold fewer than `limit`, even none: go on as long as there is a `nextCursor`. */
    readonly search: (query?: { readonly limit?: number | undefined; readonly endpointId?: string | undefined; readonly eventId?: string | undefined; readonly status?: DeliveryStatus | undefined; readonly type?: EventType | undefined; readonly subject?: string | undefined; readonly host?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined }, options?: CallOptions) => Pages<Delivery>
  }
  readonly eventTypes: {
    /** List the types of events. All of them, each with an example of the body that is sent. Every key may call it. */
    readonly list: (options?: CallOptions) => Promise<CataloguedEventTypeList>
  }
  readonly metadataKeys: {
    /** List the keys of metadata that lists find by. Each with its state: whether lists find by it yet, and how far earlier records are filled in. */
    readonly list: (options?: CallOptions) => Promise<MetadataKeyList>
    /** Declare the keys of metadata that lists find by. The whole list, of at most five. Records that are created from now on are found by a new key at once when it is READY; earlier ones are filled in first, which takes at least a minute. Keys that stay in the list stay READY. The same list again changes nothing. */
    readonly declare: (body: DeclareMetadataKeysRequest, options?: CallOptions) => Promise<MetadataKeyList>
  }
  readonly requests: {
    /** List your last calls, newest first. The last 10,000 calls with keys of yours (an operator may keep fewer), some seconds after they were made. Calls can be missing: the log never slows or refuses a call. Requests without a valid key, and to addresses that do not exist, are in no log. */
    readonly list: (query?: { readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly statusClass?: StatusClass | undefined; readonly code?: ProblemCode | undefined; readonly method?: CallMethod | undefined; readonly keyId?: string | undefined }, options?: CallOptions) => Pages<LoggedCall>
  }
  readonly webhookEndpoints: {
    /** Create a webhook endpoint. Your events of its types are sent there from now on, signed with its own secret, which this answer alone shows. A merchant has at most 100. */
    readonly create: (body: CreateWebhookEndpointRequest, options?: CallOptions) => Promise<CreatedWebhookEndpoint>
    /** List webhook endpoints, oldest first. Without those that are deleted, and without their secrets. */
    readonly list: (query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<WebhookEndpoint>
    /** Get a webhook endpoint. Whether it is enabled, and since when it fails. */
    readonly get: (id: string, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Change a webhook endpoint, disable it, or enable it again. A disabled endpoint’s deliveries are held; enabling it sends them in the order of their sequence, to the URL that it has then. `eventTypes` of `["*"]` is all types, an empty description is none. */
    readonly change: (id: string, body?: ChangeWebhookEndpointRequest, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Delete a webhook endpoint. For good: it gets nothing more, what was still to be sent to it is canceled, and its secret is erased. Its deliveries stay listed. */
    readonly delete: (id: string, options?: CallOptions) => Promise<WebhookEndpoint>
    /** Give a webhook endpoint a new secret. This answer alone shows it. For `overlapHours` both secrets sign; with 0 the present one stops at once. Of two rolls within that time, the secret before both stops. */
    readonly rollWebhookSecret: (id: string, body?: RollWebhookSecretRequest, options?: CallOptions) => Promise<RolledWebhookEndpoint>
    /** Send an event to a webhook endpoint to see whether it answers. The event `webhook_endpoint.ping`, to this endpoint alone, whatever types it takes. */
    readonly ping: (id: string, body?: PingWebhookEndpointRequest, options?: CallOptions) => Promise<WebhookPing>
  }
  readonly webhookRecoveries: {
    /** Send the events of a span again. To an endpoint: those whose delivery failed for good, and those that it never had because it is younger than they are. Without `endpointId`: deliveries to the URLs of payments and withdrawals that failed for good. They are sent one after another in the order of their sequence, beside what is new. One runs at a time for each endpoint. */
    readonly create: (body?: CreateWebhookRecoveryRequest, options?: CallOptions) => Promise<WebhookRecovery>
    /** List recoveries, newest first. Those that have ended too. */
    readonly list: (query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<WebhookRecovery>
    /** Get a recovery. How far it has come, and how many deliveries it has made due. */
    readonly get: (id: string, options?: CallOptions) => Promise<WebhookRecovery>
    /** Cancel a recovery. It makes nothing more due. What it has made due is sent all the same. */
    readonly cancel: (id: string, body?: CancelWebhookRecoveryRequest, options?: CallOptions) => Promise<WebhookRecovery>
  }
  readonly me: {
    /** Get the merchant, the scopes and the limits of the key. Every key may call it, whatever its scopes. */
    readonly get: (options?: CallOptions) => Promise<Caller>
  }
  readonly settings: {
    /** Get your settings. What you decide for all your payments. */
    readonly get: (options?: CallOptions) => Promise<Settings>
    /** Set your settings. All of them: a field that you leave out is removed. Pages of payments that exist follow, too. */
    readonly set: (body?: SetSettingsRequest, options?: CallOptions) => Promise<Settings>
  }
  readonly keys: {
    /** Make an API key. The answer shows the key itself, this once. It has at most the rights of the calling key, and counts as the same person where two are needed: keys for another person come from the operator. */
    readonly create: (body: CreateApiKeyRequest, options?: CallOptions) => Promise<NewApiKey>
    /** List API keys, newest first. All that the merchant ever had, those of the operator too. */
    readonly list: (query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<ApiKey>
    /** Get an API key. Without the key itself, which is not stored. */
    readonly get: (id: string, options?: CallOptions) => Promise<ApiKey>
    /** Rename an API key, take scopes from it, or change its networks. Works within a second everywhere. A key that can do more than the calling key is not changed, and no key gets more scopes than it has. */
    readonly change: (id: string, body?: ChangeApiKeyRequest, options?: CallOptions) => Promise<ApiKey>
    /** Make a key in place of another. With the same name, scopes, networks and lineage. The old key works until the overlap ends, or its own time. A key may roll itself and keys of its lineage that can do no more than it. */
    readonly roll: (id: string, body?: RollApiKeyRequest, options?: CallOptions) => Promise<NewApiKey>
    /** End an API key for good. It is refused within a second everywhere. Any key of the merchant, also one that can do more than the calling key, and the calling key itself. Keys that it made work on. A second call changes nothing. */
    readonly revoke: (id: string, body?: RevokeApiKeyRequest, options?: CallOptions) => Promise<ApiKey>
    /** List the API keys of a sub-account, newest first. Those that you made and those that it made itself, without the keys themselves. */
    readonly listSubAccountKeys: (id: string, query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<ApiKey>
    /** Make an API key of a sub-account. The answer shows the key itself, this once. It has at most the rights of the calling key, and counts as the same person where two are needed. */
    readonly createSubAccountKey: (id: string, body: CreateSubAccountKeyRequest, options?: CallOptions) => Promise<NewApiKey>
  }
  readonly subAccounts: {
    /** List sub-accounts, newest first. All that you made, closed ones too. */
    readonly list: (query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<SubAccount>
    /** Make a sub-account. A merchant whose parent you are, of your mode: with wallets, keys, events and webhooks of its own. It starts PENDING: payments may be split to it, and the operator has to make it ACTIVE before it withdraws. A sub-account has none of its own. */
    readonly create: (body: CreateSubAccountRequest, options?: CallOptions) => Promise<NewSubAccount>
    /** Get a sub-account. Its wallets, payments and events are read with its own keys, or with the header `sub-account`. */
    readonly get: (id: string, options?: CallOptions) => Promise<SubAccount>
    /** Change a sub-account, suspend it, or close it. `state`: SUSPENDED; PENDING ends a suspension of yours; CLOSED is final, and is refused (409) while anything of it is open; `open` names what. ACTIVE is the operator’s alone (403). */
    readonly change: (id: string, body?: ChangeSubAccountRequest, options?: CallOptions) => Promise<SubAccount>
    /** Get a sub-account’s sums of each currency. What its wallets hold now, and what it owes: `owed` to the operator, `owedToParent` to you. */
    readonly getBalance: (id: string, options?: CallOptions) => Promise<ConsolidatedBalance>
  }
  readonly shares: {
    /** List the shares of a payment. In the order of its splits: at most 20. A payment without splits has none. */
    readonly listPaymentShares: (id: string, options?: CallOptions) => Promise<PaymentShareList>
    /** List your shares of payments of your parent, newest first. For sub-accounts: what they get, without the payment and its payer. Other merchants have none. */
    readonly list: (query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<Share>
  }
  readonly sandbox: {
    /** Pay a payment of the sandbox. Only for merchants of the sandbox. The payment changes a moment later, as it would live. */
    readonly payPayment: (id: string, body?: PaySandboxPaymentRequest, options?: CallOptions) => Promise<SandboxPaymentResult>
    /** Test your server with a script of deliveries. Only for merchants of the sandbox. Sends good, forged, old, repeated and reordered webhooks of made-up payments to `url`, signed by your secret, and judges the answers. Nothing of it is in your books, nor in your events. One rehearsal at a time. */
    readonly createRehearsal: (body: CreateRehearsalRequest, options?: CallOptions) => Promise<Rehearsal>
    /** List rehearsals, newest first. Without their cases. The newest hundred are kept. */
    readonly listRehearsals: (query?: { readonly limit?: number | undefined }, options?: CallOptions) => Pages<RehearsalSummary>
    /** Get a rehearsal. With each case as far as it is. It takes less than a minute if your server answers. */
    readonly getRehearsal: (id: string, options?: CallOptions) => Promise<Rehearsal>
    /** Cancel a rehearsal. Nothing more is sent after the request that is under way. A rehearsal that has ended is refused. */
    readonly cancelRehearsal: (id: string, body?: CancelRehearsalRequest, options?: CallOptions) => Promise<Rehearsal>
    /** Advance the clock of the sandbox. Only for merchants of the sandbox. What is still ahead of the merchant comes closer by the span, and what the span passes happens within seconds, in order: expiry, releases, retries, payout schedules, dates of disputes, and what the simulated providers do. The present does not move: new records, webhooks and the books keep their real time. Advances are carried out one after another. */
    readonly advanceClock: (body: AdvanceSandboxClockRequest, options?: CallOptions) => Promise<ClockAdvance>
    /** Get the clock of the sandbox. How far it was moved in all, and its last advances. Only for merchants of the sandbox. */
    readonly getClock: (options?: CallOptions) => Promise<SandboxClock>
  }
}

/** What a call of each method needs. */
export const operations: { readonly [Group in keyof Resources]: { readonly [Name in keyof Resources[Group]]: OperationRow } } = {
  payments: {
    create: { verb: 'POST', path: '/v1/payments', body: true, key: true },
    list: { verb: 'GET', path: '/v1/payments', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/payments/{id}' },
    listDeposits: { verb: 'GET', path: '/v1/payments/{id}/deposits', query: true, pages: true },
    capture: { verb: 'POST', path: '/v1/payments/{id}/capture', body: true },
    cancel: { verb: 'POST', path: '/v1/payments/{id}/cancel', body: true },
    explain: { verb: 'GET', path: '/v1/payments/{id}/explain', query: true },
  },
  paymentLinks: {
    list: { verb: 'GET', path: '/v1/payment-links', query: true, pages: true },
    create: { verb: 'POST', path: '/v1/payment-links', body: true, key: true },
    get: { verb: 'GET', path: '/v1/payment-links/{id}' },
    archive: { verb: 'POST', path: '/v1/payment-links/{id}/archive', body: true },
  },
  refunds: {
    create: { verb: 'POST', path: '/v1/payments/{id}/refunds', body: true, key: true },
    list: { verb: 'GET', path: '/v1/refunds', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/refunds/{id}' },
    approve: { verb: 'POST', path: '/v1/refunds/{id}/approve', body: true },
    reject: { verb: 'POST', path: '/v1/refunds/{id}/reject', body: true },
    explain: { verb: 'GET', path: '/v1/refunds/{id}/explain', query: true },
  },
  disputes: {
    list: { verb: 'GET', path: '/v1/disputes', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/disputes/{id}' },
    accept: { verb: 'POST', path: '/v1/disputes/{id}/accept', body: true },
    getEvidence: { verb: 'GET', path: '/v1/disputes/{id}/evidence' },
    changeEvidence: { verb: 'PATCH', path: '/v1/disputes/{id}/evidence', body: true },
    addEvidenceFile: { verb: 'POST', path: '/v1/disputes/{id}/evidence/files', body: true },
    submitEvidence: { verb: 'POST', path: '/v1/disputes/{id}/evidence/submit', body: true },
  },
  wallets: {
    list: { verb: 'GET', path: '/v1/wallets', query: true, pages: true },
    create: { verb: 'POST', path: '/v1/wallets', body: true, key: true },
    getBalance: { verb: 'GET', path: '/v1/wallets/balance', query: true },
    getStatement: { verb: 'GET', path: '/v1/wallets/statement', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/wallets/{id}', query: true },
    change: { verb: 'PATCH', path: '/v1/wallets/{id}', body: true },
    getSummary: { verb: 'GET', path: '/v1/wallets/summary', query: true },
    getBalanceHistory: { verb: 'GET', path: '/v1/wallets/balance-history', query: true },
  },
  transfers: {
    create: { verb: 'POST', path: '/v1/transfers', body: true, key: true },
    list: { verb: 'GET', path: '/v1/transfers', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/transfers/{id}' },
  },
  transferGrants: {
    create: { verb: 'POST', path: '/v1/transfer-grants', body: true, key: true },
    list: { verb: 'GET', path: '/v1/transfer-grants', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/transfer-grants/{id}' },
    revoke: { verb: 'POST', path: '/v1/transfer-grants/{id}/revoke', body: true },
  },
  withdrawals: {
    create: { verb: 'POST', path: '/v1/withdrawals', body: true, key: true },
    list: { verb: 'GET', path: '/v1/withdrawals', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/withdrawals/{id}' },
    cancel: { verb: 'POST', path: '/v1/withdrawals/{id}/cancel', body: true },
    approve: { verb: 'POST', path: '/v1/withdrawals/{id}/approve', body: true },
    reject: { verb: 'POST', path: '/v1/withdrawals/{id}/reject', body: true },
    explain: { verb: 'GET', path: '/v1/withdrawals/{id}/explain', query: true },
  },
  withdrawalBatches: {
    create: { verb: 'POST', path: '/v1/withdrawal-batches', body: true, key: true },
    list: { verb: 'GET', path: '/v1/withdrawal-batches', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/withdrawal-batches/{id}' },
    cancel: { verb: 'POST', path: '/v1/withdrawal-batches/{id}/cancel', body: true },
    approve: { verb: 'POST', path: '/v1/withdrawal-batches/{id}/approve', body: true },
    reject: { verb: 'POST', path: '/v1/withdrawal-batches/{id}/reject', body: true },
  },
  payoutSchedules: {
    create: { verb: 'POST', path: '/v1/payout-schedules', body: true, key: true },
    list: { verb: 'GET', path: '/v1/payout-schedules', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/payout-schedules/{id}' },
    change: { verb: 'PATCH', path: '/v1/payout-schedules/{id}', body: true },
  },
  events: {
    list: { verb: 'GET', path: '/v1/events', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/events/{id}' },
  },
  deliveries: {
    list: { verb: 'GET', path: '/v1/events/{id}/deliveries', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/deliveries/{id}' },
    resend: { verb: 'POST', path: '/v1/deliveries/{id}/resend', body: true },
    search: { verb: 'GET', path: '/v1/deliveries', query: true, pages: true },
  },
  eventTypes: {
    list: { verb: 'GET', path: '/v1/event-types' },
  },
  metadataKeys: {
    list: { verb: 'GET', path: '/v1/metadata-keys' },
    declare: { verb: 'PUT', path: '/v1/metadata-keys', body: true },
  },
  requests: {
    list: { verb: 'GET', path: '/v1/requests', query: true, pages: true },
  },
  webhookEndpoints: {
    create: { verb: 'POST', path: '/v1/webhook-endpoints', body: true, key: true },
    list: { verb: 'GET', path: '/v1/webhook-endpoints', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/webhook-endpoints/{id}' },
    change: { verb: 'PATCH', path: '/v1/webhook-endpoints/{id}', body: true },
    delete: { verb: 'DELETE', path: '/v1/webhook-endpoints/{id}' },
    rollWebhookSecret: { verb: 'POST', path: '/v1/webhook-endpoints/{id}/roll-secret', body: true },
    ping: { verb: 'POST', path: '/v1/webhook-endpoints/{id}/ping', body: true },
  },
  webhookRecoveries: {
    create: { verb: 'POST', path: '/v1/webhook-recoveries', body: true },
    list: { verb: 'GET', path: '/v1/webhook-recoveries', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/webhook-recoveries/{id}' },
    cancel: { verb: 'POST', path: '/v1/webhook-recoveries/{id}/cancel', body: true },
  },
  me: {
    get: { verb: 'GET', path: '/v1/me' },
  },
  settings: {
    get: { verb: 'GET', path: '/v1/settings' },
    set: { verb: 'PUT', path: '/v1/settings', body: true },
  },
  keys: {
    create: { verb: 'POST', path: '/v1/keys', body: true, key: true },
    list: { verb: 'GET', path: '/v1/keys', query: true, pages: true },
    get: { verb: 'GET', path: '/v1/keys/{id}' },
    change: { verb: 'PATCH', path: '/v1/keys/{id}', body: true },
    roll: { verb: 'POST', path: '/v1/keys/{id}/roll', body: true, key: true },
    revoke: { verb: 'POST', path: '/v1/keys/{id}/revoke', body: true },
    listSubAccountKeys: { verb: 'GET', path: '/v1/sub-accounts/{id}/keys', query: true, pages: true },
    createSubAccountKey: { verb: 'POST', path: '/v1/sub-accounts/{id}/keys', body: true },
  },
  subAccounts: {
    list: { verb: 'GET', path: '/v1/sub-accounts', query: true, pages: true },
    create: { verb: 'POST', path: '/v1/sub-accounts', body: true, key: true },
    get: { verb: 'GET', path: '/v1/sub-accounts/{id}' },
    change: { verb: 'PATCH', path: '/v1/sub-accounts/{id}', body: true },
    getBalance: { verb: 'GET', path: '/v1/sub-accounts/{id}/balance' },
  },
  shares: {
    listPaymentShares: { verb: 'GET', path: '/v1/payments/{id}/shares' },
    list: { verb: 'GET', path: '/v1/shares', query: true, pages: true },
  },
  sandbox: {
    payPayment: { verb: 'POST', path: '/v1/sandbox/payments/{id}/pay', body: true },
    createRehearsal: { verb: 'POST', path: '/v1/sandbox/rehearsals', body: true },
    listRehearsals: { verb: 'GET', path: '/v1/sandbox/rehearsals', query: true, pages: true },
    getRehearsal: { verb: 'GET', path: '/v1/sandbox/rehearsals/{id}' },
    cancelRehearsal: { verb: 'POST', path: '/v1/sandbox/rehearsals/{id}/cancel', body: true },
    advanceClock: { verb: 'POST', path: '/v1/sandbox/clock', body: true, key: true },
    getClock: { verb: 'GET', path: '/v1/sandbox/clock' },
  },
}
