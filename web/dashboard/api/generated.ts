// Made by scripts/dashboard-calls.ts from the tables of routes. Do not edit: npm run openapi writes it again.
import type { Minor } from '../kit/format.ts'

/** A value of a query: text of the address, which often a person can change. The server checks it. */
export type QueryValue = Minor | string | boolean | undefined
type Query<Name extends string> = { readonly [Each in Name]?: QueryValue }

export type AcceptDisputeRequest = Readonly<Record<string, never>>

export const accountRoles = ['AVAILABLE', 'PENDING', 'HELD', 'RECEIVABLE', 'FEES', 'OUTSIDE'] as const
export type AccountRole = (typeof accountRoles)[number]

export const actorKinds = ['OPERATOR', 'USER', 'API_KEY', 'SYSTEM'] as const
export type ActorKind = (typeof actorKinds)[number]

export type AddDisputeEvidenceFileRequest = {
  readonly kind: DisputeEvidenceFileKind
  readonly name: string
  readonly content: string
}

export type AdvanceSandboxClockRequest = {
  readonly advance: string
}

export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly status: ApiKeyStatus
  readonly scopes: readonly Scope[]
  readonly allowedCidrs?: readonly string[]
  readonly createdAt: string
  readonly createdBy: ApiKeyCreator
  readonly rolledFrom?: string
  readonly lineage: string
  readonly person?: string
  readonly expiresAt?: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
}

export type ApiKeyCreator = {
  readonly kind: ApiKeyMaker
  readonly keyId?: string
  readonly userId?: string
}

export type ApiKeyList = {
  readonly data: readonly ApiKey[]
  readonly nextCursor?: string
}

export const apiKeyMakers = ['API_KEY', 'USER', 'OPERATOR'] as const
export type ApiKeyMaker = (typeof apiKeyMakers)[number]

export const apiKeyStatuses = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const
export type ApiKeyStatus = (typeof apiKeyStatuses)[number]

export const approvalChoices = ['AMOUNT', 'ONE_PERSON', 'SUGGESTED'] as const
export type ApprovalChoice = (typeof approvalChoices)[number]

export type ApproveRefundRequest = Readonly<Record<string, never>>

export type ApproveWithdrawalBatchRequest = Readonly<Record<string, never>>

export type ApproveWithdrawalRequest = Readonly<Record<string, never>>

export type ArchivePaymentLinkRequest = Readonly<Record<string, never>>

export type AuditEntry = {
  readonly id: string
  readonly at: string
  readonly actorKind: ActorKind
  readonly actorId: string
  readonly actorName: string | null
  readonly action: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
  readonly address: string | null
  readonly requestId: string | null
}

export type BalanceDays = {
  readonly interval: string
  readonly timeZone: string
  readonly data: readonly ({
    readonly date: string
    readonly currency: string
    readonly openingBalance: Minor
    readonly inflow?: Minor
    readonly outflow?: Minor
    readonly closingBalance: Minor
  })[]
}

export type BalanceHistory = {
  readonly interval: BalanceHistoryInterval
  readonly timeZone: string
  readonly data: readonly BalanceHistoryEntry[]
}

export type BalanceHistoryEntry = {
  readonly date: string
  readonly currency: Currency
  readonly walletId?: string
  readonly openingBalance: Minor
  readonly inflow: Minor
  readonly outflow: Minor
  readonly closingBalance: Minor
}

export const balanceHistoryIntervals = ['DAY', 'WEEK', 'MONTH'] as const
export type BalanceHistoryInterval = (typeof balanceHistoryIntervals)[number]

export type BankFile = {
  readonly connection: string
  readonly sha256: string
  readonly name: string
  readonly message: string
  readonly state: BankFileState
  readonly reason?: string
  readonly raised?: string
  readonly isCorrection: boolean
  readonly entries: number
  readonly handedInBy: string
  readonly createdAt: string
}

export const bankFileStates = ['IMPORTED', 'REFUSED'] as const
export type BankFileState = (typeof bankFileStates)[number]

export type BatchedWithdrawalRequest = {
  readonly type: WithdrawalType
  /** BRL for PIX, USDT for CRYPTO, EUR for SEPA. */
  readonly currency: Currency
  readonly walletId?: string | undefined
  readonly pixKey?: string | undefined
  readonly cryptoAddress?: string | undefined
  readonly cryptoNetwork?: string | undefined
  readonly cryptoCurrency?: string | undefined
  readonly iban?: string | undefined
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: PixKeyTypeInput | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly webhookUrl?: string | undefined
  readonly amount: Minor
}

export const callMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type CallMethod = (typeof callMethods)[number]

export type CancelPaymentRequest = Readonly<Record<string, never>>

export type CancelRehearsalRequest = Readonly<Record<string, never>>

export type CancelWebhookRecoveryRequest = Readonly<Record<string, never>>

export type CancelWithdrawalBatchRequest = Readonly<Record<string, never>>

export type CancelWithdrawalRequest = Readonly<Record<string, never>>

export const captureModes = ['AUTOMATIC', 'MANUAL'] as const
export type CaptureMode = (typeof captureModes)[number]

export type CapturePaymentRequest = {
  readonly amount?: Minor | undefined
}

export type CataloguedEventType = {
  readonly type: EventType
  readonly description: string
  readonly since: string
  readonly example: Event
}

export type CataloguedEventTypeList = {
  readonly data: readonly CataloguedEventType[]
  readonly nextCursor?: string
}

export const chainAdvices = ['compare_and_lift', 'start_watcher', 'check_node'] as const
export type ChainAdvice = (typeof chainAdvices)[number]

export type ChangeApiKeyRequest = {
  readonly name?: string | undefined
  readonly scopes?: readonly Scope[] | undefined
  readonly allowedCidrs?: readonly string[] | undefined
}

export type ChangeDisputeEvidenceRequest = {
  readonly texts?: DisputeEvidenceTextsRequest | undefined
  readonly removeFiles?: readonly DisputeEvidenceFileKind[] | undefined
}

export type ChangePayoutScheduleRequest = {
  readonly status?: PayoutScheduleStatus | undefined
  readonly keep?: Minor | undefined
  readonly minimum?: Minor | undefined
}

export type ChangeSubAccountRequest = {
  readonly name?: string | undefined
  readonly taxId?: string | undefined
  readonly reference?: string | undefined
  /** The state that it is to have. */
  readonly state?: SubAccountState | undefined
}

export type ChangeWalletRequest = {
  readonly label?: string | undefined
  readonly isActive?: boolean | undefined
}

export type ChangeWebhookEndpointRequest = {
  readonly url?: string | undefined
  readonly eventTypes?: readonly WebhookEndpointEventType[] | undefined
  readonly description?: string | undefined
  readonly status?: WebhookEndpointStatusInput | undefined
}

export type ClockAdvance = {
  readonly id: string
  readonly advance: string
  readonly status: ClockAdvanceStatus
  readonly advancedSeconds: number
  readonly stillDue?: readonly ClockStillDue[]
  readonly providersBehind?: readonly string[]
  readonly createdAt: string
  readonly completedAt?: string
}

export const clockAdvanceStatuses = ['ADVANCING', 'DONE'] as const
export type ClockAdvanceStatus = (typeof clockAdvanceStatuses)[number]

export type ClockStillDue = {
  readonly work: ClockWork
  readonly count: number
}

export const clockWorks = ['PAYMENT_EXPIRY', 'RELEASE', 'PAYOUT_SCHEDULE', 'DELIVERY', 'FAILING_ENDPOINT', 'REFUND', 'WITHDRAWAL', 'CAPTURE', 'CHECK', 'CANCELLATION', 'SIGNAL', 'RECONCILIATION'] as const
export type ClockWork = (typeof clockWorks)[number]

export type Connection = {
  readonly id: string
  readonly method: string
  readonly provider: string
  readonly mode: Mode
  readonly merchantId?: string
  readonly merchantName?: string
  readonly isActive: boolean
  readonly archivedAt?: string
  readonly canRefund: boolean
  readonly hasType: boolean
  readonly settings: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly changedAt: string
  readonly endsAt?: string
  readonly lastGoodAt?: string
  readonly lastBadAt?: string
  readonly lastError?: string
}

export type ConnectionForm = {
  readonly name: string
  readonly method: string
  readonly providers: readonly string[]
  readonly page: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, unknown>>
  readonly refundSecrets?: Readonly<Record<string, unknown>>
}

export type ConsolidatedBalance = {
  readonly data: readonly CurrencyBalance[]
  readonly asOf: string
}

export type ContrastWarning = {
  readonly pointer: string
  readonly code: 'text_contrast' | 'edge_contrast'
  readonly scheme: 'light' | 'dark'
  readonly ratio: number
  readonly needed: number
  readonly shade: string
  readonly message: string
}

export type CreateApiKeyRequest = {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt?: string | undefined
  readonly allowedCidrs?: readonly string[] | undefined
}

export type CreatePaymentLinkRequest = {
  readonly name: string
  readonly description?: string | undefined
  /** Of the amounts. */
  readonly currency: Currency
  readonly amount?: Minor | undefined
  readonly minAmount?: Minor | undefined
  readonly maxAmount?: Minor | undefined
  readonly checkout?: string | undefined
  readonly paymentMethods?: readonly PaymentMethod[] | undefined
  readonly usesMax?: Minor | undefined
  readonly expiresAt?: string | undefined
  readonly expiresIn?: Minor | undefined
  /** Each payment of the link has it. */
  readonly metadata?: Metadata | undefined
  readonly webhookUrl?: string | undefined
  readonly returnUrl?: string | undefined
}

export type CreatePaymentRequest = {
  readonly amount: Minor
  /** Required for CRYPTO and PARTNER_PAY. */
  readonly currency?: Currency | undefined
  readonly paymentMethods?: readonly PaymentMethod[] | undefined
  readonly customerName?: string | undefined
  readonly customerEmail?: string | undefined
  readonly customerTaxId?: string | undefined
  readonly customerPhone?: string | undefined
  readonly customerAddress?: PayerAddressRequest | undefined
  readonly customerCountry?: string | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly captureMode?: CaptureMode | undefined
  readonly items?: readonly PaymentItemRequest[] | undefined
  readonly webhookUrl?: string | undefined
  readonly checkout?: string | undefined
  readonly returnUrl?: string | undefined
  readonly cancelUrl?: string | undefined
  readonly splits?: readonly PaymentSplitRequest[] | undefined
  readonly feePayer?: string | undefined
  readonly expiresIn?: Minor | undefined
}

export type CreatePayoutScheduleRequest = {
  readonly type: WithdrawalType
  /** BRL for PIX, USDT for CRYPTO, EUR for SEPA. */
  readonly currency: Currency
  readonly walletId: string
  readonly pixKey?: string | undefined
  readonly cryptoAddress?: string | undefined
  readonly cryptoNetwork?: string | undefined
  readonly cryptoCurrency?: string | undefined
  readonly iban?: string | undefined
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: PixKeyTypeInput | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly webhookUrl?: string | undefined
  readonly rhythm: PayoutRhythm
  readonly weekday?: Weekday | undefined
  readonly time?: string | undefined
  readonly timeZone?: string | undefined
  readonly above?: Minor | undefined
  readonly keep?: Minor | undefined
  readonly minimum?: Minor | undefined
}

export type CreateRefundRequest = {
  readonly amount?: Minor | undefined
  readonly cryptoAddress?: string | undefined
  readonly iban?: string | undefined
  readonly beneficiary?: string | undefined
  readonly reason?: string | undefined
  readonly coverShortfall?: boolean | undefined
  readonly metadata?: Metadata | undefined
}

export type CreateRehearsalRequest = {
  readonly url: string
  readonly stateUrl?: string | undefined
  readonly seed?: Minor | undefined
  readonly cases?: readonly RehearsalCase[] | undefined
}

export type CreateSubAccountKeyRequest = {
  readonly name: string
  readonly scopes: readonly Scope[]
}

export type CreateSubAccountRequest = {
  readonly name: string
  readonly taxId?: string | undefined
  readonly reference?: string | undefined
}

export type CreateTransferGrantRequest = {
  /** Of the wallets that the parent may take from. */
  readonly currency: Currency
  readonly maxAmount?: Minor | undefined
  readonly expiresAt?: string | undefined
  readonly description?: string | undefined
}

export type CreateTransferRequest = {
  readonly fromWalletId?: string | undefined
  readonly fromSubAccountId?: string | undefined
  readonly toWalletId?: string | undefined
  readonly toSubAccountId?: string | undefined
  readonly amount: Minor
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
}

export type CreateWalletRequest = {
  /** The currency of the wallet. */
  readonly currency: Currency
  readonly walletType: WalletType
  readonly label: string
}

export type CreateWebhookEndpointRequest = {
  readonly url: string
  readonly eventTypes?: readonly WebhookEndpointEventType[] | undefined
  readonly description?: string | undefined
}

export type CreateWebhookRecoveryRequest = {
  readonly endpointId?: string | undefined
  readonly since?: string | undefined
  readonly afterSequence?: Minor | undefined
  readonly until?: string | undefined
  readonly throughSequence?: Minor | undefined
  readonly types?: readonly EventType[] | undefined
  readonly includeDelivered?: boolean | undefined
}

export type CreateWithdrawalBatchRequest = {
  readonly withdrawals: readonly BatchedWithdrawalRequest[]
}

export type CreateWithdrawalRequest = {
  readonly type: WithdrawalType
  /** BRL for PIX, USDT for CRYPTO, EUR for SEPA. */
  readonly currency: Currency
  readonly walletId?: string | undefined
  readonly pixKey?: string | undefined
  readonly cryptoAddress?: string | undefined
  readonly cryptoNetwork?: string | undefined
  readonly cryptoCurrency?: string | undefined
  readonly iban?: string | undefined
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: PixKeyTypeInput | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly webhookUrl?: string | undefined
  readonly amount: Minor
}

export type CreatedPayment = {
  readonly id: string
  readonly mode: Mode
  readonly status: PaymentStatus
  readonly amount: number
  readonly currency: Currency
  readonly paymentMethods: readonly PaymentMethod[]
  readonly cardRedirectUrl?: string
  readonly checkoutUrl?: string
  readonly pixCopyPaste?: string
  readonly pixQrCode?: string
  readonly voucher?: Voucher
  readonly sepa?: SepaTransfer
  readonly lastError?: PaymentError
  readonly checkout?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
  readonly customerPhone?: string
  readonly customerAddress?: CustomerAddress
  readonly customerCountry?: string
  readonly description?: string
  readonly metadata?: Metadata
  readonly captureMode?: CaptureMode
  readonly items?: readonly PaymentItem[]
  readonly webhookUrl?: string
  readonly returnUrl?: string
  readonly cancelUrl?: string
  readonly splits?: readonly PaymentSplit[]
  readonly feePayer?: string
  readonly createdAt: string
  readonly expiresAt?: string
}

export type CreatedWebhookEndpoint = {
  readonly id: string
  readonly mode: Mode
  readonly url: string
  readonly eventTypes?: readonly EventType[]
  readonly description?: string
  readonly status: WebhookEndpointStatus
  readonly disabledReason?: WebhookEndpointDisabledReason
  readonly disabledAt?: string
  readonly failingSince?: string
  readonly previousSecretUntil?: string
  readonly createdAt: string
  readonly version: number
  readonly secret?: string
}

export const currencies = ['BRL', 'EUR', 'USD', 'USDT'] as const
export type Currency = (typeof currencies)[number]

export type CurrencyBalance = {
  readonly currency: Currency
  readonly balance: Minor
  readonly pendingBalance: Minor
  readonly heldBalance: Minor
  readonly owed: Minor
  readonly owedToParent?: Minor
  readonly owedBySubAccounts?: Minor
  readonly byWalletType: readonly WalletTypeBalance[]
}

export type CurrencySummary = {
  readonly currency: Currency
  readonly openingBalance: Minor
  readonly inflow: Minor
  readonly outflow: Minor
  readonly net: Minor
  readonly closingBalance: Minor
  readonly byKind: readonly KindSummary[]
}

export type CustomerAddress = {
  readonly line1: string
  readonly line2?: string
  readonly district?: string
  readonly city: string
  readonly region?: string
  readonly postcode?: string
  readonly country: string
}

export type DeclareMetadataKeysRequest = {
  readonly keys: readonly string[]
}

export type Delivery = {
  readonly id: string
  readonly eventId: string
  readonly endpointId?: string
  readonly url: string
  readonly status: DeliveryStatus
  readonly nextAttemptAt?: string
  readonly attempts: readonly DeliveryAttempt[]
}

export type DeliveryAttempt = {
  readonly at: string
  readonly durationMs: number
  readonly responseStatus?: number
  readonly responseBody?: string
  readonly error?: string
}

export type DeliveryList = {
  readonly data: readonly Delivery[]
  readonly nextCursor?: string
}

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'CANCELED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type Deposit = {
  readonly txHash: string
  readonly amount: string
  readonly confirmations: number
  readonly final: boolean
  readonly at: string
}

export type DepositList = {
  readonly data: readonly Deposit[]
  readonly nextCursor?: string
}

export type Dispute = {
  readonly id: string
  readonly mode: Mode
  readonly paymentId?: string
  readonly status: DisputeStatus
  readonly kind: DisputeKind
  readonly amount: Minor
  readonly currency: Currency
  readonly fee: Minor
  readonly reason?: string
  readonly evidenceDueAt?: string
  readonly createdAt: string
  readonly closedAt?: string
  readonly version: number
  /** In lists with `expand=payment`: the disputed payment. */
  readonly payment?: Payment
}

export type DisputeEvidence = {
  readonly disputeId: string
  readonly status: DisputeEvidenceStatus
  readonly canChange: boolean
  readonly texts: DisputeEvidenceTexts
  readonly files: readonly DisputeEvidenceFile[]
  readonly changedAt?: string
  readonly changedBy?: string
  readonly submittedAt?: string
  readonly submittedBy?: string
  readonly sentAt?: string
  readonly failureMessage?: string
  readonly version: number
}

export type DisputeEvidenceFile = {
  readonly kind: DisputeEvidenceFileKind
  readonly name: string
  readonly type: DisputeEvidenceFileType
  readonly size: number
  readonly sha256: string
  readonly addedAt: string
  readonly addedBy: string
}

export const disputeEvidenceFileKinds = ['RECEIPT', 'CUSTOMER_COMMUNICATION', 'CUSTOMER_SIGNATURE', 'SERVICE_DOCUMENTATION', 'SHIPPING_DOCUMENTATION', 'CANCELLATION_POLICY', 'REFUND_POLICY', 'DUPLICATE_CHARGE_DOCUMENTATION', 'OTHER'] as const
export type DisputeEvidenceFileKind = (typeof disputeEvidenceFileKinds)[number]

export const disputeEvidenceFileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const
export type DisputeEvidenceFileType = (typeof disputeEvidenceFileTypes)[number]

export const disputeEvidenceStatuses = ['NONE', 'DRAFT', 'SENDING', 'SENT', 'REFUSED'] as const
export type DisputeEvidenceStatus = (typeof disputeEvidenceStatuses)[number]

export type DisputeEvidenceTexts = {
  readonly productDescription?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerPurchaseIp?: string
  readonly billingAddress?: string
  readonly accessActivityLog?: string
  readonly serviceDate?: string
  readonly shippingAddress?: string
  readonly shippingCarrier?: string
  readonly shippingDate?: string
  readonly shippingTrackingNumber?: string
  readonly cancellationPolicyDisclosure?: string
  readonly cancellationRebuttal?: string
  readonly refundPolicyDisclosure?: string
  readonly refundRefusalExplanation?: string
  readonly duplicateChargeId?: string
  readonly duplicateChargeExplanation?: string
  readonly statement?: string
}

export type DisputeEvidenceTextsRequest = {
  readonly productDescription?: string | null | undefined
  readonly customerName?: string | null | undefined
  readonly customerEmail?: string | null | undefined
  readonly customerPurchaseIp?: string | null | undefined
  readonly billingAddress?: string | null | undefined
  readonly accessActivityLog?: string | null | undefined
  readonly serviceDate?: string | null | undefined
  readonly shippingAddress?: string | null | undefined
  readonly shippingCarrier?: string | null | undefined
  readonly shippingDate?: string | null | undefined
  readonly shippingTrackingNumber?: string | null | undefined
  readonly cancellationPolicyDisclosure?: string | null | undefined
  readonly cancellationRebuttal?: string | null | undefined
  readonly refundPolicyDisclosure?: string | null | undefined
  readonly refundRefusalExplanation?: string | null | undefined
  readonly duplicateChargeId?: string | null | undefined
  readonly duplicateChargeExplanation?: string | null | undefined
  readonly statement?: string | null | undefined
}

export const disputeKinds = ['CHARGEBACK', 'MED', 'RECALL'] as const
export type DisputeKind = (typeof disputeKinds)[number]

export type DisputeList = {
  readonly data: readonly Dispute[]
  readonly nextCursor?: string
}

export const disputeStatuses = ['OPEN', 'WON', 'LOST'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export type Event = {
  readonly id: string
  readonly type: EventType
  readonly timestamp: string
  readonly mode: Mode
  readonly sequence: number
  readonly erasedAt?: string
  readonly data: Readonly<Record<string, unknown>>
}

export type EventList = {
  readonly data: readonly Event[]
  readonly nextCursor?: string
  readonly readTo: number
}

export const eventTypes = ['payment.waiting', 'payment.approved', 'payment.completed', 'payment.expired', 'payment.failed', 'payment.canceled', 'payment.underpaid', 'payment.received_after_close', 'refund.created', 'refund.completed', 'refund.failed', 'dispute.opened', 'dispute.won', 'dispute.lost', 'withdrawal.created', 'withdrawal.approval_required', 'withdrawal.processing', 'withdrawal.completed', 'withdrawal.failed', 'withdrawal.canceled', 'withdrawal.returned', 'wallet.created', 'transfer.completed', 'transfer_grant.created', 'transfer_grant.revoked', 'share.credited', 'share.returned', 'webhook_endpoint.disabled', 'webhook_endpoint.ping', 'service.restored'] as const
export type EventType = (typeof eventTypes)[number]

export const explainedKinds = ['PAYMENT', 'REFUND', 'WITHDRAWAL'] as const
export type ExplainedKind = (typeof explainedKinds)[number]

export type Explanation = {
  readonly id: string
  readonly kind: ExplainedKind
  readonly status: string
  readonly language: Language
  readonly summary: string
  readonly steps: readonly Step[]
  readonly truncated?: boolean
  readonly nextCursor?: string
}

export const factorMethods = ['totp', 'passkey', 'recovery_code'] as const
export type FactorMethod = (typeof factorMethods)[number]

export const feeMethods = ['PIX', 'CREDIT_CARD', 'CRYPTO', 'PARTNER_PAY', 'MULTIBANCO', 'MB_WAY', 'IDEAL', 'BANCONTACT', 'BIZUM', 'BOLETO', 'SEPA_TRANSFER', 'PIX_WITHDRAWAL', 'CRYPTO_WITHDRAWAL', 'SEPA_WITHDRAWAL'] as const
export type FeeMethod = (typeof feeMethods)[number]

export type ForeignMoney = {
  readonly id: string
  readonly connection: string
  readonly entry: string
  readonly amount: string
  readonly currency: string
  readonly bookedOn: string
  readonly wrote: string
  readonly party: string
  readonly createdAt: string
}

export const foundBies = ['ID', 'LINK', 'ORDER', 'NAME', 'EMAIL', 'REFERENCE'] as const
export type FoundBy = (typeof foundBies)[number]

export type FoundRecords = {
  readonly data: readonly ({
    readonly kind: RecordKind
    readonly id: string
    readonly by: FoundBy
  })[]
}

export const freezeKinds = ['FREEZE', 'SUSPENSION', 'RESTORE'] as const
export type FreezeKind = (typeof freezeKinds)[number]

export const haltKeys = ['finality_changed', 'nonce_taken', 'nonce_unknown', 'transfer_missing'] as const
export type HaltKey = (typeof haltKeys)[number]

export type HaltReason = {
  readonly key: HaltKey
  readonly values: Readonly<Record<string, string>>
}

export const heldDecisions = ['NEW', 'SAME'] as const
export type HeldDecision = (typeof heldDecisions)[number]

export type HeldMovement = {
  readonly connection: string
  readonly entry: string
  readonly amount: Minor
  readonly currency: Currency
  readonly bookedOn: string
  readonly wrote: string
  readonly party: string
  readonly like?: {
    readonly entry: string
    readonly amount: Minor
    readonly bookedOn: string
    readonly wrote: string
  }
  readonly createdAt: string
}

export type Invitation = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
  readonly endsAt: string
}

export const jobFailureKeys = ['worker_ended', 'too_long', 'result_too_large', 'connection_unknown', 'nothing_to_test', 'nothing_to_register', 'receives_nothing', 'address_refused', 'which_chain', 'chain_not_connected', 'no_gas_wallet', 'no_address', 'chain_not_followed', 'files_gone', 'problem', 'provider_refused', 'provider_unavailable', 'broke'] as const
export type JobFailureKey = (typeof jobFailureKeys)[number]

export const jobKinds = ['connection.test', 'connection.register', 'verify', 'sweep', 'rescue', 'balances', 'statement.import'] as const
export type JobKind = (typeof jobKinds)[number]

export const jobStatuses = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELED'] as const
export type JobStatus = (typeof jobStatuses)[number]

export type KindSummary = {
  readonly kind: StatementEntryKind
  readonly count: number
  readonly inflow: Minor
  readonly outflow: Minor
}

export const languages = ['pt-BR', 'en', 'es'] as const
export type Language = (typeof languages)[number]

export const linkKinds = ['INVITATION', 'RESET', 'SIGN_IN'] as const
export type LinkKind = (typeof linkKinds)[number]

export type ListedWithdrawalBatch = {
  readonly id: string
  readonly status: WithdrawalBatchStatus
  readonly count: number
  readonly createdAt: string
}

export type ListedWithdrawalBatchList = {
  readonly data: readonly ListedWithdrawalBatch[]
  readonly nextCursor?: string
}

export type LoggedCall = {
  readonly receivedAt: string
  readonly durationMs: number
  readonly method: CallMethod
  readonly path: string
  readonly status?: number
  readonly code?: ProblemCode
  readonly keyId: string
  readonly requestId: string
}

export type LoggedCallList = {
  readonly data: readonly LoggedCall[]
  readonly nextCursor?: string
}

export type MailChoice = {
  readonly canSend: boolean
  readonly notices: readonly MailNoticeChoice[]
  readonly receipts: boolean
}

export const mailNotices = ['WITHDRAWAL_APPROVAL', 'DISPUTE_OPENED', 'DISPUTE_DUE', 'ENDPOINT_FAILING', 'ENDPOINT_DISABLED', 'KEY_EXPIRING'] as const
export type MailNotice = (typeof mailNotices)[number]

export type MailNoticeChoice = {
  readonly kind: MailNotice
  readonly isOn: boolean
}

export type Member = {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly createdAt: string
  readonly isDisabled: boolean
  readonly hasSecondFactor: boolean
  readonly keyId?: string
}

export type MemberKey = {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly lastUsedAt?: string
  readonly subAccount?: string
}

export type MerchantLimit = {
  readonly type: WithdrawalType
  readonly currency: Currency
  readonly each?: Minor
  readonly day?: Minor
  readonly approvalAbove?: Minor
  readonly approvalChoice?: ApprovalChoice
  readonly listedOnly: boolean
  readonly spentToday: Minor
}

export type MerchantWebhookSecret = {
  readonly secret: string
}

export type Metadata = Readonly<Record<string, unknown>>

export type MetadataKey = {
  readonly key: string
  readonly status: MetadataKeyStatus
  readonly declaredAt: string
  readonly filledUntil?: string
}

export type MetadataKeyList = {
  readonly data: readonly MetadataKey[]
}

export const metadataKeyStatuses = ['FILLING', 'READY'] as const
export type MetadataKeyStatus = (typeof metadataKeyStatuses)[number]

export const modes = ['LIVE', 'SANDBOX'] as const
export type Mode = (typeof modes)[number]

export type MonthReport = {
  readonly month: string
  readonly timeZone: string
  readonly from: string
  readonly to: string
  readonly wallets: readonly ({
    readonly walletId: string
    readonly label: string
    readonly currency: string
    readonly openingBalance: Minor
    readonly closingBalance: Minor
    readonly byKind: readonly ({
      readonly kind: StatementEntryKind
      readonly count: number
      readonly inflow: Minor
      readonly outflow: Minor
    })[]
    readonly byMethod?: readonly ({
      readonly kind: StatementEntryKind
      readonly count: number
      readonly inflow: Minor
      readonly outflow: Minor
      readonly method?: string
    })[]
  })[]
}

export type NewApiKey = {
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly status: ApiKeyStatus
  readonly scopes: readonly Scope[]
  readonly allowedCidrs?: readonly string[]
  readonly createdAt: string
  readonly createdBy: ApiKeyCreator
  readonly rolledFrom?: string
  readonly lineage: string
  readonly person?: string
  readonly expiresAt?: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
  readonly key?: string
}

export type NewSubAccount = {
  readonly id: string
  readonly mode: Mode
  readonly name: string
  readonly state: SubAccountState
  readonly taxId?: string
  readonly reference?: string
  readonly suspendedBy?: SubAccountSuspender
  readonly createdAt: string
  readonly activatedAt?: string
  readonly version: number
  readonly webhookSecret?: string
}

export const nextSteps = ['done', 'second_factor', 'sign_in'] as const
export type NextStep = (typeof nextSteps)[number]

export type OperatorAuditEntry = {
  readonly id: string
  readonly at: string
  readonly actorKind: string
  readonly actorId: string
  readonly actorName?: string
  readonly action: string
  readonly subject: string
  readonly merchantId?: string
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly reason?: string
  readonly address?: string
  readonly requestId?: string
}

export type OperatorJob = {
  readonly id: string
  readonly kind: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly requestedBy: {
    readonly kind: string
    readonly id: string
  }
  readonly status: JobStatus
  readonly isCancelRequested: boolean
  readonly progress?: {
    readonly key: string
    readonly values?: Readonly<Record<string, string | number>>
    readonly done?: number
    readonly total?: number
  }
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: string
  readonly failure?: {
    readonly key: JobFailureKey
    readonly values?: Readonly<Record<string, string | number>>
    readonly isUnsure?: boolean
  }
  readonly createdAt: string
  readonly startedAt?: string
  readonly endedAt?: string
}

export type OperatorMerchant = {
  readonly id: string
  readonly mode: Mode
  readonly name: string
  readonly createdAt: string
  readonly isSuspended: boolean
  readonly isFrozen: boolean
  readonly archivedAt?: string
}

export type OperatorRefund = {
  readonly id: string
  readonly mode: Mode
  readonly paymentId: string
  readonly status: RefundStatus
  readonly amount: Minor
  readonly currency: Currency
  readonly cryptoAddress?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
  readonly iban?: string
  readonly beneficiary?: string
  readonly txHash?: string
  readonly reason?: string
  readonly metadata?: Metadata
  readonly approvalRequired?: boolean
  readonly failureCode?: string
  readonly failureMessage?: string
  readonly createdAt: string
  readonly completedAt?: string
  readonly version: number
  /** In lists with `expand=payment`: the payment whose money goes back. */
  readonly payment?: Payment
  readonly merchantId: string
  readonly method: string
  readonly connection: string
  readonly paidRef: string
  readonly sends?: number
  readonly maybeSent?: number
  readonly merchantName?: string
  readonly cause?: PayoutCause
  readonly acts: readonly PayoutAct[]
  readonly dueAt?: string
  readonly detail?: string
  readonly needsTwo: boolean
}

export type OperatorWithdrawal = {
  readonly id: string
  readonly mode: Mode
  readonly type: WithdrawalType
  readonly status: WithdrawalStatus
  readonly amount: number
  readonly fee: Minor
  readonly totalDebited: Minor
  readonly currency: Currency
  readonly walletId: string
  readonly batchId?: string
  readonly payoutScheduleId?: string
  readonly pixKey?: string
  readonly cryptoAddress?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
  readonly iban?: string
  readonly beneficiary?: string
  readonly pixKeyType?: PixKeyType
  readonly description?: string
  readonly metadata?: Metadata
  readonly webhookUrl?: string
  readonly providerRef?: string
  readonly endToEndId?: string
  readonly txHash?: string
  readonly failureCode?: string
  readonly failureMessage?: string
  readonly amountReturned?: Minor
  readonly reviewRequired?: boolean
  readonly createdAt: string
  readonly completedAt?: string
  readonly version: number
  readonly merchantId: string
  readonly connection?: string
  readonly reference: string
  readonly destination: string
  readonly note?: string
  readonly merchantName?: string
  readonly cause?: PayoutCause
  readonly acts: readonly PayoutAct[]
  readonly dueAt?: string
  readonly detail?: string
  readonly needsTwo: boolean
}

export type Overview = {
  readonly span: OverviewSpan
  readonly timeZone: string
  readonly asOf: string
  readonly lagMs: number
  readonly createdFrom?: string
  readonly present: SpanFigures
  readonly before: SpanFigures
  readonly days: readonly ({
    readonly date: string
    readonly figure: string
    readonly count: number
    readonly amount: Minor
    readonly method?: string
    readonly currency?: string
  })[]
  readonly medianError: number
  readonly wallets?: readonly Wallet[]
  readonly balanceHistory?: BalanceDays
  readonly attention: {
    readonly endpoints?: {
      readonly count: number
      readonly isMore: boolean
      readonly first: readonly ({
        readonly id: string
        readonly url: string
        readonly state: string
        readonly since: string
      })[]
    }
    readonly withdrawals?: {
      readonly count: number
      readonly isMore: boolean
      readonly first: readonly ({
        readonly id: string
        readonly type: string
        readonly currency: string
        readonly amount: Minor
        readonly createdAt: string
      })[]
    }
    readonly refunds: {
      readonly count: number
      readonly isMore: boolean
      readonly first: readonly ({
        readonly id: string
        readonly currency: string
        readonly amount: Minor
        readonly createdAt: string
      })[]
    }
    readonly disputes: {
      readonly count: number
      readonly isMore: boolean
      readonly first: readonly ({
        readonly id: string
        readonly currency: string
        readonly amount: Minor
        readonly createdAt: string
        readonly evidenceDueAt?: string
      })[]
    }
    readonly underpaid: {
      readonly count: number
      readonly isMore: boolean
      readonly first: readonly ({
        readonly id: string
        readonly status: string
        readonly currency: string
        readonly amount: Minor
        readonly received: Minor
      })[]
    }
    readonly suspended?: {
      readonly count: number
      readonly isMore: boolean
      readonly first: readonly ({
        readonly id: string
        readonly connection: string
        readonly currency: string
        readonly amount: Minor
        readonly recordedAt: string
      })[]
    }
  }
}

export const overviewSpans = ['today', '7d', '30d', '90d'] as const
export type OverviewSpan = (typeof overviewSpans)[number]

export type ParkedSignal = {
  readonly id: string
  readonly method: string
  readonly connection: string
  readonly receivedAt: string
  readonly tries: number
  readonly lastError?: string
  readonly body: string
  readonly bodySha256: string
}

export type PaySandboxPaymentRequest = {
  readonly amount?: Minor | undefined
  readonly scenario?: SandboxScenario | undefined
  /** Of a checkout: what the payer chooses. Required until a method was chosen, but for `expire`. */
  readonly method?: PaymentMethod | undefined
}

export type PayerAddressRequest = {
  readonly line1: string
  readonly line2?: string | undefined
  readonly district?: string | undefined
  readonly city: string
  readonly region?: string | undefined
  readonly postcode?: string | undefined
  readonly country: string
}

export type Payment = {
  readonly id: string
  readonly mode: Mode
  readonly status: PaymentStatus
  readonly amount: number
  readonly currency: Currency
  readonly paymentMethods: readonly PaymentMethod[]
  /** The one that is or was used. */
  readonly paymentMethod?: PaymentMethod
  readonly amountReceived: Minor
  readonly amountRefunded: Minor
  readonly amountRefundPending: Minor
  readonly refundStatus: PaymentRefundStatus
  readonly exceptions: readonly PaymentException[]
  readonly fee: Minor
  readonly netAmount: Minor
  readonly paymentLinkId?: string
  readonly walletId?: string
  readonly checkout?: string
  readonly customerName?: string
  readonly customerEmail?: string
  readonly customerTaxId?: string
  readonly customerPhone?: string
  readonly customerAddress?: CustomerAddress
  readonly customerCountry?: string
  readonly description?: string
  readonly metadata?: Metadata
  readonly captureMode?: CaptureMode
  readonly items?: readonly PaymentItem[]
  readonly webhookUrl?: string
  readonly returnUrl?: string
  readonly cancelUrl?: string
  readonly splits?: readonly PaymentSplit[]
  readonly feePayer?: string
  readonly payerErasedAt?: string
  readonly cardRedirectUrl?: string
  readonly checkoutUrl?: string
  readonly pixCopyPaste?: string
  readonly pixQrCode?: string
  readonly endToEndIds?: readonly string[]
  readonly card?: PaymentCard
  readonly voucher?: Voucher
  readonly cryptoAddress?: string
  readonly cryptoAmount?: string
  readonly cryptoAmountToken?: string
  readonly cryptoDecimals?: number
  readonly cryptoContract?: string
  readonly cryptoChainId?: number
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
  readonly cryptoReceived?: string
  readonly depositCount?: number
  readonly deposits?: readonly Deposit[]
  readonly sepa?: SepaTransfer
  readonly onchainTxHash?: string
  readonly lastError?: PaymentError
  readonly createdAt: string
  readonly expiresAt?: string
  readonly approvedAt?: string
  readonly paidAt?: string
  readonly version: number
}

export type PaymentCard = {
  readonly brand?: string
  readonly last4?: string
  readonly threeDSecure?: string
}

export type PaymentError = {
  readonly code: string
  readonly message: string
}

export const paymentExceptions = ['UNDERPAID', 'OVERPAID', 'LATE', 'DUPLICATE'] as const
export type PaymentException = (typeof paymentExceptions)[number]

export type PaymentFile = {
  readonly id: string
  readonly connection: string
  readonly payouts: number
  readonly amount: Minor
  readonly madeBy: string
  readonly createdAt: string
  readonly takenBy?: string
  readonly takenAt?: string
}

export type PaymentItem = {
  readonly name: string
  readonly quantity: number
  readonly amount: number
}

export type PaymentItemRequest = {
  readonly name: string
  readonly quantity: Minor
  readonly amount: Minor
}

export type PaymentLink = {
  readonly id: string
  readonly mode: Mode
  readonly status: PaymentLinkStatus
  readonly url: string
  readonly qrCodeUrl: string
  readonly name: string
  readonly description?: string
  readonly currency: Currency
  readonly amount?: number
  readonly minAmount?: number
  readonly maxAmount?: number
  readonly checkout: string
  readonly paymentMethods?: readonly PaymentMethod[]
  readonly usesMax?: number
  readonly uses: PaymentLinkUses
  readonly expiresAt?: string
  readonly expiresIn: number
  readonly metadata?: Metadata
  readonly webhookUrl?: string
  readonly returnUrl?: string
  readonly createdAt: string
  readonly archivedAt?: string
}

export type PaymentLinkList = {
  readonly data: readonly PaymentLink[]
  readonly nextCursor?: string
}

export const paymentLinkStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'ARCHIVED'] as const
export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number]

export type PaymentLinkUses = {
  readonly paid: number
  readonly open: number
}

export type PaymentList = {
  readonly data: readonly Payment[]
  readonly nextCursor?: string
}

export const paymentMethods = ['PIX', 'CREDIT_CARD', 'CRYPTO', 'PARTNER_PAY', 'MULTIBANCO', 'MB_WAY', 'IDEAL', 'BANCONTACT', 'BIZUM', 'BOLETO', 'SEPA_TRANSFER'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

export const paymentRefundStatuses = ['NONE', 'PARTIAL', 'FULL'] as const
export type PaymentRefundStatus = (typeof paymentRefundStatuses)[number]

export type PaymentShare = {
  readonly id: string
  readonly walletId: string
  readonly currency: Currency
  readonly amount?: number
  readonly percent?: string
  readonly label?: string
  readonly amountCredited: Minor
  readonly amountPending: Minor
  readonly fee: Minor
  readonly version: number
  readonly createdAt: string
  readonly paymentId: string
  readonly subAccountId: string
  readonly amountReturned: Minor
  readonly amountKept?: Minor
  readonly amountCovered: Minor
}

export type PaymentShareList = {
  readonly data: readonly PaymentShare[]
  readonly nextCursor?: string
}

export type PaymentSplit = {
  readonly subAccountId: string
  readonly walletId?: string
  readonly amount?: number
  readonly percent?: string
  readonly label?: string
}

export type PaymentSplitRequest = {
  readonly subAccountId: string
  readonly walletId?: string | undefined
  readonly amount?: Minor | undefined
  readonly percent?: string | undefined
  readonly label?: string | undefined
}

export const paymentStatuses = ['PENDING', 'WAITING_PAYMENT', 'APPROVED', 'PAID', 'EXPIRED', 'FAILED', 'CANCELED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const payoutActs = ['retry', 'stop', 'end', 'prove'] as const
export type PayoutAct = (typeof payoutActs)[number]

export const payoutCauses = ['approval', 'disputed', 'frozen', 'wallet_stopped', 'wallet_waits', 'queued', 'on_chain', 'nonce_taken', 'stopping', 'waits_for_file', 'in_file', 'settling', 'long_unknown', 'unknown', 'not_sent'] as const
export type PayoutCause = (typeof payoutCauses)[number]

export const payoutRhythms = ['DAILY', 'WEEKLY', 'ABOVE'] as const
export type PayoutRhythm = (typeof payoutRhythms)[number]

export type PayoutSchedule = {
  readonly id: string
  readonly mode: Mode
  readonly status: PayoutScheduleStatus
  readonly walletId: string
  readonly currency: Currency
  readonly type: WithdrawalType
  readonly pixKey?: string
  readonly cryptoAddress?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
  readonly iban?: string
  readonly beneficiary?: string
  readonly pixKeyType?: PixKeyType
  readonly description?: string
  readonly metadata?: Metadata
  readonly webhookUrl?: string
  readonly rhythm: PayoutRhythm
  readonly weekday?: Weekday
  readonly time?: string
  readonly timeZone?: string
  readonly above?: number
  readonly keep: number
  readonly minimum: number
  readonly nextRunAt?: string
  readonly lastRunAt?: string
  readonly lastOutcome?: PayoutScheduleOutcome
  readonly lastWithdrawalId?: string
  readonly createdAt: string
  readonly version: number
}

export type PayoutScheduleList = {
  readonly data: readonly PayoutSchedule[]
  readonly nextCursor?: string
}

export const payoutScheduleOutcomes = ['REQUESTED', 'NOTHING_TO_PAY', 'NOT_LISTED', 'FROZEN', 'NOT_AVAILABLE', 'REFUSED'] as const
export type PayoutScheduleOutcome = (typeof payoutScheduleOutcomes)[number]

export const payoutScheduleStatuses = ['ACTIVE', 'PAUSED', 'ENDED'] as const
export type PayoutScheduleStatus = (typeof payoutScheduleStatuses)[number]

export type PingWebhookEndpointRequest = Readonly<Record<string, never>>

export const pixKeyTypes = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'] as const
export type PixKeyType = (typeof pixKeyTypes)[number]

export const pixKeyTypeInputs = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP', 'RANDOM'] as const
export type PixKeyTypeInput = (typeof pixKeyTypeInputs)[number]

export const problemCodes = ['invalid_request', 'unauthenticated', 'forbidden', 'address_not_allowed', 'frozen', 'merchant_suspended', 'not_found', 'method_not_allowed', 'request_timeout', 'idempotency_conflict', 'invalid_state', 'payload_too_large', 'unsupported_media_type', 'headers_too_large', 'currency_not_supported', 'method_not_available', 'network_not_supported', 'checkout_not_found', 'insufficient_funds', 'wallet_not_spendable', 'limit_exceeded', 'destination_not_allowed', 'transfer_not_granted', 'split_refused', 'refund_exceeds_payment', 'rate_limited', 'internal', 'provider_unavailable', 'unavailable'] as const
export type ProblemCode = (typeof problemCodes)[number]

export type Proposal = {
  readonly id: string
  readonly kind: ProposalKind
  readonly subject: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly by: {
    readonly kind: string
    readonly id: string
    readonly name: string
  }
  readonly createdAt: string
  readonly money?: {
    readonly amount: Minor
    readonly currency: Currency
    readonly providerRef: string
  }
  readonly isOwn: boolean
}

export const proposalKinds = ['suspense.credit', 'suspense.return', 'end.withdrawal', 'end.refund', 'unrecorded.charge', 'unrecorded.write-off', 'unrecorded.return', 'terms.limit', 'terms.destination-add', 'terms.destination-remove', 'terms.fee', 'freeze.end', 'statement.correct'] as const
export type ProposalKind = (typeof proposalKinds)[number]

export const queueNames = ['inbox', 'parked', 'deliveries', 'refunds', 'withdrawals', 'checks', 'closings', 'captures', 'evidence', 'recoveries', 'jobs'] as const
export type QueueName = (typeof queueNames)[number]

export const recordKinds = ['PAYMENT', 'REFUND', 'WITHDRAWAL', 'DISPUTE', 'PAYMENT_LINK', 'WALLET', 'WITHDRAWAL_BATCH', 'EVENT', 'DELIVERY'] as const
export type RecordKind = (typeof recordKinds)[number]

export type Refund = {
  readonly id: string
  readonly mode: Mode
  readonly paymentId: string
  readonly status: RefundStatus
  readonly amount: Minor
  readonly currency: Currency
  readonly cryptoAddress?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
  readonly iban?: string
  readonly beneficiary?: string
  readonly txHash?: string
  readonly reason?: string
  readonly metadata?: Metadata
  readonly approvalRequired?: boolean
  readonly failureCode?: string
  readonly failureMessage?: string
  readonly createdAt: string
  readonly completedAt?: string
  readonly version: number
  /** In lists with `expand=payment`: the payment whose money goes back. */
  readonly payment?: Payment
}

export const refundEnds = ['sent', 'refused'] as const
export type RefundEnd = (typeof refundEnds)[number]

export type RefundList = {
  readonly data: readonly Refund[]
  readonly nextCursor?: string
}

export const refundStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const
export type RefundStatus = (typeof refundStatuses)[number]

export type Rehearsal = {
  readonly id: string
  readonly mode: Mode
  readonly status: RehearsalStatus
  readonly url: string
  readonly stateUrl?: string
  readonly seed: number
  readonly passed: number
  readonly failed: number
  readonly notJudged: number
  readonly createdAt: string
  readonly endedAt?: string
  readonly cases: readonly RehearsalCaseResult[]
}

export const rehearsalCases = ['GOOD_DELIVERY', 'RAW_BODY', 'TWO_SIGNATURES', 'FORGED_DELIVERY', 'OLD_DELIVERY', 'REPLAYED_DELIVERY', 'NEW_TYPE', 'NEW_FIELD', 'MANY_AT_ONCE', 'DUPLICATED_DELIVERY', 'REORDERED_DELIVERIES', 'LATE_PAYMENT', 'SPLIT_PAYMENT', 'PAID_TWICE', 'REFUND_AND_DISPUTE'] as const
export type RehearsalCase = (typeof rehearsalCases)[number]

export type RehearsalCaseResult = {
  readonly case: RehearsalCase
  readonly title: string
  readonly status: RehearsalCaseStatus
  readonly expected: string
  readonly observed?: string
  readonly fix?: string
  readonly docs: string
  readonly deliveries: readonly RehearsalDelivery[]
}

export const rehearsalCaseStatuses = ['WAITING', 'RUNNING', 'PASSED', 'FAILED', 'NOT_JUDGED', 'SKIPPED'] as const
export type RehearsalCaseStatus = (typeof rehearsalCaseStatuses)[number]

export type RehearsalDelivery = {
  readonly what: string
  readonly type: string
  readonly durationMs: number
  readonly responseStatus?: number
  readonly responseBody?: string
  readonly error?: string
}

export const rehearsalStatuses = ['RUNNING', 'PASSED', 'FAILED', 'INCOMPLETE', 'CANCELED'] as const
export type RehearsalStatus = (typeof rehearsalStatuses)[number]

export type RehearsalSummary = {
  readonly id: string
  readonly mode: Mode
  readonly status: RehearsalStatus
  readonly url: string
  readonly stateUrl?: string
  readonly seed: number
  readonly passed: number
  readonly failed: number
  readonly notJudged: number
  readonly createdAt: string
  readonly endedAt?: string
}

export type RehearsalSummaryList = {
  readonly data: readonly RehearsalSummary[]
  readonly nextCursor?: string
}

export type RejectRefundRequest = Readonly<Record<string, never>>

export type RejectWithdrawalBatchRequest = Readonly<Record<string, never>>

export type RejectWithdrawalRequest = Readonly<Record<string, never>>

export const reportedOutcomes = ['seen', 'orphaned', 'authorised', 'voided', 'paid', 'declined', 'refunded', 'refund_failed', 'dispute_opened', 'dispute_taken', 'dispute_won', 'dispute_lost'] as const
export type ReportedOutcome = (typeof reportedOutcomes)[number]

export type ResendDeliveryRequest = Readonly<Record<string, never>>

export type ReviewPayoutScheduleAnswer = {
  readonly outcome: PayoutSchedule
  readonly isMade?: true
  readonly approvers?: readonly string[]
}

export type ReviewRefundAnswer = {
  readonly outcome: Refund
  readonly isMade?: true
  readonly approvers?: readonly string[]
}

export type ReviewWithdrawalAnswer = {
  readonly outcome: Withdrawal
  readonly isMade?: true
  readonly approvers?: readonly string[]
}

export type ReviewWithdrawalBatchAnswer = {
  readonly outcome: WithdrawalBatch
  readonly isMade?: true
  readonly approvers?: readonly string[]
}

export type RevokeApiKeyRequest = Readonly<Record<string, never>>

export type RevokeTransferGrantRequest = Readonly<Record<string, never>>

export const roles = ['OWNER', 'ADMIN', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER'] as const
export type Role = (typeof roles)[number]

export type RollApiKeyRequest = {
  readonly overlapHours?: Minor | undefined
  readonly expiresAt?: string | undefined
}

export type RollWebhookSecretRequest = {
  readonly overlapHours?: Minor | undefined
}

export type RolledWebhookEndpoint = {
  readonly id: string
  readonly mode: Mode
  readonly url: string
  readonly eventTypes?: readonly EventType[]
  readonly description?: string
  readonly status: WebhookEndpointStatus
  readonly disabledReason?: WebhookEndpointDisabledReason
  readonly disabledAt?: string
  readonly failingSince?: string
  readonly previousSecretUntil?: string
  readonly createdAt: string
  readonly version: number
  readonly secret: string
}

export type SandboxClock = {
  readonly advancedSeconds: number
  readonly data: readonly ClockAdvance[]
}

export type SandboxPaymentResult = {
  readonly paymentId: string
  readonly scenario: SandboxScenario
  readonly txHashes?: readonly string[]
  readonly endToEndIds?: readonly string[]
}

export const sandboxScenarios = ['exact', 'under', 'over', 'twice', 'late', 'lost_webhook', 'repeated_webhook', 'med', 'success', 'decline', 'insufficient_funds', 'challenge', 'dispute', 'reorged', 'confirm', 'refuse', 'approve', 'slow', 'fail', 'leave', 'no_reference', 'typo', 'expire'] as const
export type SandboxScenario = (typeof sandboxScenarios)[number]

export const scopes = ['payments:read', 'payments:write', 'wallets:read', 'wallets:write', 'withdrawals:read', 'withdrawals:write', 'withdrawals:approve', 'webhooks:read', 'webhooks:write', 'requests:read', 'keys:read', 'keys:write', 'subaccounts:read', 'subaccounts:write', 'subaccounts:act', 'sandbox'] as const
export type Scope = (typeof scopes)[number]

export type SecondFactor = {
  readonly totp?: string | undefined
  readonly recoveryCode?: string | undefined
  readonly passkey?: Readonly<Record<string, unknown>> | undefined
}

export type Sender = {
  readonly method: PaymentMethod
  readonly refundable: Minor
  readonly iban?: string
  readonly beneficiary?: string
  readonly cryptoAddress?: string
}

export type Senders = {
  readonly senders: readonly Sender[]
}

export type SepaTransfer = {
  readonly iban: string
  readonly bic?: string
  readonly beneficiary: string
  readonly reference: string
  readonly epcQrCode?: string
}

export type SetSettingsRequest = {
  readonly returnUrl?: string | undefined
  readonly legalName?: string | undefined
  readonly taxId?: string | undefined
  readonly country?: string | undefined
}

export type Settings = {
  readonly returnUrl?: string
  readonly legalName?: string
  readonly taxId?: string
  readonly country?: string
}

export type Setup = {
  readonly isHidden: boolean
  readonly steps: readonly ({
    readonly step: SetupStep
    readonly isDone: boolean
  })[]
}

export const setupSteps = ['CHECKOUT', 'PAYMENT', 'KEY', 'ENDPOINT', 'APPROVAL', 'TEAM'] as const
export type SetupStep = (typeof setupSteps)[number]

export type Share = {
  readonly id: string
  readonly walletId: string
  readonly currency: Currency
  readonly amount?: number
  readonly percent?: string
  readonly label?: string
  readonly amountCredited: Minor
  readonly amountPending: Minor
  readonly fee: Minor
  readonly version: number
  readonly createdAt: string
}

export type ShareList = {
  readonly data: readonly Share[]
  readonly nextCursor?: string
}

export type SignInStep = {
  readonly next: NextStep
  readonly methods?: readonly FactorMethod[]
}

export type SpanFigures = {
  readonly from: string
  readonly to: string
  readonly created: readonly ({
    readonly currency: string
    readonly count: number
  })[]
  readonly paid: readonly ({
    readonly count: number
    readonly amount: Minor
    readonly currency: string
    readonly method: string
  })[]
  readonly success: readonly ({
    readonly method: string
    readonly ended: number
    readonly paid: number
    readonly rate?: number
  })[]
  readonly timeToPaid: readonly ({
    readonly method: string
    readonly count: number
    readonly medianMs: number
  })[]
  readonly refunded: readonly ({
    readonly count: number
    readonly amount: Minor
    readonly currency: string
    readonly method: string
  })[]
  readonly disputed: readonly ({
    readonly count: number
    readonly amount: Minor
    readonly currency: string
  })[]
  readonly disputesWon: readonly ({
    readonly count: number
    readonly amount: Minor
    readonly currency: string
  })[]
  readonly disputesLost: readonly ({
    readonly count: number
    readonly amount: Minor
    readonly currency: string
  })[]
  readonly withdrawn: readonly ({
    readonly count: number
    readonly amount: Minor
    readonly currency: string
    readonly method: string
  })[]
}

export type StatementEntry = {
  readonly id: string
  readonly walletId: string
  readonly currency: Currency
  readonly kind: StatementEntryKind
  readonly amount: Minor
  readonly balance: Minor
  readonly postedAt: string
  readonly description: string
  readonly label?: string
  readonly paymentId?: string
  readonly refundId?: string
  readonly withdrawalId?: string
  readonly transferId?: string
  readonly disputeId?: string
}

export const statementEntryKinds = ['PAYMENT', 'FEE', 'REFUND', 'REFUND_RETURNED', 'WITHDRAWAL', 'WITHDRAWAL_RETURNED', 'TRANSFER', 'DISPUTE', 'DISPUTE_WON', 'RELEASE', 'RECEIVABLE_REPAID', 'SHARE', 'SHARE_FEE', 'SHARE_RETURNED', 'SHARE_REPAID', 'ADJUSTMENT'] as const
export type StatementEntryKind = (typeof statementEntryKinds)[number]

export type StatementEntryList = {
  readonly data: readonly StatementEntry[]
  readonly nextCursor?: string
}

export type Step = {
  readonly at: string
  readonly kind: StepKind
  readonly cause: StepCause
  readonly text: string
  readonly amount?: Minor
  readonly currency?: Currency
  readonly received?: Minor
  readonly missing?: Minor
  readonly authorised?: Minor
  readonly fee?: Minor
  readonly returned?: Minor
  readonly method?: PaymentMethod
  readonly outcome?: ReportedOutcome
  readonly providerRef?: string
  readonly endToEndId?: string
  readonly txHash?: string
  readonly happenedAt?: string
  readonly status?: string
  readonly code?: string
  readonly message?: string
  readonly keyId?: string
  readonly refundId?: string
  readonly disputeId?: string
  readonly eventId?: string
  /** The type of the event. */
  readonly eventType?: EventType
  /** Where the money was. */
  readonly from?: AccountRole
  /** Where it went. */
  readonly to?: AccountRole
  readonly entries?: readonly StepEntry[]
  readonly delivery?: StepDelivery
}

export const stepCauses = ['DEPOSIT_SEEN', 'DEPOSIT_VANISHED', 'DEPOSIT_FINAL', 'MONEY_REPORTED', 'AUTHORISATION_REPORTED', 'CAPTURE_REPORTED', 'VOID_REPORTED', 'DECLINE_REPORTED', 'REFUND_REPORTED', 'REFUND_FAILURE_REPORTED', 'DISPUTE_REPORTED', 'DISPUTE_TAKING_REPORTED', 'DISPUTE_WIN_REPORTED', 'DISPUTE_LOSS_REPORTED', 'NOTHING_BOOKED', 'PAYOUT_REPORTED', 'PAYOUT_REFUSAL_REPORTED', 'PAYOUT_RETURN_REPORTED', 'PAYMENT_REQUESTED', 'METHOD_CHOSEN', 'READY_TO_PAY', 'AUTHORISED', 'PAID_IN_FULL', 'PAID_TOO_MUCH', 'PAID_LATE', 'PAID_LATE_AND_TOO_MUCH', 'PAID_BY_PARTIAL_CAPTURE', 'PAID_TOO_LITTLE', 'PAID_TOO_LITTLE_AFTER_END', 'PAID_AGAIN', 'PAID_AFTER_CANCELING', 'TIME_RAN_OUT', 'AUTHORISATION_LAPSED', 'REFUSED_BY_PROVIDER', 'PAYMENT_CANCELED', 'AUTHORISATION_VOIDED', 'REFUND_REQUESTED', 'REFUND_NEEDS_APPROVAL', 'REFUND_HELD_FOR_APPROVAL', 'REFUND_APPROVED', 'REFUND_REJECTED', 'REFUND_DONE', 'REFUND_DONE_AFTER_ALL', 'REFUND_REFUSED', 'REFUND_CAME_BACK', 'REFUND_ENDED_BY_OPERATOR', 'REFUND_DISPUTED', 'REFUND_UNCOVERED', 'DISPUTE_OPENED', 'DISPUTE_OPENED_AGAIN', 'EVIDENCE_SUBMITTED', 'DISPUTE_WON', 'DISPUTE_REINSTATED', 'DISPUTE_LOST', 'WITHDRAWAL_REQUESTED', 'WITHDRAWAL_NEEDS_APPROVAL', 'WITHDRAWAL_APPROVED', 'WITHDRAWAL_REJECTED', 'WITHDRAWAL_SENT', 'WITHDRAWAL_DONE', 'WITHDRAWAL_DONE_AFTER_ALL', 'WITHDRAWAL_REFUSED', 'WITHDRAWAL_CANCELED', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_RESOLVED_BY_OPERATOR', 'WITHDRAWAL_STOPPED_BY_OPERATOR', 'ANNOUNCED', 'NO_LONGER_ANNOUNCED', 'CREDITED', 'CREDITED_TO_PENDING', 'FEE_TAKEN', 'DEBT_REPAID', 'PARENT_DEBT_REPAID', 'DEBT_MADE', 'RELEASED', 'HELD_FOR_REFUND', 'HELD_FOR_DISPUTE', 'HELD_FOR_WITHDRAWAL', 'FEE_HELD', 'HELD_MONEY_LEFT', 'DISPUTED_MONEY_CAME_BACK', 'DISPUTED_MONEY_FREED', 'DISPUTE_FEE_TAKEN', 'REFUND_MONEY_BACK', 'WITHDRAWAL_MONEY_BACK', 'FEE_BACK', 'WITHDRAWAL_DEBITED', 'MOVED', 'DELIVERY_PENDING', 'DELIVERED', 'DELIVERY_EXHAUSTED', 'DELIVERY_CANCELED'] as const
export type StepCause = (typeof stepCauses)[number]

export type StepDelivery = {
  readonly id: string
  readonly url: string
  readonly status: DeliveryStatus
  readonly endpointId?: string
  readonly attempts: number
  readonly responseStatus?: number
  readonly error?: string
}

export type StepEntry = {
  readonly account: AccountRole
  readonly walletId?: string
  readonly amount: Minor
}

export const stepKinds = ['OBSERVATION', 'PROVIDER_ANSWER', 'STATE_CHANGE', 'LEDGER', 'DELIVERY'] as const
export type StepKind = (typeof stepKinds)[number]

export const strangeMoves = ['FOUND', 'LEFT'] as const
export type StrangeMove = (typeof strangeMoves)[number]

export type SubAccount = {
  readonly id: string
  readonly mode: Mode
  readonly name: string
  readonly state: SubAccountState
  readonly taxId?: string
  readonly reference?: string
  readonly suspendedBy?: SubAccountSuspender
  readonly createdAt: string
  readonly activatedAt?: string
  readonly version: number
}

export type SubAccountList = {
  readonly data: readonly SubAccount[]
  readonly nextCursor?: string
}

export const subAccountStates = ['PENDING', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const
export type SubAccountState = (typeof subAccountStates)[number]

export const subAccountSuspenders = ['PARENT', 'OPERATOR'] as const
export type SubAccountSuspender = (typeof subAccountSuspenders)[number]

export type SubmitDisputeEvidenceRequest = {
  readonly version: Minor
}

export const suspenseResolutions = ['CREDITED', 'RETURNED'] as const
export type SuspenseResolution = (typeof suspenseResolutions)[number]

export type Template = {
  readonly slug: string
  readonly name?: string
  readonly isActive: boolean
  readonly revision: number
  readonly changedAt?: string
}

export type TemplateDraft = {
  readonly slug: string
  readonly version: string
  readonly base: number
  readonly authorId: string
  readonly author: string
  readonly savedAt: string
  readonly document: Readonly<Record<string, unknown>>
}

export type TemplateDraftNow = {
  readonly draft?: TemplateDraft
  readonly published?: {
    readonly revision: number
    readonly at: string
    readonly by: string | null
  }
}

export type TemplateDraftSummary = {
  readonly slug: string
  readonly version: string
  readonly base: number
  readonly authorId: string
  readonly author: string
  readonly savedAt: string
}

export type TemplateWithDocument = {
  readonly template: Template
  readonly shownRevision: number
  readonly document: Readonly<Record<string, unknown>>
}

export type Transfer = {
  readonly id: string
  readonly mode: Mode
  readonly amount: number
  readonly currency: Currency
  readonly fromWalletId?: string
  readonly toWalletId?: string
  readonly fromSubAccountId?: string
  readonly toSubAccountId?: string
  readonly fromParent?: boolean
  readonly toParent?: boolean
  readonly grantId?: string
  readonly sourceId?: string
  readonly description?: string
  readonly metadata?: Metadata
  readonly version: number
  readonly createdAt: string
}

export type TransferGrant = {
  readonly id: string
  readonly mode: Mode
  readonly subAccountId?: string
  readonly status: TransferGrantStatus
  readonly currency: Currency
  readonly maxAmount?: number
  readonly amountTaken: Minor
  readonly expiresAt?: string
  readonly description?: string
  readonly createdAt: string
  readonly revokedAt?: string
  readonly version: number
}

export type TransferGrantList = {
  readonly data: readonly TransferGrant[]
  readonly nextCursor?: string
}

export const transferGrantStatuses = ['ACTIVE', 'USED_UP', 'EXPIRED', 'REVOKED'] as const
export type TransferGrantStatus = (typeof transferGrantStatuses)[number]

export type TransferList = {
  readonly data: readonly Transfer[]
  readonly nextCursor?: string
}

export type Typo = {
  readonly connection: string
  readonly entry: string
  readonly amount: Minor
  readonly currency: Currency
  readonly bookedOn: string
  readonly wrote: string
  readonly near: string
  readonly payer: string
  readonly merchantId: string
  readonly paymentId: string
  readonly createdAt: string
}

export type Unmatched = {
  readonly id: string
  readonly mode: Mode
  readonly method: string
  readonly connection: string
  readonly providerRef: string
  readonly outcome: string
  readonly reason: string
  readonly amount: Minor
  readonly currency: Currency
  readonly happenedAt: string
  readonly recordedAt: string
  readonly resolvedAt?: string
  readonly resolution?: SuspenseResolution
  readonly walletId?: string
  readonly note?: string
  readonly lostMerchantId?: string
  readonly lostPaymentId?: string
  readonly reportedSince: readonly string[]
  readonly needsTwo: boolean
}

export type User = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly language: string
  readonly timeZone: string
  readonly isOperator: boolean
  readonly createdAt: string
  readonly disabledAt?: string
}

export type Voucher = {
  readonly entity?: string
  readonly reference?: string
  readonly line?: string
  readonly barcode?: string
  readonly pdfUrl?: string
  readonly expiresAt?: string
}

export type Wallet = {
  readonly id: string
  readonly currency: Currency
  readonly label: string
  readonly walletType: WalletType
  readonly isDefault: boolean
  readonly isActive: boolean
  readonly version: number
  readonly createdAt: string
  readonly balance: Minor
  readonly pendingBalance: Minor
  readonly heldBalance: Minor
  readonly asOf?: string
}

export type WalletList = {
  readonly data: readonly Wallet[]
  readonly nextCursor?: string
}

export type WalletSummary = {
  readonly from: string
  readonly to: string
  readonly data: readonly CurrencySummary[]
}

export const walletTypes = ['SPENDABLE', 'RESERVE'] as const
export type WalletType = (typeof walletTypes)[number]

export type WalletTypeBalance = {
  readonly walletType: WalletType
  readonly balance: Minor
  readonly pendingBalance: Minor
  readonly heldBalance: Minor
}

export type WatchedChain = {
  readonly key: string
  readonly chainId: string
  readonly mode: string
  readonly head?: string
  readonly final?: string
  readonly halted?: string
  readonly halt?: HaltReason
  readonly isWatched: boolean
  readonly nodeHead?: string
  readonly lag?: string
  readonly nodeError?: string
  readonly whatToDo?: ChainAdvice
}

export type WebhookEndpoint = {
  readonly id: string
  readonly mode: Mode
  readonly url: string
  readonly eventTypes?: readonly EventType[]
  readonly description?: string
  readonly status: WebhookEndpointStatus
  readonly disabledReason?: WebhookEndpointDisabledReason
  readonly disabledAt?: string
  readonly failingSince?: string
  readonly previousSecretUntil?: string
  readonly createdAt: string
  readonly version: number
}

export const webhookEndpointDisabledReasons = ['REQUESTED', 'FAILING', 'GONE'] as const
export type WebhookEndpointDisabledReason = (typeof webhookEndpointDisabledReasons)[number]

export const webhookEndpointEventTypes = ['payment.waiting', 'payment.approved', 'payment.completed', 'payment.expired', 'payment.failed', 'payment.canceled', 'payment.underpaid', 'payment.received_after_close', 'refund.created', 'refund.completed', 'refund.failed', 'dispute.opened', 'dispute.won', 'dispute.lost', 'withdrawal.created', 'withdrawal.approval_required', 'withdrawal.processing', 'withdrawal.completed', 'withdrawal.failed', 'withdrawal.canceled', 'withdrawal.returned', 'wallet.created', 'transfer.completed', 'transfer_grant.created', 'transfer_grant.revoked', 'share.credited', 'share.returned', 'webhook_endpoint.disabled', 'service.restored', '*'] as const
export type WebhookEndpointEventType = (typeof webhookEndpointEventTypes)[number]

export type WebhookEndpointList = {
  readonly data: readonly WebhookEndpoint[]
  readonly nextCursor?: string
}

export const webhookEndpointStatuses = ['ENABLED', 'DISABLED', 'DELETED'] as const
export type WebhookEndpointStatus = (typeof webhookEndpointStatuses)[number]

export const webhookEndpointStatusInputs = ['ENABLED', 'DISABLED'] as const
export type WebhookEndpointStatusInput = (typeof webhookEndpointStatusInputs)[number]

export type WebhookPing = {
  readonly eventId: string
}

export type WebhookRecovery = {
  readonly id: string
  readonly endpointId?: string
  readonly status: WebhookRecoveryStatus
  readonly afterSequence: number
  readonly throughSequence: number
  readonly reachedSequence: number
  readonly types?: readonly EventType[]
  readonly includeDelivered: boolean
  readonly deliveries: number
  readonly createdAt: string
  readonly endedAt?: string
}

export type WebhookRecoveryList = {
  readonly data: readonly WebhookRecovery[]
  readonly nextCursor?: string
}

export const webhookRecoveryStatuses = ['RUNNING', 'DONE', 'CANCELED'] as const
export type WebhookRecoveryStatus = (typeof webhookRecoveryStatuses)[number]

export const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type Weekday = (typeof weekdays)[number]

export type Withdrawal = {
  readonly id: string
  readonly mode: Mode
  readonly type: WithdrawalType
  readonly status: WithdrawalStatus
  readonly amount: number
  readonly fee: Minor
  readonly totalDebited: Minor
  readonly currency: Currency
  readonly walletId: string
  readonly batchId?: string
  readonly payoutScheduleId?: string
  readonly pixKey?: string
  readonly cryptoAddress?: string
  readonly cryptoNetwork?: string
  readonly cryptoCurrency?: string
  readonly iban?: string
  readonly beneficiary?: string
  readonly pixKeyType?: PixKeyType
  readonly description?: string
  readonly metadata?: Metadata
  readonly webhookUrl?: string
  readonly providerRef?: string
  readonly endToEndId?: string
  readonly txHash?: string
  readonly failureCode?: string
  readonly failureMessage?: string
  readonly amountReturned?: Minor
  readonly reviewRequired?: boolean
  readonly createdAt: string
  readonly completedAt?: string
  readonly version: number
}

export type WithdrawalBatch = {
  readonly id: string
  readonly status: WithdrawalBatchStatus
  readonly count: number
  readonly createdAt: string
  readonly progress: readonly WithdrawalBatchProgress[]
}

export type WithdrawalBatchProgress = {
  readonly status: WithdrawalStatus
  readonly currency: Currency
  readonly count: number
  readonly amount: Minor
  readonly fee: Minor
}

export const withdrawalBatchStatuses = ['PENDING_APPROVAL', 'IN_PROGRESS', 'ENDED'] as const
export type WithdrawalBatchStatus = (typeof withdrawalBatchStatuses)[number]

export const withdrawalEnds = ['sent', 'refused'] as const
export type WithdrawalEnd = (typeof withdrawalEnds)[number]

export type WithdrawalLimit = {
  readonly type: WithdrawalType
  readonly currency: Currency
  readonly each?: Minor
  readonly day?: Minor
  readonly spentToday: Minor
  readonly approvalAbove?: Minor
  readonly approvalChoice?: ApprovalChoice
  readonly listedOnly: boolean
}

export type WithdrawalLimits = {
  readonly limits: readonly WithdrawalLimit[]
  readonly destinations: readonly ({
    readonly type: WithdrawalType
    readonly destination: string
  })[]
  readonly hasMore: boolean
}

export type WithdrawalList = {
  readonly data: readonly Withdrawal[]
  readonly nextCursor?: string
}

export const withdrawalStatuses = ['PENDING', 'PENDING_APPROVAL', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELED'] as const
export type WithdrawalStatus = (typeof withdrawalStatuses)[number]

export type WithdrawalTerms = {
  readonly fee: Minor
  readonly needsApproval: boolean
  readonly limit?: WithdrawalLimit
}

export const withdrawalTypes = ['PIX', 'CRYPTO', 'SEPA'] as const
export type WithdrawalType = (typeof withdrawalTypes)[number]

/** What each call sends and gets. */
export type Calls = {
  /** Create a payment */
  readonly createPayment: {
    readonly input: { readonly merchant: string; readonly body: CreatePaymentRequest }
    readonly answer: CreatedPayment
  }
  /** Get a payment */
  readonly getPayment: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Payment
  }
  /** List payments, newest first */
  readonly listPayments: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'status' | 'method' | 'currency' | 'ids' | `metadata[${string}]` | 'customerEmail' | 'customerName' | 'customerTaxId' | 'txHash' | 'endToEndId' | 'reference' | 'cryptoAddress' | 'cardLast4' | 'checkoutUrl' | 'amount' | 'checkout' | 'paymentLinkId' | 'exception'> }
    readonly answer: PaymentList
    readonly isPaged: true
  }
  /** List the deposits of a payment, newest first */
  readonly listPaymentDeposits: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: DepositList
    readonly isPaged: true
  }
  /** Capture an approved payment */
  readonly capturePayment: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: CapturePaymentRequest }
    readonly answer: Payment
  }
  /** Cancel an unpaid payment */
  readonly cancelPayment: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: CancelPaymentRequest }
    readonly answer: Payment
  }
  /** List payment links, newest first */
  readonly listPaymentLinks: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'archived'> }
    readonly answer: PaymentLinkList
    readonly isPaged: true
  }
  /** Get a payment link */
  readonly getPaymentLink: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: PaymentLink
  }
  /** Create a payment link */
  readonly createPaymentLink: {
    readonly input: { readonly merchant: string; readonly body: CreatePaymentLinkRequest }
    readonly answer: PaymentLink
  }
  /** Archive a payment link */
  readonly archivePaymentLink: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: ArchivePaymentLinkRequest }
    readonly answer: PaymentLink
  }
  /** Give money back */
  readonly createRefund: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: CreateRefundRequest }
    readonly answer: Refund
  }
  /** List refunds, newest first */
  readonly listRefunds: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'paymentId' | 'status' | 'currency' | 'amount' | 'txHash' | 'endToEndId' | 'expand'> }
    readonly answer: RefundList
    readonly isPaged: true
  }
  /** Get a refund */
  readonly getRefund: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Refund
  }
  /** Approve a refund */
  readonly approveRefund: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: ApproveRefundRequest }
    readonly answer: Refund
  }
  /** Reject a refund that waits for approval */
  readonly rejectRefund: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: RejectRefundRequest }
    readonly answer: Refund
  }
  /** List disputes, newest first */
  readonly listDisputes: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'paymentId' | 'status' | 'currency' | 'expand'> }
    readonly answer: DisputeList
    readonly isPaged: true
  }
  /** Get a dispute */
  readonly getDispute: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Dispute
  }
  /** Give in to a dispute */
  readonly acceptDispute: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: AcceptDisputeRequest }
    readonly answer: Dispute
  }
  /** Get the evidence of a dispute */
  readonly getDisputeEvidence: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: DisputeEvidence
  }
  /** Write evidence */
  readonly changeDisputeEvidence: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: ChangeDisputeEvidenceRequest }
    readonly answer: DisputeEvidence
  }
  /** Add a file to the evidence */
  readonly addDisputeEvidenceFile: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: AddDisputeEvidenceFileRequest }
    readonly answer: DisputeEvidence
  }
  /** Submit the evidence */
  readonly submitDisputeEvidence: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: SubmitDisputeEvidenceRequest }
    readonly answer: DisputeEvidence
  }
  /** List wallets, oldest first */
  readonly listWallets: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'currency'> }
    readonly answer: WalletList
    readonly isPaged: true
  }
  /** Get the sums of each currency */
  readonly getBalance: {
    readonly input: { readonly merchant: string; readonly query?: Query<'at'> }
    readonly answer: ConsolidatedBalance
  }
  /** List the movements of available balances, newest first */
  readonly getStatement: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'walletId' | 'currency' | 'kind' | 'format' | 'spreadsheet' | 'timeZone'> }
    readonly answer: StatementEntryList
    readonly isPaged: true
  }
  /** Get a wallet */
  readonly getWallet: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'at'> }
    readonly answer: Wallet
  }
  /** Create a wallet */
  readonly createWallet: {
    readonly input: { readonly merchant: string; readonly body: CreateWalletRequest }
    readonly answer: Wallet
  }
  /** Rename a wallet, or make it inactive or active again */
  readonly changeWallet: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: ChangeWalletRequest }
    readonly answer: Wallet
  }
  /** Sum up what came in and went out */
  readonly getSummary: {
    readonly input: { readonly merchant: string; readonly query?: Query<'from' | 'to'> }
    readonly answer: WalletSummary
  }
  /** List balances day by day, week by week, or month by month */
  readonly getBalanceHistory: {
    readonly input: { readonly merchant: string; readonly query?: Query<'interval' | 'timeZone' | 'currency' | 'walletId' | 'from' | 'to'> }
    readonly answer: BalanceHistory
  }
  /** Move money between two wallets of one currency */
  readonly createTransfer: {
    readonly input: { readonly merchant: string; readonly body: CreateTransferRequest }
    readonly answer: Transfer
  }
  /** Get a transfer between wallets */
  readonly getTransfer: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Transfer
  }
  /** List transfers between wallets, newest first */
  readonly listTransfers: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'walletId' | 'currency'> }
    readonly answer: TransferList
    readonly isPaged: true
  }
  /** Let your parent take money by transfer */
  readonly createTransferGrant: {
    readonly input: { readonly merchant: string; readonly body: CreateTransferGrantRequest }
    readonly answer: TransferGrant
  }
  /** List transfer grants, newest first */
  readonly listTransferGrants: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'subAccountId'> }
    readonly answer: TransferGrantList
    readonly isPaged: true
  }
  /** Get a transfer grant */
  readonly getTransferGrant: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: TransferGrant
  }
  /** Revoke a transfer grant */
  readonly revokeTransferGrant: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: RevokeTransferGrantRequest }
    readonly answer: TransferGrant
  }
  /** Take money out of a wallet */
  readonly createWithdrawal: {
    readonly input: { readonly merchant: string; readonly body: CreateWithdrawalRequest }
    readonly answer: Withdrawal
  }
  /** List withdrawals, newest first */
  readonly listWithdrawals: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'status' | 'type' | 'currency' | 'batchId' | `metadata[${string}]` | 'amount' | 'txHash' | 'endToEndId' | 'pixKey' | 'cryptoAddress' | 'iban'> }
    readonly answer: WithdrawalList
    readonly isPaged: true
  }
  /** Get a withdrawal */
  readonly getWithdrawal: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Withdrawal
  }
  /** Cancel a withdrawal that was not sent yet */
  readonly cancelWithdrawal: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: CancelWithdrawalRequest }
    readonly answer: Withdrawal
  }
  /** Approve a withdrawal */
  readonly approveWithdrawal: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: ApproveWithdrawalRequest }
    readonly answer: Withdrawal
  }
  /** Reject a withdrawal that waits for approval */
  readonly rejectWithdrawal: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: RejectWithdrawalRequest }
    readonly answer: Withdrawal
  }
  /** Take money out in up to 1,000 withdrawals */
  readonly createWithdrawalBatch: {
    readonly input: { readonly merchant: string; readonly body: CreateWithdrawalBatchRequest }
    readonly answer: WithdrawalBatch
  }
  /** List batches of withdrawals, newest first */
  readonly listWithdrawalBatches: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to'> }
    readonly answer: ListedWithdrawalBatchList
    readonly isPaged: true
  }
  /** Get a batch of withdrawals, and how far it is */
  readonly getWithdrawalBatch: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: WithdrawalBatch
  }
  /** Cancel the withdrawals of a batch that were not sent yet */
  readonly cancelWithdrawalBatch: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: CancelWithdrawalBatchRequest }
    readonly answer: WithdrawalBatch
  }
  /** Approve a batch of withdrawals */
  readonly approveWithdrawalBatch: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: ApproveWithdrawalBatchRequest }
    readonly answer: WithdrawalBatch
  }
  /** Reject a batch of withdrawals that waits for approval */
  readonly rejectWithdrawalBatch: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: RejectWithdrawalBatchRequest }
    readonly answer: WithdrawalBatch
  }
  /** Explain a payment */
  readonly explainPayment: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'language' | 'cursor' | 'limit'> }
    readonly answer: Explanation
    readonly isPaged: true
  }
  /** Explain a refund */
  readonly explainRefund: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'language' | 'cursor' | 'limit'> }
    readonly answer: Explanation
    readonly isPaged: true
  }
  /** Explain a withdrawal */
  readonly explainWithdrawal: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'language' | 'cursor' | 'limit'> }
    readonly answer: Explanation
    readonly isPaged: true
  }
  /** Let a wallet pay out by itself */
  readonly createPayoutSchedule: {
    readonly input: { readonly merchant: string; readonly body: CreatePayoutScheduleRequest }
    readonly answer: PayoutSchedule
  }
  /** List payout schedules, newest first */
  readonly listPayoutSchedules: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: PayoutScheduleList
    readonly isPaged: true
  }
  /** Get a payout schedule */
  readonly getPayoutSchedule: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: PayoutSchedule
  }
  /** Pause, resume or end a payout schedule, or change what stays */
  readonly changePayoutSchedule: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: ChangePayoutScheduleRequest }
    readonly answer: PayoutSchedule
  }
  /** List events, oldest first */
  readonly listEvents: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'after' | 'types' | 'wait'> }
    readonly answer: EventList
    readonly isPaged: true
  }
  /** Get an event */
  readonly getEvent: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Event
  }
  /** List the deliveries of an event, newest first */
  readonly listDeliveries: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: DeliveryList
    readonly isPaged: true
  }
  /** Get a delivery with its attempts */
  readonly getDelivery: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Delivery
  }
  /** Send an event to its URL again */
  readonly resendDelivery: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: ResendDeliveryRequest }
    readonly answer: Delivery
  }
  /** List the types of events */
  readonly listEventTypes: {
    readonly input: { readonly merchant: string }
    readonly answer: CataloguedEventTypeList
  }
  /** List the keys of metadata that lists find by */
  readonly listMetadataKeys: {
    readonly input: { readonly merchant: string }
    readonly answer: MetadataKeyList
  }
  /** Declare the keys of metadata that lists find by */
  readonly declareMetadataKeys: {
    readonly input: { readonly merchant: string; readonly body: DeclareMetadataKeysRequest }
    readonly answer: MetadataKeyList
  }
  /** List your last calls, newest first */
  readonly listRequests: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'statusClass' | 'code' | 'method' | 'keyId'> }
    readonly answer: LoggedCallList
    readonly isPaged: true
  }
  /** List deliveries, newest first */
  readonly searchDeliveries: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'endpointId' | 'eventId' | 'status' | 'type' | 'subject' | 'host' | 'from' | 'to'> }
    readonly answer: DeliveryList
    readonly isPaged: true
  }
  /** Create a webhook endpoint */
  readonly createWebhookEndpoint: {
    readonly input: { readonly merchant: string; readonly body: CreateWebhookEndpointRequest }
    readonly answer: CreatedWebhookEndpoint
  }
  /** List webhook endpoints, oldest first */
  readonly listWebhookEndpoints: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: WebhookEndpointList
    readonly isPaged: true
  }
  /** Get a webhook endpoint */
  readonly getWebhookEndpoint: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: WebhookEndpoint
  }
  /** Change a webhook endpoint, disable it, or enable it again */
  readonly changeWebhookEndpoint: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: ChangeWebhookEndpointRequest }
    readonly answer: WebhookEndpoint
  }
  /** Give a webhook endpoint a new secret */
  readonly rollWebhookSecret: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: RollWebhookSecretRequest }
    readonly answer: RolledWebhookEndpoint
  }
  /** Send an event to a webhook endpoint to see whether it answers */
  readonly pingWebhookEndpoint: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: PingWebhookEndpointRequest }
    readonly answer: WebhookPing
  }
  /** Delete a webhook endpoint */
  readonly deleteWebhookEndpoint: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: WebhookEndpoint
  }
  /** Send the events of a span again */
  readonly createWebhookRecovery: {
    readonly input: { readonly merchant: string; readonly body: CreateWebhookRecoveryRequest }
    readonly answer: WebhookRecovery
  }
  /** List recoveries, newest first */
  readonly listWebhookRecoveries: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: WebhookRecoveryList
    readonly isPaged: true
  }
  /** Get a recovery */
  readonly getWebhookRecovery: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: WebhookRecovery
  }
  /** Cancel a recovery */
  readonly cancelWebhookRecovery: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: CancelWebhookRecoveryRequest }
    readonly answer: WebhookRecovery
  }
  /** Get your settings */
  readonly getSettings: {
    readonly input: { readonly merchant: string }
    readonly answer: Settings
  }
  /** Set your settings */
  readonly setSettings: {
    readonly input: { readonly merchant: string; readonly body: SetSettingsRequest }
    readonly answer: Settings
  }
  /** Make an API key */
  readonly createApiKey: {
    readonly input: { readonly merchant: string; readonly body: CreateApiKeyRequest }
    readonly answer: NewApiKey
  }
  /** List API keys, newest first */
  readonly listApiKeys: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: ApiKeyList
    readonly isPaged: true
  }
  /** Get an API key */
  readonly getApiKey: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: ApiKey
  }
  /** Rename an API key, take scopes from it, or change its networks */
  readonly changeApiKey: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: ChangeApiKeyRequest }
    readonly answer: ApiKey
  }
  /** Make a key in place of another */
  readonly rollApiKey: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: RollApiKeyRequest }
    readonly answer: NewApiKey
  }
  /** End an API key for good */
  readonly revokeApiKey: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: RevokeApiKeyRequest }
    readonly answer: ApiKey
  }
  /** List sub-accounts, newest first */
  readonly listSubAccounts: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: SubAccountList
    readonly isPaged: true
  }
  /** Get a sub-account */
  readonly getSubAccount: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: SubAccount
  }
  /** Get a sub-account’s sums of each currency */
  readonly getSubAccountBalance: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: ConsolidatedBalance
  }
  /** List the API keys of a sub-account, newest first */
  readonly listSubAccountKeys: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: ApiKeyList
    readonly isPaged: true
  }
  /** Make a sub-account */
  readonly createSubAccount: {
    readonly input: { readonly merchant: string; readonly body: CreateSubAccountRequest }
    readonly answer: NewSubAccount
  }
  /** Change a sub-account, suspend it, or close it */
  readonly changeSubAccount: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: ChangeSubAccountRequest }
    readonly answer: SubAccount
  }
  /** Make an API key of a sub-account */
  readonly createSubAccountKey: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: CreateSubAccountKeyRequest }
    readonly answer: NewApiKey
  }
  /** List the shares of a payment */
  readonly listPaymentShares: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: PaymentShareList
  }
  /** List your shares of payments of your parent, newest first */
  readonly listShares: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: ShareList
    readonly isPaged: true
  }
  /** Pay a payment of the sandbox */
  readonly paySandboxPayment: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: PaySandboxPaymentRequest }
    readonly answer: SandboxPaymentResult
  }
  /** Test your server with a script of deliveries */
  readonly createRehearsal: {
    readonly input: { readonly merchant: string; readonly body: CreateRehearsalRequest }
    readonly answer: Rehearsal
  }
  /** List rehearsals, newest first */
  readonly listRehearsals: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: RehearsalSummaryList
    readonly isPaged: true
  }
  /** Get a rehearsal */
  readonly getRehearsal: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Rehearsal
  }
  /** Cancel a rehearsal */
  readonly cancelRehearsal: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body?: CancelRehearsalRequest }
    readonly answer: Rehearsal
  }
  /** Advance the clock of the sandbox */
  readonly advanceSandboxClock: {
    readonly input: { readonly merchant: string; readonly body: AdvanceSandboxClockRequest }
    readonly answer: ClockAdvance
  }
  /** Get the clock of the sandbox */
  readonly getSandboxClock: {
    readonly input: { readonly merchant: string }
    readonly answer: SandboxClock
  }
  /** Who is signed in, and for which merchants they may do what */
  readonly getSession: {
    readonly input: {  }
    readonly answer: {
      readonly user: {
        readonly id: string
        readonly email: string
        readonly name: string
        readonly language: string
        readonly timeZone: string
        readonly isOperator: boolean
      }
      readonly merchants: readonly ({
        readonly id: string
        readonly name: string
        readonly mode: Mode
        readonly role: Role
        readonly permissions: readonly string[]
        readonly isSubAccount: boolean
      })[]
      readonly operatorPermissions: readonly string[]
      readonly factors: {
        readonly hasPassword: boolean
        readonly passkeys: number
        readonly hasTotp: boolean
        readonly recoveryCodes: number
      }
      readonly secondFactorUntil: string | null
      readonly isSandboxHere: boolean
    }
  }
  /** Signs in by email and password */
  readonly signInWithPassword: {
    readonly input: { readonly body: {
      readonly email: string
      readonly password: string
      readonly language?: string | undefined
      readonly timeZone?: string | undefined
    } }
    readonly answer: SignInStep
  }
  /** Completes a sign-in */
  readonly giveSecondFactor: {
    readonly input: { readonly body: SecondFactor }
    readonly answer: SignInStep
  }
  /** What the browser needs to give a passkey as second factor */
  readonly beginSecondFactor: {
    readonly input: {  }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /** What the browser needs to sign in by passkey */
  readonly beginPasskeySignIn: {
    readonly input: {  }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /** Signs in by passkey alone */
  readonly signInWithPasskey: {
    readonly input: { readonly body: {
      readonly response: Readonly<Record<string, unknown>>
      readonly language?: string | undefined
      readonly timeZone?: string | undefined
    } }
    readonly answer: SignInStep
  }
  /** Signs in by the one-time link of a start, from the machine of the server */
  readonly signInWithLink: {
    readonly input: { readonly body: {
      readonly token: string
      readonly language?: string | undefined
      readonly timeZone?: string | undefined
    } }
    readonly answer: SignInStep
  }
  /** What the sign-in page offers here */
  readonly getSite: {
    readonly input: {  }
    readonly answer: {
      readonly hasMail: boolean
      readonly isSandboxHere: boolean
    }
  }
  /** Sends a link to a new password to this email, if a user has it */
  readonly askNewPassword: {
    readonly input: { readonly body: {
      readonly email: string
    } }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /** What a one-time link is for; it can still be used afterwards */
  readonly openLink: {
    readonly input: { readonly body: {
      readonly token: string
    } }
    readonly answer: {
      readonly kind: LinkKind
      readonly email: string
      readonly merchantName?: string
      readonly role?: string
      readonly hasUser: boolean
      readonly endsAt: string
    }
  }
  /** Joins a merchant, or sets a new password; once */
  readonly acceptLink: {
    readonly input: { readonly body: {
      readonly token: string
      readonly name?: string | undefined
      readonly language?: string | undefined
      readonly timeZone?: string | undefined
      readonly password?: string | undefined
    } }
    readonly answer: SignInStep
  }
  /** What the browser needs to give a passkey again */
  readonly beginStepUp: {
    readonly input: {  }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /** Gives the second factor again; it counts for five minutes */
  readonly stepUp: {
    readonly input: { readonly body: SecondFactor }
    readonly answer: {
      readonly secondFactorUntil: string
    }
  }
  /** Signs out */
  readonly signOut: {
    readonly input: {  }
    readonly answer: undefined
  }
  /** Changes the own name, language or time zone */
  readonly changeProfile: {
    readonly input: { readonly body: {
      readonly name?: string | undefined
      readonly language?: string | undefined
      readonly timeZone?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Sets the own password; all other sessions end */
  readonly changePassword: {
    readonly input: { readonly body: {
      readonly current?: string | undefined
      readonly password: string
    } }
    readonly answer: undefined
  }
  /** Where the user is signed in */
  readonly listSessions: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly createdAt: string
        readonly seenAt: string
        readonly endsAt: string
        readonly address: string
        readonly userAgent: string
        readonly isCurrent: boolean
      })[]
      readonly nextCursor?: string
    }
  }
  /** Signs out somewhere */
  readonly endSession: {
    readonly input: { readonly id: string }
    readonly answer: undefined
  }
  /** Signs out everywhere else */
  readonly endOtherSessions: {
    readonly input: {  }
    readonly answer: undefined
  }
  /** The own passkeys */
  readonly listPasskeys: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly name: string
        readonly createdAt: string
        readonly lastUsedAt: string | null
      })[]
      readonly nextCursor?: string
    }
  }
  /** What the browser needs to make a passkey */
  readonly beginPasskey: {
    readonly input: {  }
    readonly answer: Readonly<Record<string, unknown>>
  }
  /** Adds the passkey that the browser made */
  readonly addPasskey: {
    readonly input: { readonly body: {
      readonly name: string
      readonly response: Readonly<Record<string, unknown>>
    } }
    readonly answer: {
      readonly recoveryCodes?: readonly string[]
    }
  }
  /** Removes a passkey */
  readonly removePasskey: {
    readonly input: { readonly id: string }
    readonly answer: undefined
  }
  /** Begins an authenticator app */
  readonly beginTotp: {
    readonly input: {  }
    readonly answer: {
      readonly secret: string
      readonly uri: string
    }
  }
  /** Ends the enrolment of an authenticator app with its first code */
  readonly confirmTotp: {
    readonly input: { readonly body: {
      readonly code: string
    } }
    readonly answer: {
      readonly recoveryCodes?: readonly string[]
    }
  }
  /** Removes the authenticator app */
  readonly removeTotp: {
    readonly input: {  }
    readonly answer: undefined
  }
  /** New recovery codes in place of all others */
  readonly renewRecoveryCodes: {
    readonly input: {  }
    readonly answer: {
      readonly recoveryCodes: readonly string[]
    }
  }
  /** Balances, volume, success and speed, and what waits for a person */
  readonly getOverview: {
    readonly input: { readonly merchant: string; readonly query?: Query<'span'> }
    readonly answer: Overview
  }
  /** What a new merchant sets up: the steps that the role can do, and which of them are done */
  readonly getSetup: {
    readonly input: { readonly merchant: string }
    readonly answer: Setup
  }
  /** Puts the list away for everybody who works for the merchant, or shows it again */
  readonly hideSetup: {
    readonly input: { readonly merchant: string; readonly body: {
      readonly isHidden: boolean
    } }
    readonly answer: undefined
  }
  /** The records that this text names, or the beginning of whose names it is */
  readonly findRecords: {
    readonly input: { readonly merchant: string; readonly query: Query<'name'> & { readonly name: QueryValue } }
    readonly answer: FoundRecords
  }
  /** Events, newest first */
  readonly searchEvents: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'type' | 'subject' | 'from' | 'to'> }
    readonly answer: {
      readonly data: readonly Event[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** The members of the merchant */
  readonly listMembers: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly Member[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** The API keys in force that a member holds, here and at sub-accounts: what becomes of them is decided when the member leaves */
  readonly listMemberKeys: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'role'> }
    readonly answer: {
      readonly data: readonly MemberKey[]
    }
  }
  /** Gives a member another role. Their API keys that can do more than it are revoked, or handed to the member `keysTo` */
  readonly changeMember: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: {
      readonly role: Role
      readonly keysTo?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Removes a member, or leaves. Their API keys are revoked, or handed to the member `keysTo` */
  readonly removeMember: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'keysTo'> }
    readonly answer: undefined
  }
  /** The open invitations of the merchant */
  readonly listInvitations: {
    readonly input: { readonly merchant: string }
    readonly answer: {
      readonly data: readonly Invitation[]
      readonly nextCursor?: string
    }
  }
  /** Invites a person: the answer holds the link, shown this once */
  readonly createInvitation: {
    readonly input: { readonly merchant: string; readonly body: {
      readonly email: string
      readonly role: Role
    } }
    readonly answer: {
      readonly id: string
      readonly email: string
      readonly endsAt: string
      readonly url: string
      readonly isSent: boolean
    }
  }
  /** Withdraws an open invitation */
  readonly revokeInvitation: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: undefined
  }
  /** Who changed what, newest first */
  readonly listAudit: {
    readonly input: { readonly merchant: string; readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'actorId' | 'action' | 'subject'> }
    readonly answer: {
      readonly data: readonly AuditEntry[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** What comes to the member by mail, and whether payers get receipts */
  readonly getMail: {
    readonly input: { readonly merchant: string }
    readonly answer: MailChoice
  }
  /** Turns a notice to the member on or off */
  readonly chooseNotice: {
    readonly input: { readonly merchant: string; readonly body: {
      readonly kind: MailNotice
      readonly isOn: boolean
    } }
    readonly answer: undefined
  }
  /** Whether payers get receipts by mail */
  readonly chooseReceipts: {
    readonly input: { readonly merchant: string; readonly body: {
      readonly isOn: boolean
    } }
    readonly answer: undefined
  }
  /** The templates of the merchant */
  readonly listTemplates: {
    readonly input: { readonly merchant: string }
    readonly answer: {
      readonly data: readonly Template[]
      readonly drafts: readonly TemplateDraftSummary[]
    }
  }
  /** A template with its content, now or in an earlier revision */
  readonly getTemplate: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'revision'> }
    readonly answer: TemplateWithDocument
  }
  /** Creates a template, or publishes a new revision of one */
  readonly setTemplate: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query?: Query<'draft' | 'revision'>; readonly body: {
      readonly name: string
      readonly brand?: {
        readonly displayName?: string | undefined
        readonly logo?: string | undefined
        readonly theme?: 'light' | 'dark' | 'auto' | undefined
        readonly font?: 'system' | 'rounded' | 'serif' | 'mono' | undefined
        readonly radius?: Minor | undefined
        readonly colors?: {
          readonly accent?: string | undefined
        } | undefined
      } | undefined
      readonly languages?: {
        readonly default?: 'pt-BR' | 'en' | 'es' | undefined
        readonly enabled?: readonly ('pt-BR' | 'en' | 'es')[] | undefined
      } | undefined
      readonly timeZone?: string | undefined
      readonly fields?: {
        readonly name?: 'hidden' | 'optional' | 'required' | undefined
        readonly email?: 'hidden' | 'optional' | 'required' | undefined
        readonly phone?: 'hidden' | 'optional' | 'required' | undefined
        readonly taxId?: 'hidden' | 'optional' | 'required' | undefined
      } | undefined
      readonly address?: 'none' | 'billing' | 'shipping' | undefined
      readonly methods?: readonly ({
        readonly method: 'PIX' | 'CREDIT_CARD' | 'CRYPTO' | 'PARTNER_PAY' | 'MULTIBANCO' | 'MB_WAY' | 'IDEAL' | 'BANCONTACT' | 'BIZUM' | 'BOLETO' | 'SEPA_TRANSFER'
        readonly enabled?: boolean | undefined
        readonly highlight?: boolean | undefined
        readonly limits?: {
          readonly BRL?: {
            readonly min?: Minor | undefined
            readonly max?: Minor | undefined
          } | undefined
          readonly EUR?: {
            readonly min?: Minor | undefined
            readonly max?: Minor | undefined
          } | undefined
          readonly USD?: {
            readonly min?: Minor | undefined
            readonly max?: Minor | undefined
          } | undefined
          readonly USDT?: {
            readonly min?: Minor | undefined
            readonly max?: Minor | undefined
          } | undefined
        } | undefined
      })[] | undefined
      readonly localFirst?: boolean | undefined
      readonly currencies?: readonly ('BRL' | 'EUR' | 'USD' | 'USDT')[] | undefined
      readonly texts?: {
        readonly 'pt-BR'?: {
          readonly title?: string | undefined
          readonly note?: string | undefined
          readonly thanks?: string | undefined
        } | undefined
        readonly en?: {
          readonly title?: string | undefined
          readonly note?: string | undefined
          readonly thanks?: string | undefined
        } | undefined
        readonly es?: {
          readonly title?: string | undefined
          readonly note?: string | undefined
          readonly thanks?: string | undefined
        } | undefined
      } | undefined
      readonly support?: {
        readonly url?: string | undefined
        readonly email?: string | undefined
      } | undefined
      readonly legal?: {
        readonly termsUrl?: string | undefined
        readonly privacyUrl?: string | undefined
      } | undefined
      readonly urls?: {
        readonly success?: string | undefined
        readonly cancel?: string | undefined
        readonly allowedHosts?: readonly string[] | undefined
      } | undefined
      readonly cancelButton?: boolean | undefined
      readonly autoReturnSeconds?: Minor | undefined
      readonly expiry?: {
        readonly PIX?: Minor | undefined
        readonly CREDIT_CARD?: Minor | undefined
        readonly CRYPTO?: Minor | undefined
        readonly PARTNER_PAY?: Minor | undefined
        readonly MULTIBANCO?: Minor | undefined
        readonly MB_WAY?: Minor | undefined
        readonly IDEAL?: Minor | undefined
        readonly BANCONTACT?: Minor | undefined
        readonly BIZUM?: Minor | undefined
        readonly BOLETO?: Minor | undefined
        readonly SEPA_TRANSFER?: Minor | undefined
      } | undefined
    } }
    readonly answer: {
      readonly template: Template
      readonly isNew: boolean
    }
  }
  /** Says what is wrong with a draft, and where its colour is hard to see; stores nothing */
  readonly checkTemplate: {
    readonly input: { readonly merchant: string; readonly body: Readonly<Record<string, unknown>> }
    readonly answer: {
      readonly faults: readonly ({
        readonly pointer: string
        readonly code: string
        readonly message: string
      })[]
      readonly warnings: readonly ContrastWarning[]
    }
  }
  /** The revisions of a template, newest first */
  readonly listTemplateRevisions: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: {
      readonly data: readonly ({
        readonly number: number
        readonly name: string
        readonly createdAt: string
      })[]
    }
  }
  /** Lets new payments name the template, or no longer */
  readonly switchTemplate: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: {
      readonly isActive: boolean
    } }
    readonly answer: Template
  }
  /** The draft of a template, and which revision is published now, by whom and when */
  readonly getTemplateDraft: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: TemplateDraftNow
  }
  /** Saves the draft, unless somebody else has saved, published or discarded it since */
  readonly saveTemplateDraft: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: {
      readonly version: string
      readonly seen?: string | undefined
      readonly base: Minor
      readonly document: Readonly<Record<string, unknown>>
    } }
    readonly answer: TemplateDraftSummary
  }
  /** Discards the draft of this version */
  readonly discardTemplateDraft: {
    readonly input: { readonly merchant: string; readonly id: string; readonly query: Query<'version'> & { readonly version: QueryValue } }
    readonly answer: undefined
  }
  /** How much waits for an operator, certificates that end within 30 days, and connections whose last call failed */
  readonly getAttention: {
    readonly input: {  }
    readonly answer: {
      readonly countedMax: number
      readonly counts: {
        readonly approvals: number
        readonly suspense: number
        readonly parked: number
        readonly typos: number
        readonly held: number
        readonly foreign: number
        readonly paymentFiles: number
        readonly withdrawals: number
        readonly wallets: number
      }
      readonly certificates: readonly ({
        readonly connection: string
        readonly method: string
        readonly provider: string
        readonly merchantName?: string
        readonly endsAt: string
      })[]
      readonly isWhole: boolean
      readonly failing: readonly ({
        readonly connection: string
        readonly lastBadAt?: string
        readonly lastGoodAt?: string
        readonly lastError?: string
      })[]
    }
  }
  /** All merchants, newest first; with `search` those whose name begins so, or the one of this id; of one state or mode */
  readonly listMerchants: {
    readonly input: { readonly query?: Query<'limit' | 'cursor' | 'search' | 'state' | 'mode'> }
    readonly answer: {
      readonly data: readonly OperatorMerchant[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Makes a merchant with default wallets; the answer shows its webhook secret */
  readonly createMerchant: {
    readonly input: { readonly body: {
      readonly name: string
      readonly mode: Mode
      readonly approvals?: readonly ({
        readonly type: WithdrawalType
        readonly above: Minor | 'none'
      })[] | undefined
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly id: string
      readonly mode: Mode
      readonly name: string
      readonly createdAt: string
      readonly webhookSecret: string
    }
  }
  /** One merchant */
  readonly getMerchant: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly id: string
      readonly mode: Mode
      readonly name: string
      readonly createdAt: string
      readonly isSuspended: boolean
      readonly isFrozen: boolean
      readonly archivedAt?: string
      readonly keysInForce: number
      readonly freezes: readonly ({
        readonly kind: FreezeKind
        readonly reason: string
        readonly decidedBy: string
        readonly at: string
      })[]
      readonly subAccount?: {
        readonly parentId: string
        readonly state: SubAccountState
      }
    }
  }
  /** A new webhook secret; the present one signs beside it for 24 hours */
  readonly rotateMerchantWebhookSecret: {
    readonly input: { readonly id: string; readonly body: Readonly<Record<string, never>> }
    readonly answer: {
      readonly webhookSecret: string
    }
  }
  /** Invites a person, such as the first owner: the answer holds the link, shown this once */
  readonly inviteToMerchant: {
    readonly input: { readonly id: string; readonly body: {
      readonly email: string
      readonly role?: Role | undefined
    } }
    readonly answer: {
      readonly id: string
      readonly email: string
      readonly endsAt: string
      readonly url: string
    }
  }
  /** Lets a sub-account withdraw: until then it only receives */
  readonly activateSubAccount: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: {
      readonly id: string
      readonly state: SubAccountState
    }
  }
  /** Closes a sub-account of which nothing is open but transfer grants, and revokes those */
  readonly closeSubAccount: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: {
      readonly id: string
      readonly state: SubAccountState
    }
  }
  /** Takes no new payments of a merchant and lets none of its money out; it can still read everything */
  readonly suspendMerchant: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: {
      readonly isNew: boolean
      readonly isEffective: boolean
    }
  }
  /** Ends the suspension of a merchant */
  readonly resumeMerchant: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: {
      readonly isStillFrozen: boolean
      readonly proposal?: Proposal
    }
  }
  /** No money leaves from now on of one merchant, by every rail */
  readonly freezeMerchant: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: {
      readonly isNew: boolean
      readonly isEffective: boolean
    }
  }
  /** Ends a freeze of one merchant, by every rail: what waits leaves */
  readonly unfreezeMerchant: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: {
      readonly isStillFrozen: boolean
      readonly proposal?: Proposal
    }
  }
  /** What is frozen or suspended, since when, by whom and why; the oldest first */
  readonly listFreezes: {
    readonly input: { readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly kind: FreezeKind
        readonly reason: string
        readonly decidedBy: string
        readonly at: string
        readonly merchantId?: string
        readonly merchantName?: string
        /** Absent: every rail. */
        readonly rail?: PaymentMethod
      })[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** No money leaves of any merchant: by one rail, or at all */
  readonly freezeMoney: {
    readonly input: { readonly body: {
      readonly rail?: PaymentMethod | undefined
      readonly reason: string
    } }
    readonly answer: {
      readonly isNew: boolean
      readonly isEffective: boolean
    }
  }
  /** Ends a freeze of one rail, or of all money: what waits leaves */
  readonly unfreezeMoney: {
    readonly input: { readonly body: {
      readonly rail?: PaymentMethod | undefined
      readonly reason: string
    } }
    readonly answer: {
      readonly isStillFrozen: boolean
    }
  }
  /** The fees of a merchant that are in force */
  readonly listFees: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly data: readonly ({
        readonly method: FeeMethod
        readonly currency: Currency
        readonly fixed: number
        readonly ratePpm: number
        readonly validFrom: string
      })[]
    }
  }
  /** The earlier fees of one method and currency, the latest first */
  readonly listPastFees: {
    readonly input: { readonly id: string; readonly query: Query<'limit' | 'cursor' | 'method' | 'currency'> & { readonly method: QueryValue } & { readonly currency: QueryValue } }
    readonly answer: {
      readonly data: readonly ({
        readonly fixed: number
        readonly ratePpm: number
        readonly validFrom: string
        readonly validTo: string
      })[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Sets the fees for a merchant's payments and withdrawals; without --fixed and --rate shows them */
  readonly setFee: {
    readonly input: { readonly id: string; readonly body: {
      readonly method: FeeMethod
      readonly currency: Currency
      readonly fixed: Minor
      readonly ratePpm: Minor
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly proposal?: Proposal
    }
  }
  /** The limits of a merchant’s withdrawals; a type without a row has none. Where nobody has chosen who pays out, the suggested amount of approval is in force */
  readonly listWithdrawalLimits: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly data: readonly MerchantLimit[]
    }
  }
  /** Sets limits of a merchant's withdrawals; the others stay. Without any it shows them */
  readonly changeWithdrawalLimits: {
    readonly input: { readonly id: string; readonly body: {
      readonly type: WithdrawalType
      readonly each?: Minor | 'none' | undefined
      readonly day?: Minor | 'none' | undefined
      readonly approvalAbove?: Minor | 'none' | undefined
      readonly listedOnly?: boolean | undefined
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly data: readonly MerchantLimit[]
      readonly proposal?: Proposal
    }
  }
  /** The destinations to which a merchant’s withdrawals may go */
  readonly listAllowedDestinations: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly data: readonly ({
        readonly type: WithdrawalType
        readonly destination: string
        readonly note?: string
      })[]
    }
  }
  /** Adds a PIX key or an address to the list of a merchant */
  readonly allowDestination: {
    readonly input: { readonly id: string; readonly body: {
      readonly destination: string
      readonly type: WithdrawalType
      readonly keyType?: PixKeyType | undefined
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly type: WithdrawalType
      readonly destination: string
      readonly note?: string
      readonly proposal?: Proposal
    }
  }
  /** Removes a PIX key or an address from a merchant's list */
  readonly removeDestination: {
    readonly input: { readonly id: string; readonly body: {
      readonly destination: string
      readonly type: WithdrawalType
      readonly keyType?: PixKeyType | undefined
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly proposal?: Proposal
    }
  }
  /** The wallets of a merchant with their balances, oldest first */
  readonly listMerchantWallets: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly data: readonly Wallet[]
    }
  }
  /** Makes a wallet the default of its currency: the merchant's money is credited there from now on */
  readonly makeDefaultWallet: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly id: string
      readonly merchantId: string
      readonly currency: Currency
      readonly isChanged: boolean
    }
  }
  /** How the provider answered: the last 48 hours in which it was called, newest first; hours without a call are left out. Kept for 30 days */
  readonly getConnectionHealth: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly lastGoodAt?: string
      readonly lastBadAt?: string
      readonly lastError?: string
      readonly hours: readonly ({
        readonly hour: string
        readonly calls: number
        readonly errors: number
        readonly meanMs: number
        readonly longestMs: number
      })[]
    }
  }
  /** The types of connection, each with the form of its parts */
  readonly listConnectionTypes: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ConnectionForm[]
    }
  }
  /** Connections by id: all, those of one merchant, or those that merchants share */
  readonly listConnections: {
    readonly input: { readonly query?: Query<'limit' | 'cursor' | 'merchant'> }
    readonly answer: {
      readonly data: readonly Connection[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Adds a connection of one merchant (`merchantId`), or one for all of a mode (`mode`) */
  readonly addConnection: {
    readonly input: { readonly body: {
      readonly type: string
      readonly merchantId?: string | undefined
      readonly mode?: Mode | undefined
      readonly provider: string
      readonly settings: Readonly<Record<string, unknown>>
      readonly secrets: Readonly<Record<string, unknown>>
      readonly refundSecrets?: Readonly<Record<string, unknown>> | undefined
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly id: string
      readonly method: string
      readonly provider: string
      readonly mode: Mode
      readonly merchantId?: string
      readonly merchantName?: string
      readonly isActive: boolean
      readonly archivedAt?: string
      readonly canRefund: boolean
      readonly hasType: boolean
      readonly settings: Readonly<Record<string, unknown>>
      readonly createdAt: string
      readonly changedAt: string
      readonly callback?: {
        readonly url: string
        readonly isByHand: boolean
      }
      readonly certificates: readonly ({
        readonly field: string
        readonly subject?: string
        readonly endsAt?: string
      })[]
    }
  }
  /** One connection, with the address of its callbacks and its certificates */
  readonly getConnection: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly id: string
      readonly method: string
      readonly provider: string
      readonly mode: Mode
      readonly merchantId?: string
      readonly merchantName?: string
      readonly isActive: boolean
      readonly archivedAt?: string
      readonly canRefund: boolean
      readonly hasType: boolean
      readonly settings: Readonly<Record<string, unknown>>
      readonly createdAt: string
      readonly changedAt: string
      readonly callback?: {
        readonly url: string
        readonly isByHand: boolean
      }
      readonly certificates: readonly ({
        readonly field: string
        readonly subject?: string
        readonly endsAt?: string
      })[]
    }
  }
  /** Replaces settings and all secrets, such as a renewed certificate */
  readonly replaceConnection: {
    readonly input: { readonly id: string; readonly body: {
      readonly provider: string
      readonly settings: Readonly<Record<string, unknown>>
      readonly secrets: Readonly<Record<string, unknown>>
      readonly refundSecrets?: Readonly<Record<string, unknown>> | undefined
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly id: string
      readonly method: string
      readonly provider: string
      readonly mode: Mode
      readonly merchantId?: string
      readonly merchantName?: string
      readonly isActive: boolean
      readonly archivedAt?: string
      readonly canRefund: boolean
      readonly hasType: boolean
      readonly settings: Readonly<Record<string, unknown>>
      readonly createdAt: string
      readonly changedAt: string
      readonly callback?: {
        readonly url: string
        readonly isByHand: boolean
      }
      readonly certificates: readonly ({
        readonly field: string
        readonly subject?: string
        readonly endsAt?: string
      })[]
    }
  }
  /** Gives a connection new payments, or no more */
  readonly switchConnection: {
    readonly input: { readonly id: string; readonly body: {
      readonly isActive: boolean
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly id: string
      readonly method: string
      readonly provider: string
      readonly mode: Mode
      readonly merchantId?: string
      readonly merchantName?: string
      readonly isActive: boolean
      readonly archivedAt?: string
      readonly canRefund: boolean
      readonly hasType: boolean
      readonly settings: Readonly<Record<string, unknown>>
      readonly createdAt: string
      readonly changedAt: string
      readonly callback?: {
        readonly url: string
        readonly isByHand: boolean
      }
      readonly certificates: readonly ({
        readonly field: string
        readonly subject?: string
        readonly endsAt?: string
      })[]
    }
  }
  /** Gets a token from the provider and tries a harmless read: a job */
  readonly testConnection: {
    readonly input: { readonly id: string; readonly body: Readonly<Record<string, never>> }
    readonly answer: OperatorJob
  }
  /** Registers the callback address at the provider: a job */
  readonly registerConnection: {
    readonly input: { readonly id: string; readonly body: Readonly<Record<string, never>> }
    readonly answer: OperatorJob
  }
  /** Jobs, newest first */
  readonly listJobs: {
    readonly input: { readonly query?: Query<'limit' | 'cursor' | 'kind' | 'status'> }
    readonly answer: {
      readonly data: readonly OperatorJob[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Requests verify, balances, sweep, rescue, an import of a bank’s files, or a test of a connection. Some kinds need a second factor */
  readonly requestJob: {
    readonly input: { readonly body: {
      readonly kind: JobKind
      readonly arguments?: Readonly<Record<string, unknown>> | undefined
      readonly reason?: string | undefined
    } }
    readonly answer: OperatorJob
  }
  /** One job, with its progress and its result */
  readonly getJob: {
    readonly input: { readonly id: string }
    readonly answer: OperatorJob
  }
  /** Ends a job that waits at once, and one that runs at its next step */
  readonly cancelJob: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: OperatorJob
  }
  /** Money that fits no payment and waits for a person, oldest first; with `all=1` also what was decided */
  readonly listSuspense: {
    readonly input: { readonly query?: Query<'limit' | 'cursor' | 'all' | 'connection' | 'currency'> }
    readonly answer: {
      readonly data: readonly Unmatched[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Credits the money to a merchant (`merchantId`), or records that it went back */
  readonly resolveSuspense: {
    readonly input: { readonly id: string; readonly body: {
      readonly resolution: SuspenseResolution
      readonly merchantId?: string | undefined
      readonly reason: string
    } }
    readonly answer: {
      readonly unmatched?: Unmatched
      readonly proposal?: Proposal
    }
  }
  /** What one person of the operator has requested and another one decides, oldest first */
  readonly listApprovals: {
    readonly input: { readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly Proposal[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Approves what another person requested, and carries it out */
  readonly approveProposal: {
    readonly input: { readonly id: string; readonly body: Readonly<Record<string, never>> }
    readonly answer: {
      readonly approved: Proposal
      readonly unmatched?: Unmatched
    }
  }
  /** Refuses what another person requested, or takes back your own request */
  readonly refuseProposal: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: undefined
  }
  /** Proposes the owner of unexplained coins; nothing moves until another operator confirms */
  readonly proposeOwner: {
    readonly input: { readonly id: string; readonly body: {
      readonly merchantId: string
      readonly reason: string
    } }
    readonly answer: undefined
  }
  /** Confirms another person’s proposal: the coins are credited to the merchant’s default wallet */
  readonly confirmOwner: {
    readonly input: { readonly id: string; readonly body: Readonly<Record<string, never>> }
    readonly answer: {
      readonly merchantId: string
      readonly walletId: string
      readonly amount: Minor
      readonly currency: Currency
    }
  }
  /** Withdrawals of all merchants: without an end (`open`), those for a `review`, that wait for an `approval`, in one state, or all; each with why it has not ended */
  readonly listOperatorWithdrawals: {
    readonly input: { readonly query: Query<'limit' | 'cursor' | 'wanted' | 'order'> & { readonly wanted: QueryValue } }
    readonly answer: {
      readonly data: readonly OperatorWithdrawal[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** One withdrawal, with its references at the provider */
  readonly getOperatorWithdrawal: {
    readonly input: { readonly id: string }
    readonly answer: OperatorWithdrawal
  }
  /** Records how a withdrawal ended whose provider reports no end: "sent", the recipient has it; "refused", it was not paid */
  readonly resolveWithdrawal: {
    readonly input: { readonly id: string; readonly body: {
      readonly end: WithdrawalEnd
      readonly reason: string
    } }
    readonly answer: {
      readonly withdrawal?: OperatorWithdrawal
      readonly isLater?: boolean
      readonly proposal?: Proposal
    }
  }
  /** Has a worker send it now, or ask its provider about it. What may have been sent is never sent twice */
  readonly retryWithdrawal: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Requests that a withdrawal or refund by CRYPTO, or one by SEPA that is in no file yet, is not paid, while that is still possible; its money comes back */
  readonly stopPayout: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: undefined
  }
  /** Refunds that have not ended: those that wait for a second person, then those that are sent. At most 200 */
  readonly listOpenRefunds: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly OperatorRefund[]
    }
  }
  /** One refund */
  readonly getOperatorRefund: {
    readonly input: { readonly id: string }
    readonly answer: OperatorRefund
  }
  /** Ends a refund that cannot be sent: it is FAILED, and its money is in the wallet again */
  readonly endRefund: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
      readonly proof?: string | undefined
      readonly found?: RefundEnd | undefined
    } }
    readonly answer: {
      readonly refund?: OperatorRefund
      readonly proposal?: Proposal
    }
  }
  /** Has a worker send it now, or ask its provider about it. What may have been sent is never sent twice */
  readonly retryRefund: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Begins to hand in a file for a job. A file that no job takes is deleted after a day */
  readonly beginUpload: {
    readonly input: { readonly body: {
      readonly name: string
      readonly size: Minor
    } }
    readonly answer: {
      readonly id: string
      readonly partBytes: number
    }
  }
  /** Hands in one part of a file, as bytes. The same part again changes nothing */
  readonly addUploadPart: {
    readonly input: { readonly id: string; readonly query?: Query<'number'>; readonly bytes: Blob }
    readonly answer: undefined
  }
  /** The files of banks that were handed in, newest first, with why one was refused. A file of no account of ours is not kept: its job says so */
  readonly listBankFiles: {
    readonly input: { readonly query?: Query<'limit' | 'cursor' | 'state'> }
    readonly answer: {
      readonly data: readonly BankFile[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Transfers whose reference is almost one of ours, oldest first: they are in no book until a person decides */
  readonly listTypos: {
    readonly input: { readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly Typo[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Books a transfer with a typo to the payment whose reference it almost is */
  readonly acceptTypo: {
    readonly input: { readonly body: {
      readonly connection: string
      readonly entry: string
      readonly reason?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Puts a transfer with a typo into suspense: it is not that payment’s */
  readonly refuseTypo: {
    readonly input: { readonly body: {
      readonly connection: string
      readonly entry: string
      readonly reason: string
    } }
    readonly answer: undefined
  }
  /** Movements that have the name of another one, oldest first: they are in no book until a person decides */
  readonly listHeldMovements: {
    readonly input: { readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly HeldMovement[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Says whether a held movement is another one, which is booked now, or the one that has its name */
  readonly decideHeldMovement: {
    readonly input: { readonly body: {
      readonly connection: string
      readonly entry: string
      readonly as: HeldDecision
      readonly reason: string
    } }
    readonly answer: undefined
  }
  /** Requests that a refused file is accepted as the corrected statement, with what it takes back; another person approves */
  readonly requestCorrection: {
    readonly input: { readonly body: {
      readonly connection: string
      readonly sha256: string
      readonly reason: string
    } }
    readonly answer: {
      readonly proposal: Proposal
    }
  }
  /** Money on bank accounts in currencies that the books do not have, oldest first: it is in no book */
  readonly listForeignMoney: {
    readonly input: { readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly ForeignMoney[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Says what became of money in such a currency at the bank; moves nothing in the books */
  readonly endForeignMoney: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: undefined
  }
  /** The files of payments, newest first, and who took them */
  readonly listPaymentFiles: {
    readonly input: { readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly PaymentFile[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** The accounts whose payouts wait for a file of payments, with how many they are */
  readonly listWaitingPayouts: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly connection: string
        readonly payouts: number
        readonly isMore: boolean
        readonly amount: Minor
      })[]
    }
  }
  /** Puts all payouts that wait on an account into one file, and stores it */
  readonly makePaymentFile: {
    readonly input: { readonly body: {
      readonly connectionId: string
    } }
    readonly answer: {
      readonly id: string
      readonly payouts: number
      readonly amount: Minor
    }
  }
  /** Hands out a file once, for the upload at the bank. The same person with the same key is given it again, because the answer may have been lost */
  readonly takePaymentFile: {
    readonly input: { readonly id: string; readonly body: {
      readonly key: string
    } }
    readonly answer: {
      readonly name: string
      readonly content: string
    }
  }
  /** The chains: head, lag, whether one is halted and why, and what to do */
  readonly listChains: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly WatchedChain[]
    }
  }
  /** Lets a halted chain be followed again: what was held back is credited. Compare with other nodes first */
  readonly liftChain: {
    readonly input: { readonly id: string; readonly body: {
      readonly halted: string
      readonly reason?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Addresses of a chain whose last collection failed, and when each is tried again */
  readonly listFailedSweeps: {
    readonly input: { readonly query: Query<'limit' | 'cursor' | 'chain'> & { readonly chain: QueryValue } }
    readonly answer: {
      readonly data: readonly ({
        readonly address: string
        readonly fails: number
        readonly reason?: string
        readonly dueAt?: string
      })[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Unexplained movements of our coins, oldest first: FOUND ones wait for an owner */
  readonly listFoundCoins: {
    readonly input: { readonly query: Query<'limit' | 'cursor' | 'chain'> & { readonly chain: QueryValue } }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly chain: string
        readonly bookedAs: StrangeMove
        readonly txHash: string
        readonly sender: string
        readonly recipient: string
        readonly units: string
        readonly at: string
        readonly proposal?: {
          readonly merchantId: string
          readonly note?: string
          readonly proposedBy: string
          readonly isOwn: boolean
        }
      })[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** The wallets that send, what waits in each, and why one waits or is stopped */
  readonly listHotWallets: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly chain: string
        readonly address: string
        readonly purpose: string
        readonly nextNonce: string
        readonly queued: number
        readonly open: number
        readonly waiting?: string
        readonly stopped?: string
        readonly stop?: HaltReason
      })[]
    }
  }
  /** Lets a stopped wallet send again, from the next nonce on the chain; find out first what stopped it */
  readonly liftHotWallet: {
    readonly input: { readonly body: {
      readonly chain: string
      readonly address: string
      readonly stopped: string
      readonly reason: string
    } }
    readonly answer: {
      readonly nextNonce: string
    }
  }
  /** For how many transactions the native coin of each wallet lasts, at present fees */
  readonly forecastGas: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly chain: string
        readonly error?: string
        readonly wallets: readonly ({
          readonly address: string
          readonly purpose: string
          readonly wei: string
          readonly transactions: string
          readonly isLow: boolean
        })[]
      })[]
    }
  }
  /** The last refills of the wallets that pay out, newest first */
  readonly listRefills: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly chain: string
        readonly units: string
        readonly isByHand: boolean
        readonly createdAt: string
        readonly endedAt?: string
      })[]
    }
  }
  /** Transactions that have had a nonce for ten minutes and no end, at most 100 of each wallet */
  readonly listHangingTransactions: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly chain: string
        readonly wallet: string
        readonly nonce: string
        readonly purpose: string
        readonly subject: string
        readonly state: string
        readonly cancel?: string
        readonly isTaken: boolean
        readonly createdAt: string
      })[]
    }
  }
  /** How much of each kind of durable work waits, and since when */
  readonly listQueues: {
    readonly input: {  }
    readonly answer: {
      readonly data: readonly ({
        readonly name: QueueName
        readonly depth: number
        readonly isMore: boolean
        readonly due: number
        readonly failing: number
        readonly oldestDueAt?: string
      })[]
    }
  }
  /** Items of one queue by id: those that failed most often first, then those that are due first. At most 100 */
  readonly listQueueItems: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly merchantId?: string
        readonly connection?: string
        readonly dueAt: string
        readonly since?: string
        readonly fails: number
        readonly error?: string
      })[]
    }
  }
  /** Signals that could not be settled and wait for a person, oldest first */
  readonly listParkedSignals: {
    readonly input: { readonly query?: Query<'limit' | 'cursor'> }
    readonly answer: {
      readonly data: readonly ParkedSignal[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** Retries a signal, up to five times again; remove the cause first */
  readonly retrySignal: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Drops a signal for good: its content is never settled. Shows it this last time */
  readonly dropSignal: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason: string
    } }
    readonly answer: {
      readonly id: string
      readonly method: string
      readonly connection: string
      readonly receivedAt: string
      readonly tries: number
      readonly lastError?: string
      readonly body: string
      readonly bodySha256: string
    }
  }
  /** What the books took in the last minutes, the payments of today by the tally, and beside them what the bench measured on this machine */
  readonly getCapacity: {
    readonly input: {  }
    readonly answer: {
      readonly books: readonly ({
        readonly minutes: number
        readonly batches: number
        readonly transfers: number
        readonly events?: number
      })[]
      readonly today: {
        readonly created: number
        readonly paid: number
        readonly isWhole: boolean
        readonly createdPerSecond: number
      }
      readonly measured?: {
        readonly paymentsPerSecond: number
        readonly at: string
      }
    }
  }
  /** All users, those that came first; with `email` the one of this address, with `operators=1` those who operate */
  readonly listUsers: {
    readonly input: { readonly query?: Query<'limit' | 'cursor' | 'email' | 'operators'> }
    readonly answer: {
      readonly data: readonly User[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** One user, with their factors and memberships */
  readonly getUser: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly id: string
      readonly email: string
      readonly name: string
      readonly language: string
      readonly timeZone: string
      readonly isOperator: boolean
      readonly createdAt: string
      readonly disabledAt?: string
      readonly isColleague: boolean
      readonly factors: {
        readonly passkeys: number
        readonly hasTotp: boolean
      }
      readonly memberships: readonly ({
        readonly merchantId: string
        readonly merchantName: string
        readonly mode: Mode
        readonly role: Role
      })[]
    }
  }
  /** The API keys in force that a user holds at their merchants and sub-accounts, and who could hold them all: asked before the user is disabled */
  readonly listUserKeys: {
    readonly input: { readonly id: string }
    readonly answer: {
      readonly data: readonly ({
        readonly id: string
        readonly merchantId: string
        readonly name: string
        readonly lastFour: string
        readonly lastUsedAt?: string
      })[]
      readonly heirs: readonly ({
        readonly userId: string
        readonly email: string
        readonly name: string
      })[]
    }
  }
  /** Lets a user sign in no more; their sessions and links end. Their API keys are revoked, or handed to `keysTo` */
  readonly disableUser: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
      readonly keysTo?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Lets a user sign in again */
  readonly enableUser: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: undefined
  }
  /** Removes all second factors of a user who lost them; their sessions end */
  readonly removeUserFactors: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: undefined
  }
  /** A link to a new password: hand it to the person whom you know. Shown this once */
  readonly createResetLink: {
    readonly input: { readonly id: string; readonly body: {
      readonly reason?: string | undefined
    } }
    readonly answer: {
      readonly id: string
      readonly email: string
      readonly endsAt: string
      readonly url: string
    }
  }
  /** The audit log of all merchants and of the operator. A page may be short, even empty, and have a next one */
  readonly listOperatorAudit: {
    readonly input: { readonly query?: Query<'limit' | 'cursor' | 'from' | 'to' | 'merchant' | 'actor' | 'action' | 'subject'> }
    readonly answer: {
      readonly data: readonly OperatorAuditEntry[]
      readonly nextCursor?: string
    }
    readonly isPaged: true
  }
  /** A new webhook secret. The present one signs beside it for 24 hours */
  readonly rollMerchantWebhookSecret: {
    readonly input: { readonly merchant: string; readonly body: Readonly<Record<string, never>> }
    readonly answer: MerchantWebhookSecret
  }
  /** The fee and the limits of a withdrawal of this amount */
  readonly getWithdrawalTerms: {
    readonly input: { readonly merchant: string; readonly query: Query<'type' | 'currency' | 'amount'> & { readonly type: QueryValue } & { readonly currency: QueryValue } & { readonly amount: QueryValue } }
    readonly answer: WithdrawalTerms
  }
  /** What the operator allows, what was spent of it today, and the destinations on the list */
  readonly getWithdrawalLimits: {
    readonly input: { readonly merchant: string }
    readonly answer: WithdrawalLimits
  }
  /** What moved in a month, wallet by wallet and by method */
  readonly getMonthReport: {
    readonly input: { readonly merchant: string; readonly query: Query<'month' | 'timeZone'> & { readonly month: QueryValue } }
    readonly answer: MonthReport
  }
  /** What it would come to: give money back */
  readonly reviewRefund: {
    readonly input: { readonly merchant: string; readonly id: string; readonly body: CreateRefundRequest }
    readonly answer: ReviewRefundAnswer
  }
  /** What it would come to: take money out of a wallet */
  readonly reviewWithdrawal: {
    readonly input: { readonly merchant: string; readonly body: CreateWithdrawalRequest }
    readonly answer: ReviewWithdrawalAnswer
  }
  /** What it would come to: take money out in up to 1,000 withdrawals */
  readonly reviewWithdrawalBatch: {
    readonly input: { readonly merchant: string; readonly body: CreateWithdrawalBatchRequest }
    readonly answer: ReviewWithdrawalBatchAnswer
  }
  /** What it would come to: let a wallet pay out by itself */
  readonly reviewPayoutSchedule: {
    readonly input: { readonly merchant: string; readonly body: CreatePayoutScheduleRequest }
    readonly answer: ReviewPayoutScheduleAnswer
  }
  /** Who sent the money of a payment that can still go back, where we send its refunds ourselves; the newest first, at most 100 */
  readonly listSenders: {
    readonly input: { readonly merchant: string; readonly id: string }
    readonly answer: Senders
  }
}

/** Where each call goes: below `/api`. */
export const places = {
  createPayment: 'POST /m/{merchant}/payments',
  getPayment: 'GET /m/{merchant}/payments/{id}',
  listPayments: 'GET /m/{merchant}/payments',
  listPaymentDeposits: 'GET /m/{merchant}/payments/{id}/deposits',
  capturePayment: 'POST /m/{merchant}/payments/{id}/capture',
  cancelPayment: 'POST /m/{merchant}/payments/{id}/cancel',
  listPaymentLinks: 'GET /m/{merchant}/payment-links',
  getPaymentLink: 'GET /m/{merchant}/payment-links/{id}',
  createPaymentLink: 'POST /m/{merchant}/payment-links',
  archivePaymentLink: 'POST /m/{merchant}/payment-links/{id}/archive',
  createRefund: 'POST /m/{merchant}/payments/{id}/refunds',
  listRefunds: 'GET /m/{merchant}/refunds',
  getRefund: 'GET /m/{merchant}/refunds/{id}',
  approveRefund: 'POST /m/{merchant}/refunds/{id}/approve',
  rejectRefund: 'POST /m/{merchant}/refunds/{id}/reject',
  listDisputes: 'GET /m/{merchant}/disputes',
  getDispute: 'GET /m/{merchant}/disputes/{id}',
  acceptDispute: 'POST /m/{merchant}/disputes/{id}/accept',
  getDisputeEvidence: 'GET /m/{merchant}/disputes/{id}/evidence',
  changeDisputeEvidence: 'PATCH /m/{merchant}/disputes/{id}/evidence',
  addDisputeEvidenceFile: 'POST /m/{merchant}/disputes/{id}/evidence/files',
  submitDisputeEvidence: 'POST /m/{merchant}/disputes/{id}/evidence/submit',
  listWallets: 'GET /m/{merchant}/wallets',
  getBalance: 'GET /m/{merchant}/wallets/balance',
  getStatement: 'GET /m/{merchant}/wallets/statement',
  getWallet: 'GET /m/{merchant}/wallets/{id}',
  createWallet: 'POST /m/{merchant}/wallets',
  changeWallet: 'PATCH /m/{merchant}/wallets/{id}',
  getSummary: 'GET /m/{merchant}/wallets/summary',
  getBalanceHistory: 'GET /m/{merchant}/wallets/balance-history',
  createTransfer: 'POST /m/{merchant}/transfers',
  getTransfer: 'GET /m/{merchant}/transfers/{id}',
  listTransfers: 'GET /m/{merchant}/transfers',
  createTransferGrant: 'POST /m/{merchant}/transfer-grants',
  listTransferGrants: 'GET /m/{merchant}/transfer-grants',
  getTransferGrant: 'GET /m/{merchant}/transfer-grants/{id}',
  revokeTransferGrant: 'POST /m/{merchant}/transfer-grants/{id}/revoke',
  createWithdrawal: 'POST /m/{merchant}/withdrawals',
  listWithdrawals: 'GET /m/{merchant}/withdrawals',
  getWithdrawal: 'GET /m/{merchant}/withdrawals/{id}',
  cancelWithdrawal: 'POST /m/{merchant}/withdrawals/{id}/cancel',
  approveWithdrawal: 'POST /m/{merchant}/withdrawals/{id}/approve',
  rejectWithdrawal: 'POST /m/{merchant}/withdrawals/{id}/reject',
  createWithdrawalBatch: 'POST /m/{merchant}/withdrawal-batches',
  listWithdrawalBatches: 'GET /m/{merchant}/withdrawal-batches',
  getWithdrawalBatch: 'GET /m/{merchant}/withdrawal-batches/{id}',
  cancelWithdrawalBatch: 'POST /m/{merchant}/withdrawal-batches/{id}/cancel',
  approveWithdrawalBatch: 'POST /m/{merchant}/withdrawal-batches/{id}/approve',
  rejectWithdrawalBatch: 'POST /m/{merchant}/withdrawal-batches/{id}/reject',
  explainPayment: 'GET /m/{merchant}/payments/{id}/explain',
  explainRefund: 'GET /m/{merchant}/refunds/{id}/explain',
  explainWithdrawal: 'GET /m/{merchant}/withdrawals/{id}/explain',
  createPayoutSchedule: 'POST /m/{merchant}/payout-schedules',
  listPayoutSchedules: 'GET /m/{merchant}/payout-schedules',
  getPayoutSchedule: 'GET /m/{merchant}/payout-schedules/{id}',
  changePayoutSchedule: 'PATCH /m/{merchant}/payout-schedules/{id}',
  listEvents: 'GET /m/{merchant}/events',
  getEvent: 'GET /m/{merchant}/events/{id}',
  listDeliveries: 'GET /m/{merchant}/events/{id}/deliveries',
  getDelivery: 'GET /m/{merchant}/deliveries/{id}',
  resendDelivery: 'POST /m/{merchant}/deliveries/{id}/resend',
  listEventTypes: 'GET /m/{merchant}/event-types',
  listMetadataKeys: 'GET /m/{merchant}/metadata-keys',
  declareMetadataKeys: 'PUT /m/{merchant}/metadata-keys',
  listRequests: 'GET /m/{merchant}/requests',
  searchDeliveries: 'GET /m/{merchant}/deliveries',
  createWebhookEndpoint: 'POST /m/{merchant}/webhook-endpoints',
  listWebhookEndpoints: 'GET /m/{merchant}/webhook-endpoints',
  getWebhookEndpoint: 'GET /m/{merchant}/webhook-endpoints/{id}',
  changeWebhookEndpoint: 'PATCH /m/{merchant}/webhook-endpoints/{id}',
  rollWebhookSecret: 'POST /m/{merchant}/webhook-endpoints/{id}/roll-secret',
  pingWebhookEndpoint: 'POST /m/{merchant}/webhook-endpoints/{id}/ping',
  deleteWebhookEndpoint: 'DELETE /m/{merchant}/webhook-endpoints/{id}',
  createWebhookRecovery: 'POST /m/{merchant}/webhook-recoveries',
  listWebhookRecoveries: 'GET /m/{merchant}/webhook-recoveries',
  getWebhookRecovery: 'GET /m/{merchant}/webhook-recoveries/{id}',
  cancelWebhookRecovery: 'POST /m/{merchant}/webhook-recoveries/{id}/cancel',
  getSettings: 'GET /m/{merchant}/settings',
  setSettings: 'PUT /m/{merchant}/settings',
  createApiKey: 'POST /m/{merchant}/keys',
  listApiKeys: 'GET /m/{merchant}/keys',
  getApiKey: 'GET /m/{merchant}/keys/{id}',
  changeApiKey: 'PATCH /m/{merchant}/keys/{id}',
  rollApiKey: 'POST /m/{merchant}/keys/{id}/roll',
  revokeApiKey: 'POST /m/{merchant}/keys/{id}/revoke',
  listSubAccounts: 'GET /m/{merchant}/sub-accounts',
  getSubAccount: 'GET /m/{merchant}/sub-accounts/{id}',
  getSubAccountBalance: 'GET /m/{merchant}/sub-accounts/{id}/balance',
  listSubAccountKeys: 'GET /m/{merchant}/sub-accounts/{id}/keys',
  createSubAccount: 'POST /m/{merchant}/sub-accounts',
  changeSubAccount: 'PATCH /m/{merchant}/sub-accounts/{id}',
  createSubAccountKey: 'POST /m/{merchant}/sub-accounts/{id}/keys',
  listPaymentShares: 'GET /m/{merchant}/payments/{id}/shares',
  listShares: 'GET /m/{merchant}/shares',
  paySandboxPayment: 'POST /m/{merchant}/sandbox/payments/{id}/pay',
  createRehearsal: 'POST /m/{merchant}/sandbox/rehearsals',
  listRehearsals: 'GET /m/{merchant}/sandbox/rehearsals',
  getRehearsal: 'GET /m/{merchant}/sandbox/rehearsals/{id}',
  cancelRehearsal: 'POST /m/{merchant}/sandbox/rehearsals/{id}/cancel',
  advanceSandboxClock: 'POST /m/{merchant}/sandbox/clock',
  getSandboxClock: 'GET /m/{merchant}/sandbox/clock',
  getSession: 'GET /session',
  signInWithPassword: 'POST /session/password',
  giveSecondFactor: 'POST /session/second-factor',
  beginSecondFactor: 'POST /session/second-factor/options',
  beginPasskeySignIn: 'POST /session/passkey/options',
  signInWithPasskey: 'POST /session/passkey',
  signInWithLink: 'POST /session/link',
  getSite: 'GET /site',
  askNewPassword: 'POST /session/reset',
  openLink: 'POST /links/open',
  acceptLink: 'POST /links/accept',
  beginStepUp: 'POST /step-up/options',
  stepUp: 'POST /step-up',
  signOut: 'DELETE /session',
  changeProfile: 'PATCH /me',
  changePassword: 'POST /me/password',
  listSessions: 'GET /me/sessions',
  endSession: 'DELETE /me/sessions/{id}',
  endOtherSessions: 'DELETE /me/sessions',
  listPasskeys: 'GET /me/passkeys',
  beginPasskey: 'POST /me/passkeys/options',
  addPasskey: 'POST /me/passkeys',
  removePasskey: 'DELETE /me/passkeys/{id}',
  beginTotp: 'POST /me/totp',
  confirmTotp: 'POST /me/totp/confirm',
  removeTotp: 'DELETE /me/totp',
  renewRecoveryCodes: 'POST /me/recovery-codes',
  getOverview: 'GET /m/{merchant}/overview',
  getSetup: 'GET /m/{merchant}/setup',
  hideSetup: 'PUT /m/{merchant}/setup',
  findRecords: 'GET /m/{merchant}/records',
  searchEvents: 'GET /m/{merchant}/event-search',
  listMembers: 'GET /m/{merchant}/members',
  listMemberKeys: 'GET /m/{merchant}/members/{id}/keys',
  changeMember: 'PATCH /m/{merchant}/members/{id}',
  removeMember: 'DELETE /m/{merchant}/members/{id}',
  listInvitations: 'GET /m/{merchant}/invitations',
  createInvitation: 'POST /m/{merchant}/invitations',
  revokeInvitation: 'DELETE /m/{merchant}/invitations/{id}',
  listAudit: 'GET /m/{merchant}/audit',
  getMail: 'GET /m/{merchant}/mail',
  chooseNotice: 'PUT /m/{merchant}/mail/notices',
  chooseReceipts: 'PUT /m/{merchant}/mail/receipts',
  listTemplates: 'GET /m/{merchant}/templates',
  getTemplate: 'GET /m/{merchant}/templates/{id}',
  setTemplate: 'PUT /m/{merchant}/templates/{id}',
  checkTemplate: 'POST /m/{merchant}/templates/check',
  listTemplateRevisions: 'GET /m/{merchant}/templates/{id}/revisions',
  switchTemplate: 'PATCH /m/{merchant}/templates/{id}',
  getTemplateDraft: 'GET /m/{merchant}/templates/{id}/draft',
  saveTemplateDraft: 'PUT /m/{merchant}/templates/{id}/draft',
  discardTemplateDraft: 'DELETE /m/{merchant}/templates/{id}/draft',
  getAttention: 'GET /operator/attention',
  listMerchants: 'GET /operator/merchants',
  createMerchant: 'POST /operator/merchants',
  getMerchant: 'GET /operator/merchants/{id}',
  rotateMerchantWebhookSecret: 'POST /operator/merchants/{id}/rotate-webhook-secret',
  inviteToMerchant: 'POST /operator/merchants/{id}/invitations',
  activateSubAccount: 'POST /operator/merchants/{id}/activate',
  closeSubAccount: 'POST /operator/merchants/{id}/close',
  suspendMerchant: 'POST /operator/merchants/{id}/suspend',
  resumeMerchant: 'POST /operator/merchants/{id}/resume',
  freezeMerchant: 'POST /operator/merchants/{id}/freeze',
  unfreezeMerchant: 'POST /operator/merchants/{id}/unfreeze',
  listFreezes: 'GET /operator/freezes',
  freezeMoney: 'POST /operator/freezes',
  unfreezeMoney: 'POST /operator/freezes/end',
  listFees: 'GET /operator/merchants/{id}/fees',
  listPastFees: 'GET /operator/merchants/{id}/fee-history',
  setFee: 'PUT /operator/merchants/{id}/fees',
  listWithdrawalLimits: 'GET /operator/merchants/{id}/limits',
  changeWithdrawalLimits: 'PATCH /operator/merchants/{id}/limits',
  listAllowedDestinations: 'GET /operator/merchants/{id}/destinations',
  allowDestination: 'POST /operator/merchants/{id}/destinations',
  removeDestination: 'POST /operator/merchants/{id}/destinations/remove',
  listMerchantWallets: 'GET /operator/merchants/{id}/wallets',
  makeDefaultWallet: 'POST /operator/wallets/{id}/make-default',
  getConnectionHealth: 'GET /operator/connections/{id}/health',
  listConnectionTypes: 'GET /operator/connection-types',
  listConnections: 'GET /operator/connections',
  addConnection: 'POST /operator/connections',
  getConnection: 'GET /operator/connections/{id}',
  replaceConnection: 'PUT /operator/connections/{id}',
  switchConnection: 'PATCH /operator/connections/{id}',
  testConnection: 'POST /operator/connections/{id}/test',
  registerConnection: 'POST /operator/connections/{id}/register',
  listJobs: 'GET /operator/jobs',
  requestJob: 'POST /operator/jobs',
  getJob: 'GET /operator/jobs/{id}',
  cancelJob: 'POST /operator/jobs/{id}/cancel',
  listSuspense: 'GET /operator/suspense',
  resolveSuspense: 'POST /operator/suspense/{id}/resolve',
  listApprovals: 'GET /operator/approvals',
  approveProposal: 'POST /operator/approvals/{id}/approve',
  refuseProposal: 'POST /operator/approvals/{id}/refuse',
  proposeOwner: 'POST /operator/found-coins/{id}/propose',
  confirmOwner: 'POST /operator/found-coins/{id}/confirm',
  listOperatorWithdrawals: 'GET /operator/withdrawals',
  getOperatorWithdrawal: 'GET /operator/withdrawals/{id}',
  resolveWithdrawal: 'POST /operator/withdrawals/{id}/resolve',
  retryWithdrawal: 'POST /operator/withdrawals/{id}/retry',
  stopPayout: 'POST /operator/payouts/{id}/stop',
  listOpenRefunds: 'GET /operator/refunds',
  getOperatorRefund: 'GET /operator/refunds/{id}',
  endRefund: 'POST /operator/refunds/{id}/end',
  retryRefund: 'POST /operator/refunds/{id}/retry',
  beginUpload: 'POST /operator/uploads',
  addUploadPart: 'POST /operator/uploads/{id}/parts',
  listBankFiles: 'GET /operator/statements',
  listTypos: 'GET /operator/typos',
  acceptTypo: 'POST /operator/typos/accept',
  refuseTypo: 'POST /operator/typos/refuse',
  listHeldMovements: 'GET /operator/held',
  decideHeldMovement: 'POST /operator/held/decide',
  requestCorrection: 'POST /operator/statements/correct',
  listForeignMoney: 'GET /operator/foreign-money',
  endForeignMoney: 'POST /operator/foreign-money/{id}/done',
  listPaymentFiles: 'GET /operator/payment-files',
  listWaitingPayouts: 'GET /operator/waiting-payouts',
  makePaymentFile: 'POST /operator/payment-files',
  takePaymentFile: 'POST /operator/payment-files/{id}/take',
  listChains: 'GET /operator/chains',
  liftChain: 'POST /operator/chains/{id}/lift',
  listFailedSweeps: 'GET /operator/sweeps',
  listFoundCoins: 'GET /operator/found-coins',
  listHotWallets: 'GET /operator/hot-wallets',
  liftHotWallet: 'POST /operator/hot-wallets/lift',
  forecastGas: 'GET /operator/gas',
  listRefills: 'GET /operator/refills',
  listHangingTransactions: 'GET /operator/hanging-transactions',
  listQueues: 'GET /operator/queues',
  listQueueItems: 'GET /operator/queues/{id}',
  listParkedSignals: 'GET /operator/inbox',
  retrySignal: 'POST /operator/inbox/{id}/retry',
  dropSignal: 'POST /operator/inbox/{id}/drop',
  getCapacity: 'GET /operator/capacity',
  listUsers: 'GET /operator/users',
  getUser: 'GET /operator/users/{id}',
  listUserKeys: 'GET /operator/users/{id}/keys',
  disableUser: 'POST /operator/users/{id}/disable',
  enableUser: 'POST /operator/users/{id}/enable',
  removeUserFactors: 'POST /operator/users/{id}/remove-factors',
  createResetLink: 'POST /operator/users/{id}/reset-link',
  listOperatorAudit: 'GET /operator/audit',
  rollMerchantWebhookSecret: 'POST /m/{merchant}/webhook-secret/roll',
  getWithdrawalTerms: 'GET /m/{merchant}/withdrawal-terms',
  getWithdrawalLimits: 'GET /m/{merchant}/withdrawal-limits',
  getMonthReport: 'GET /m/{merchant}/report',
  reviewRefund: 'POST /m/{merchant}/payments/{id}/refunds/review',
  reviewWithdrawal: 'POST /m/{merchant}/withdrawals/review',
  reviewWithdrawalBatch: 'POST /m/{merchant}/withdrawal-batches/review',
  reviewPayoutSchedule: 'POST /m/{merchant}/payout-schedules/review',
  listSenders: 'GET /m/{merchant}/payments/{id}/senders',
} as const satisfies Record<keyof Calls, string>
