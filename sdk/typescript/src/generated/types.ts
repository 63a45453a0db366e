// Made by generator/types.ts from openapi.json. Do not edit: npm run sdk writes it again.

/** Of an enumeration in an answer: a later version of the service may add values. */
export type Open<T extends string> = T | (string & {})

/** No fields. May be left out. */
export type AcceptDisputeRequest = Readonly<Record<string, never>>

/** Whose balance changed. AVAILABLE, PENDING and HELD: of one of your wallets. RECEIVABLE: what you owe. FEES: the operator’s fees. OUTSIDE: at the payer, the recipient or the provider. */
export type AccountRole = 'AVAILABLE' | 'PENDING' | 'HELD' | 'RECEIVABLE' | 'FEES' | 'OUTSIDE'

export type AddDisputeEvidenceFileRequest = {
  readonly kind: DisputeEvidenceFileKind
  /** The file’s name, as the bank sees it. */
  readonly name: string
  /** The bytes of the file in base64. */
  readonly content: string
}

export type AdvanceSandboxClockRequest = {
  /** An ISO 8601 duration of weeks, days, hours, minutes and seconds: more than nothing, at most 400 days. A day has 24 hours. */
  readonly advance: string
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

/** A key, without the key itself. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  /** The last four characters of the key. */
  readonly lastFour: string
  readonly status: Open<ApiKeyStatus>
  readonly scopes: readonly (Open<Scope>)[]
  /** The networks from which it may be used. Absent: from everywhere. */
  readonly allowedCidrs?: readonly string[] | undefined
  readonly createdAt: string
  readonly createdBy: ApiKeyCreator
  /** The key in whose place it was made. */
  readonly rolledFrom?: string | undefined
  /** The first key of those that it came of, by rolling or because a key made it. Keys of one lineage count as one person. */
  readonly lineage: string
  /** Who holds it, in the operator’s words. Keys of one person count as one. */
  readonly person?: string | undefined
  /** From then on it does not work. */
  readonly expiresAt?: string | undefined
  readonly revokedAt?: string | undefined
  /** When it was last used, to within a minute or two. Absent: never. */
  readonly lastUsedAt?: string | undefined
}

/** Who made it. */
export type ApiKeyCreator = {
  readonly kind: Open<ApiKeyMaker>
  /** API_KEY: which one. */
  readonly keyId?: string | undefined
  /** USER: who. */
  readonly userId?: string | undefined
}

/** One page. */
export type ApiKeyList = {
  readonly data: readonly ApiKey[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** API_KEY: a key of yours. USER: a person, in the dashboard. OPERATOR: a command of the operator. */
export type ApiKeyMaker = 'API_KEY' | 'USER' | 'OPERATOR'

/** Only an ACTIVE key works. */
export type ApiKeyStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED'

/** Who chose `approvalAbove`. AMOUNT: your operator. ONE_PERSON: your operator chose that one person pays out any amount. SUGGESTED: nobody; the suggested amount is in force. Absent: there is none, in a sandbox or a sub-account. */
export type ApprovalChoice = 'AMOUNT' | 'ONE_PERSON' | 'SUGGESTED'

/** No fields. May be left out. */
export type ApproveRefundRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type ApproveWithdrawalBatchRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type ApproveWithdrawalRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type ArchivePaymentLinkRequest = Readonly<Record<string, never>>

/** Available balances day by day, week by week, or month by month, oldest first. */
export type BalanceHistory = {
  readonly interval: Open<BalanceHistoryInterval>
  readonly timeZone: string
  readonly data: readonly BalanceHistoryEntry[]
}

/** One interval of one currency or wallet. */
export type BalanceHistoryEntry = {
  /** The first day. */
  readonly date: string
  readonly currency: Open<Currency>
  /** Only in the history of one wallet. */
  readonly walletId?: string | undefined
  /** At the start of the first day. Can be above 2^53. */
  readonly openingBalance: number
  /** What came in. For a currency without transfers between own wallets, for one wallet with them. Can be above 2^53. */
  readonly inflow: number
  /** What went out, likewise. Can be above 2^53. */
  readonly outflow: number
  /** At the end of the last day, or now. Can be above 2^53. */
  readonly closingBalance: number
}

/** What one row stands for. */
export type BalanceHistoryInterval = 'DAY' | 'WEEK' | 'MONTH'

export type BatchedWithdrawalRequest = {
  readonly type: WithdrawalType
  /** BRL for PIX, USDT for CRYPTO, EUR for SEPA. */
  readonly currency: Currency
  /** The wallet to debit. */
  readonly walletId?: string | undefined
  /** PIX: the recipient’s key. */
  readonly pixKey?: string | undefined
  /** CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one. */
  readonly cryptoAddress?: string | undefined
  /** CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name. */
  readonly cryptoNetwork?: string | undefined
  /** CRYPTO: default USDT. In any capitals. */
  readonly cryptoCurrency?: string | undefined
  /** SEPA: the recipient’s account; spaces do not count. */
  readonly iban?: string | undefined
  /** SEPA: the holder of the account, as the recipient’s bank has it. */
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: PixKeyTypeInput | undefined
  /** The recipient may read it. */
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  /** Receives withdrawal.* of it. A public https address. */
  readonly webhookUrl?: string | undefined
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount: number
}

/** The method of a call. */
export type CallMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Whose key it is, and what it may do. */
export type Caller = {
  readonly merchant: Merchant
  readonly key: ApiKey
  readonly limits: CallerLimits
}

/** A type and currency of withdrawals that is not listed has no limit. */
export type CallerLimits = {
  readonly requests?: RequestLimit | undefined
  readonly withdrawals: readonly WithdrawalLimit[]
}

/** No fields. May be left out. */
export type CancelPaymentRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type CancelRehearsalRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type CancelWebhookRecoveryRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type CancelWithdrawalBatchRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type CancelWithdrawalRequest = Readonly<Record<string, never>>

/** CREDIT_CARD: MANUAL authorises only, and you capture or cancel. Without it a card is captured at once. */
export type CaptureMode = 'AUTOMATIC' | 'MANUAL'

/** No amount: all that is authorised. */
export type CapturePaymentRequest = {
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount?: number | undefined
}

/** A type of event. */
export type CataloguedEventType = {
  readonly type: Open<EventType>
  /** When it is announced. */
  readonly description: string
  /** The version of Vintem that first announced it. */
  readonly since: string
  readonly example: Event
}

/** One page. */
export type CataloguedEventTypeList = {
  readonly data: readonly CataloguedEventType[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

export type ChangeApiKeyRequest = {
  /** What it is for, so that you recognise it. */
  readonly name?: string | undefined
  /** Those that it keeps, of those that it has. */
  readonly scopes?: readonly Scope[] | undefined
  /** The networks from which it may be used from now on, all within those of the calling key. `0.0.0.0/0` and `::/0` are everywhere. */
  readonly allowedCidrs?: readonly string[] | undefined
}

export type ChangeDisputeEvidenceRequest = {
  readonly texts?: DisputeEvidenceTextsRequest | undefined
  readonly removeFiles?: readonly DisputeEvidenceFileKind[] | undefined
}

export type ChangePayoutScheduleRequest = {
  readonly status?: PayoutScheduleStatus | undefined
  /** Minor units that stay in the wallet. Default 0. */
  readonly keep?: number | undefined
  /** The least amount that is paid out, in minor units. Default 1. */
  readonly minimum?: number | undefined
}

export type ChangeSubAccountRequest = {
  /** A name for people; not blank. */
  readonly name?: string | undefined
  /** Its tax id, as its country writes it. */
  readonly taxId?: string | undefined
  /** Your own name of it, such as a seller’s number. */
  readonly reference?: string | undefined
  /** The state that it is to have. */
  readonly state?: SubAccountState | undefined
}

export type ChangeWalletRequest = {
  /** A name for people. */
  readonly label?: string | undefined
  /** An inactive wallet pays nothing; what comes in is still credited. */
  readonly isActive?: boolean | undefined
}

export type ChangeWebhookEndpointRequest = {
  /** A public https address. */
  readonly url?: string | undefined
  readonly eventTypes?: readonly WebhookEndpointEventType[] | undefined
  /** For people. */
  readonly description?: string | undefined
  readonly status?: WebhookEndpointStatusInput | undefined
}

/** One span by which what is ahead came closer. */
export type ClockAdvance = {
  readonly id: string
  /** As it was sent. */
  readonly advance: string
  readonly status: Open<ClockAdvanceStatus>
  /** How far it was moved, in seconds. */
  readonly advancedSeconds: number
  /** What the clock does not wait for any more, such as a webhook that gets no answer. */
  readonly stillDue?: readonly ClockStillDue[] | undefined
  /** Simulated providers that have not moved their side yet. They are asked again. */
  readonly providersBehind?: readonly string[] | undefined
  readonly createdAt: string
  readonly completedAt?: string | undefined
}

/** ADVANCING: it waits, or goes on step by step. DONE: everything was moved. */
export type ClockAdvanceStatus = 'ADVANCING' | 'DONE'

/** Work that fell due and was not done in time. */
export type ClockStillDue = {
  readonly work: Open<ClockWork>
  /** How many; at most 1000 are counted. */
  readonly count: number
}

/** What fell due. */
export type ClockWork = 'PAYMENT_EXPIRY' | 'RELEASE' | 'PAYOUT_SCHEDULE' | 'DELIVERY' | 'FAILING_ENDPOINT' | 'REFUND' | 'WITHDRAWAL' | 'CAPTURE' | 'CHECK' | 'CANCELLATION' | 'SIGNAL' | 'RECONCILIATION'

/** The sums of each currency over all wallets. */
export type ConsolidatedBalance = {
  readonly data: readonly CurrencyBalance[]
  readonly asOf: string
}

export type CreateApiKeyRequest = {
  /** What it is for, so that you recognise it. */
  readonly name: string
  /** What it may do; nothing that the calling key may not. */
  readonly scopes: readonly Scope[]
  /** From when on it does not work; not later than the end of the calling key. Default: when that ends. */
  readonly expiresAt?: string | undefined
  /** The networks from which it may be used, all within those of the calling key. Default: those of the calling key. */
  readonly allowedCidrs?: readonly string[] | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreatePaymentLinkRequest = {
  /** What is paid for. The payer reads it, also at the provider. */
  readonly name: string
  /** More about it, on the page of the link. Plain text. */
  readonly description?: string | undefined
  /** Of the amounts. */
  readonly currency: Currency
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount?: number | undefined
  /** Minor units (cents): 1234 is 12.34. */
  readonly minAmount?: number | undefined
  /** Minor units (cents): 1234 is 12.34. */
  readonly maxAmount?: number | undefined
  /** Slug of a checkout template. Default: `default`. */
  readonly checkout?: string | undefined
  /** Of the methods of the template, these alone. */
  readonly paymentMethods?: readonly PaymentMethod[] | undefined
  /** How many payments may be PAID. One that can still be paid counts too, until it ends. Absent: any number. */
  readonly usesMax?: number | undefined
  /** From then on the link makes no payment. */
  readonly expiresAt?: string | undefined
  /** Seconds that each payer has. Default: an hour. */
  readonly expiresIn?: number | undefined
  /** Each payment of the link has it. */
  readonly metadata?: Metadata | undefined
  /** As of a payment: each payment of the link has it. */
  readonly webhookUrl?: string | undefined
  /** Where the page of a payment leads afterwards. An https address. */
  readonly returnUrl?: string | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreatePaymentRequest = {
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount: number
  /** Required for CRYPTO and PARTNER_PAY. */
  readonly currency?: Currency | undefined
  /** One method; required without a checkout, a filter with one. */
  readonly paymentMethods?: readonly PaymentMethod[] | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey: string
  /** The payer’s name. */
  readonly customerName?: string | undefined
  readonly customerEmail?: string | undefined
  /** The tax id of the payer’s country, with or without its mask: that of `customerAddress` or `customerCountry`, and in BRL also a CPF or CNPJ. Without a country: CPF or CNPJ; a CNPJ may have letters. */
  readonly customerTaxId?: string | undefined
  /** The payer’s phone: with its country code, or as the payer’s country writes it, where the method, the country or the currency says which that is. Shown as E.164. Required for MB_WAY without a checkout. */
  readonly customerPhone?: string | undefined
  readonly customerAddress?: PayerAddressRequest | undefined
  /** The payer’s country (ISO 3166-1 alpha-2, and XK for Kosovo). A checkout whose template lists no methods shows those of this country first. Default: that of the address. */
  readonly customerCountry?: string | undefined
  /** What the payer reads when paying (PIX). */
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly captureMode?: CaptureMode | undefined
  /** What the payment is for. quantity × amount of all items add up to the amount of the payment. At most 16 KiB as JSON. */
  readonly items?: readonly PaymentItemRequest[] | undefined
  /** Receives payment.*, refund.* and dispute.* of this payment. A public https address. */
  readonly webhookUrl?: string | undefined
  /** Slug of a checkout template. */
  readonly checkout?: string | undefined
  /** Where the payer’s page leads when the payer is done. Proves nothing. An https address. */
  readonly returnUrl?: string | undefined
  /** Where the payer’s page leads when the payer gives up. An https address. */
  readonly cancelUrl?: string | undefined
  /** Sub-accounts that get shares of what is received. You keep the rest. */
  readonly splits?: readonly PaymentSplitRequest[] | undefined
  /** The sub-account of the splits that pays our fee from its share. Default: you. */
  readonly feePayer?: string | undefined
  /** Seconds that the payer has. */
  readonly expiresIn?: number | undefined
}

export type CreatePayoutScheduleRequest = {
  readonly type: WithdrawalType
  /** BRL for PIX, USDT for CRYPTO, EUR for SEPA. */
  readonly currency: Currency
  /** The wallet that pays out: SPENDABLE and active. */
  readonly walletId: string
  /** PIX: the recipient’s key. */
  readonly pixKey?: string | undefined
  /** CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one. */
  readonly cryptoAddress?: string | undefined
  /** CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name. */
  readonly cryptoNetwork?: string | undefined
  /** CRYPTO: default USDT. In any capitals. */
  readonly cryptoCurrency?: string | undefined
  /** SEPA: the recipient’s account; spaces do not count. */
  readonly iban?: string | undefined
  /** SEPA: the holder of the account, as the recipient’s bank has it. */
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: PixKeyTypeInput | undefined
  /** The recipient may read it. */
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  /** Receives withdrawal.* of it. A public https address. */
  readonly webhookUrl?: string | undefined
  readonly rhythm: PayoutRhythm
  readonly weekday?: Weekday | undefined
  /** DAILY, WEEKLY: hour and minute. */
  readonly time?: string | undefined
  /** DAILY, WEEKLY: the IANA time zone of the time. */
  readonly timeZone?: string | undefined
  /** ABOVE: the balance, in minor units, at which it pays. */
  readonly above?: number | undefined
  /** Minor units that stay in the wallet. Default 0. */
  readonly keep?: number | undefined
  /** The least amount that is paid out, in minor units. Default 1. */
  readonly minimum?: number | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreateRefundRequest = {
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount?: number | undefined
  /** Where the money is to go. With it what came by CRYPTO is meant, without it the rest. */
  readonly cryptoAddress?: string | undefined
  /** Where the money is to go; spaces do not count. With it what came by SEPA_TRANSFER is meant. Default: the account that it came from. */
  readonly iban?: string | undefined
  /** The holder of the account. Default: the sender. Needed with another iban than the sender’s. */
  readonly beneficiary?: string | undefined
  /** The payer may read it. */
  readonly reason?: string | undefined
  /** Of a split payment: your wallet pays what sub-accounts lack of their shares, and they owe it to you. Without it such a refund is refused. */
  readonly coverShortfall?: boolean | undefined
  readonly metadata?: Metadata | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreateRehearsalRequest = {
  /** Your endpoint for webhooks. A public https address; in a sandbox on your own machine also http and 127.0.0.1. */
  readonly url: string
  /** Where your server answers what it has made of a payment. Without it the cases about effects are NOT_JUDGED. */
  readonly stateUrl?: string | undefined
  /** The same seed plays the same script. The ids are new each time. */
  readonly seed?: number | undefined
  /** Only these. Default: all. */
  readonly cases?: readonly RehearsalCase[] | undefined
}

export type CreateSubAccountKeyRequest = {
  /** A name for people. */
  readonly name: string
  readonly scopes: readonly Scope[]
}

export type CreateSubAccountRequest = {
  /** A name for people; not blank. */
  readonly name: string
  /** Its tax id, as its country writes it. */
  readonly taxId?: string | undefined
  /** Your own name of it, such as a seller’s number. */
  readonly reference?: string | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreateTransferGrantRequest = {
  /** Of the wallets that the parent may take from. */
  readonly currency: Currency
  /** Minor units (cents): 1234 is 12.34. */
  readonly maxAmount?: number | undefined
  /** From then on nothing is taken by it. */
  readonly expiresAt?: string | undefined
  /** For people: why. */
  readonly description?: string | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreateTransferRequest = {
  /** The wallet that pays. Needed unless `fromSubAccountId` is there. */
  readonly fromWalletId?: string | undefined
  /** A sub-account of yours pays, by a transfer grant of its that stands: from `fromWalletId`, by default its default wallet. */
  readonly fromSubAccountId?: string | undefined
  /** The wallet that gets it, in the same currency. Needed unless `toSubAccountId` is there. */
  readonly toWalletId?: string | undefined
  /** A sub-account of yours gets it: in `toWalletId`, by default its default wallet. */
  readonly toSubAccountId?: string | undefined
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount: number
  /** For people: shown in the statement, a sub-account’s too. */
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreateWalletRequest = {
  /** The currency of the wallet. */
  readonly currency: Currency
  readonly walletType: WalletType
  /** A name for people. */
  readonly label: string
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreateWebhookEndpointRequest = {
  /** A public https address. */
  readonly url: string
  readonly eventTypes?: readonly WebhookEndpointEventType[] | undefined
  /** For people. */
  readonly description?: string | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

export type CreateWebhookRecoveryRequest = {
  /** Absent: to the URLs of payments and withdrawals. */
  readonly endpointId?: string | undefined
  /** From this instant on. Either this or `afterSequence`. */
  readonly since?: string | undefined
  /** From the event after this sequence on. */
  readonly afterSequence?: number | undefined
  /** Until before this instant. Without an end: up to the newest event. */
  readonly until?: string | undefined
  /** Up to the event of this sequence, included. */
  readonly throughSequence?: number | undefined
  /** Only these types, of those that the endpoint takes. */
  readonly types?: readonly EventType[] | undefined
  /** Also what was delivered already. Default: false. */
  readonly includeDelivered?: boolean | undefined
}

/** The key may come as the header Idempotency-Key instead. */
export type CreateWithdrawalBatchRequest = {
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey: string
  readonly withdrawals: readonly BatchedWithdrawalRequest[]
}

export type CreateWithdrawalRequest = {
  readonly type: WithdrawalType
  /** BRL for PIX, USDT for CRYPTO, EUR for SEPA. */
  readonly currency: Currency
  /** The wallet to debit. */
  readonly walletId?: string | undefined
  /** PIX: the recipient’s key. */
  readonly pixKey?: string | undefined
  /** CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one. */
  readonly cryptoAddress?: string | undefined
  /** CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name. */
  readonly cryptoNetwork?: string | undefined
  /** CRYPTO: default USDT. In any capitals. */
  readonly cryptoCurrency?: string | undefined
  /** SEPA: the recipient’s account; spaces do not count. */
  readonly iban?: string | undefined
  /** SEPA: the holder of the account, as the recipient’s bank has it. */
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: PixKeyTypeInput | undefined
  /** The recipient may read it. */
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  /** Receives withdrawal.* of it. A public https address. */
  readonly webhookUrl?: string | undefined
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount: number
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

/** A payment as its creation returns it. */
export type CreatedPayment = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly status: Open<PaymentStatus>
  /** As it was sent. */
  readonly amount: number
  readonly currency: Open<Currency>
  readonly paymentMethods: readonly (Open<PaymentMethod>)[]
  /** Where to send the payer (CREDIT_CARD, PARTNER_PAY, local methods). */
  readonly cardRedirectUrl?: string | undefined
  /** The hosted page, when the payment was created with a checkout. */
  readonly checkoutUrl?: string | undefined
  /** The BR Code that the payer pastes into the bank’s app. */
  readonly pixCopyPaste?: string | undefined
  /** The same as a picture: `data:image/png;base64,…`. Not in lists and webhooks. */
  readonly pixQrCode?: string | undefined
  readonly voucher?: Voucher | undefined
  readonly sepa?: SepaTransfer | undefined
  readonly lastError?: PaymentError | undefined
  /** The key of the call that made it. A payment of a payment link has none. */
  readonly idempotencyKey?: string | undefined
  /** The slug of its checkout template. */
  readonly checkout?: string | undefined
  readonly customerName?: string | undefined
  readonly customerEmail?: string | undefined
  readonly customerTaxId?: string | undefined
  /** The payer’s phone as E.164: yours, or what the payer of a checkout entered. */
  readonly customerPhone?: string | undefined
  readonly customerAddress?: CustomerAddress | undefined
  /** ISO 3166-1 alpha-2, as you sent it. */
  readonly customerCountry?: string | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly captureMode?: Open<CaptureMode> | undefined
  /** What the payment is for. quantity × amount of all items add up to the amount of the payment. At most 16 KiB as JSON. */
  readonly items?: readonly PaymentItem[] | undefined
  readonly webhookUrl?: string | undefined
  readonly returnUrl?: string | undefined
  readonly cancelUrl?: string | undefined
  /** Sub-accounts that get shares of what is received. You keep the rest. */
  readonly splits?: readonly PaymentSplit[] | undefined
  /** The sub-account that pays our fee from its share. */
  readonly feePayer?: string | undefined
  readonly createdAt: string
  readonly expiresAt?: string | undefined
}

/** A new endpoint with its secret. When a key is sent again, the secret is absent. */
export type CreatedWebhookEndpoint = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly url: string
  /** The types that it gets. Absent: all. */
  readonly eventTypes?: readonly (Open<EventType>)[] | undefined
  readonly description?: string | undefined
  readonly status: Open<WebhookEndpointStatus>
  readonly disabledReason?: Open<WebhookEndpointDisabledReason> | undefined
  readonly disabledAt?: string | undefined
  /** Since when attempts do nothing but fail. */
  readonly failingSince?: string | undefined
  /** Until when the secret before the present one signs too. */
  readonly previousSecretUntil?: string | undefined
  readonly createdAt: string
  /** Grows with each change. */
  readonly version: number
  /** `whsec_` and base64. It is never shown again. */
  readonly secret?: string | undefined
}

/** ISO 4217, and USDT with two decimals. */
export type Currency = 'BRL' | 'EUR' | 'USD' | 'USDT'

/** One currency. */
export type CurrencyBalance = {
  readonly currency: Open<Currency>
  /** Can be withdrawn now. Can be above 2^53. */
  readonly balance: number
  /** Incoming: not final, or not released. Can be above 2^53. */
  readonly pendingBalance: number
  /** Set aside for withdrawals, refunds and disputes. Can be above 2^53. */
  readonly heldBalance: number
  /** The merchant’s debt; later credits repay it first. Can be above 2^53. */
  readonly owed: number
  /** Of a sub-account: shares that its parent covered. Whatever becomes available to it repays it. Can be above 2^53. */
  readonly owedToParent?: number | undefined
  /** What sub-accounts owe you: shares that you covered. Can be above 2^53. */
  readonly owedBySubAccounts?: number | undefined
  readonly byWalletType: readonly WalletTypeBalance[]
}

/** One currency. */
export type CurrencySummary = {
  readonly currency: Open<Currency>
  /** Before the first movement. Can be above 2^53. */
  readonly openingBalance: number
  /** All that came in, without transfers between own wallets. Can be above 2^53. */
  readonly inflow: number
  /** All that went out, without transfers between own wallets. Can be above 2^53. */
  readonly outflow: number
  /** `inflow` less `outflow`; also `closingBalance` less `openingBalance`. Can be beyond ±2^53. */
  readonly net: number
  /** After the last movement. Can be above 2^53. */
  readonly closingBalance: number
  readonly byKind: readonly KindSummary[]
}

/** The payer’s address: yours, or what the payer of a checkout entered. */
export type CustomerAddress = {
  readonly line1: string
  readonly line2?: string | undefined
  /** In Brazil: bairro. */
  readonly district?: string | undefined
  readonly city: string
  readonly region?: string | undefined
  readonly postcode?: string | undefined
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export type DeclareMetadataKeysRequest = {
  /** All of them: a key that is missing here is no longer declared. */
  readonly keys: readonly string[]
}

/** One event sent to one URL, with every attempt. */
export type Delivery = {
  readonly id: string
  readonly eventId: string
  /** The webhook endpoint that it goes to. Absent: the webhookUrl of a payment or a withdrawal. */
  readonly endpointId?: string | undefined
  readonly url: string
  readonly status: Open<DeliveryStatus>
  readonly nextAttemptAt?: string | undefined
  readonly attempts: readonly DeliveryAttempt[]
}

/** One attempt. */
export type DeliveryAttempt = {
  readonly at: string
  /** Milliseconds. */
  readonly durationMs: number
  /** The HTTP status that was answered. */
  readonly responseStatus?: number | undefined
  /** The first 4 KiB. */
  readonly responseBody?: string | undefined
  /** Why there was no answer. */
  readonly error?: string | undefined
}

/** One page. */
export type DeliveryList = {
  readonly data: readonly Delivery[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** PENDING: will be sent, or held while its endpoint is disabled. EXHAUSTED: every attempt failed. CANCELED: its endpoint was deleted. DELIVERED and EXHAUSTED can be sent again. */
export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | 'CANCELED'

/** One transfer to the payment’s address. */
export type Deposit = {
  readonly txHash: string
  /** Base units with 18 decimals. */
  readonly amount: string
  /** Blocks that hold it, its own included. */
  readonly confirmations: number
  /** Whether it counts as money. */
  readonly final: boolean
  readonly at: string
}

/** One page. */
export type DepositList = {
  readonly data: readonly Deposit[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** A payer who wants money back. */
export type Dispute = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly paymentId?: string | undefined
  readonly status: Open<DisputeStatus>
  readonly kind: Open<DisputeKind>
  /** The amount that the payer wants back. Can be above 2^53. */
  readonly amount: number
  readonly currency: Open<Currency>
  /** What the provider charges for it. Can be above 2^53. */
  readonly fee: number
  readonly reason?: string | undefined
  readonly evidenceDueAt?: string | undefined
  readonly createdAt: string
  readonly closedAt?: string | undefined
  /** Grows with each change. */
  readonly version: number
  /** In lists with `expand=payment`: the disputed payment. */
  readonly payment?: Payment | undefined
}

/** What a merchant says against a dispute. */
export type DisputeEvidence = {
  readonly disputeId: string
  readonly status: Open<DisputeEvidenceStatus>
  /** Whether it can be changed and submitted now. */
  readonly canChange: boolean
  readonly texts: DisputeEvidenceTexts
  readonly files: readonly DisputeEvidenceFile[]
  readonly changedAt?: string | undefined
  /** The key that changed it last. */
  readonly changedBy?: string | undefined
  readonly submittedAt?: string | undefined
  /** The key that submitted it. */
  readonly submittedBy?: string | undefined
  /** When the provider had it. */
  readonly sentAt?: string | undefined
  /** REFUSED: why. */
  readonly failureMessage?: string | undefined
  /** Grows with each change. */
  readonly version: number
}

export type DisputeEvidenceFile = {
  readonly kind: Open<DisputeEvidenceFileKind>
  readonly name: string
  readonly type: Open<DisputeEvidenceFileType>
  /** Bytes. */
  readonly size: number
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string
  readonly addedAt: string
  /** The key that added it. */
  readonly addedBy: string
}

/** What a file shows. One file for each. */
export type DisputeEvidenceFileKind = 'RECEIPT' | 'CUSTOMER_COMMUNICATION' | 'CUSTOMER_SIGNATURE' | 'SERVICE_DOCUMENTATION' | 'SHIPPING_DOCUMENTATION' | 'CANCELLATION_POLICY' | 'REFUND_POLICY' | 'DUPLICATE_CHARGE_DOCUMENTATION' | 'OTHER'

/** By the bytes of the file. */
export type DisputeEvidenceFileType = 'application/pdf' | 'image/png' | 'image/jpeg'

/** SENDING: submitted, and the provider has not confirmed it yet. REFUSED: the provider did not take it; it can be changed and submitted again. */
export type DisputeEvidenceStatus = 'NONE' | 'DRAFT' | 'SENDING' | 'SENT' | 'REFUSED'

/** What was written, by field. */
export type DisputeEvidenceTexts = {
  /** What was sold. */
  readonly productDescription?: string | undefined
  /** The payer’s name. */
  readonly customerName?: string | undefined
  /** The payer’s email. */
  readonly customerEmail?: string | undefined
  /** The address from which the payer bought. */
  readonly customerPurchaseIp?: string | undefined
  /** The billing address that the payer gave. */
  readonly billingAddress?: string | undefined
  /** How the payer used what was sold: times, addresses, actions. */
  readonly accessActivityLog?: string | undefined
  /** When the service was given. */
  readonly serviceDate?: string | undefined
  /** Where it was sent to. */
  readonly shippingAddress?: string | undefined
  /** Who carried it. */
  readonly shippingCarrier?: string | undefined
  /** When it was sent. */
  readonly shippingDate?: string | undefined
  /** The carrier’s number of it. */
  readonly shippingTrackingNumber?: string | undefined
  /** How and when the payer was shown the rules of cancellation. */
  readonly cancellationPolicyDisclosure?: string | undefined
  /** Why the subscription was not canceled. */
  readonly cancellationRebuttal?: string | undefined
  /** How and when the payer was shown the rules of refunds. */
  readonly refundPolicyDisclosure?: string | undefined
  /** Why no refund is due. */
  readonly refundRefusalExplanation?: string | undefined
  /** The provider’s id of the other charge. */
  readonly duplicateChargeId?: string | undefined
  /** How the two charges differ. */
  readonly duplicateChargeExplanation?: string | undefined
  /** Anything else that the bank should know. */
  readonly statement?: string | undefined
}

/** Fields that are left out stay; null removes a text. All texts together have at most 150,000 characters. */
export type DisputeEvidenceTextsRequest = {
  /** What was sold. */
  readonly productDescription?: string | null | undefined
  /** The payer’s name. */
  readonly customerName?: string | null | undefined
  /** The payer’s email. */
  readonly customerEmail?: string | null | undefined
  /** The address from which the payer bought. */
  readonly customerPurchaseIp?: string | null | undefined
  /** The billing address that the payer gave. */
  readonly billingAddress?: string | null | undefined
  /** How the payer used what was sold: times, addresses, actions. */
  readonly accessActivityLog?: string | null | undefined
  /** When the service was given. */
  readonly serviceDate?: string | null | undefined
  /** Where it was sent to. */
  readonly shippingAddress?: string | null | undefined
  /** Who carried it. */
  readonly shippingCarrier?: string | null | undefined
  /** When it was sent. */
  readonly shippingDate?: string | null | undefined
  /** The carrier’s number of it. */
  readonly shippingTrackingNumber?: string | null | undefined
  /** How and when the payer was shown the rules of cancellation. */
  readonly cancellationPolicyDisclosure?: string | null | undefined
  /** Why the subscription was not canceled. */
  readonly cancellationRebuttal?: string | null | undefined
  /** How and when the payer was shown the rules of refunds. */
  readonly refundPolicyDisclosure?: string | null | undefined
  /** Why no refund is due. */
  readonly refundRefusalExplanation?: string | null | undefined
  /** The provider’s id of the other charge. */
  readonly duplicateChargeId?: string | null | undefined
  /** How the two charges differ. */
  readonly duplicateChargeExplanation?: string | null | undefined
  /** Anything else that the bank should know. */
  readonly statement?: string | null | undefined
}

/** MED is the return of PIX after fraud or a bank’s error. */
export type DisputeKind = 'CHARGEBACK' | 'MED' | 'RECALL'

/** One page. */
export type DisputeList = {
  readonly data: readonly Dispute[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** It went back to the payer. */
export type DisputeLostEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'dispute.lost'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Dispute
}

/** The payer’s bank wants the money back: it is held. */
export type DisputeOpenedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'dispute.opened'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Dispute
}

/** OPEN: the money is held. LOST may become WON, when the funds are reinstated, and WON may become OPEN or LOST once more. */
export type DisputeStatus = 'OPEN' | 'WON' | 'LOST'

/** You keep the money; also after dispute.lost, when it is reinstated. */
export type DisputeWonEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'dispute.won'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Dispute
}

/** Something that changed: the same body that is sent to webhook URLs. */
export type Event = {
  readonly id: string
  readonly type: Open<EventType>
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  /** The resource as its own GET showed it then. */
  readonly data: Readonly<Record<string, unknown>>
}

/** One page. */
export type EventList = {
  readonly data: readonly Event[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
  /** There is nothing more for you up to this sequence: send it as `after` to go on. */
  readonly readTo: number
}

/** New ones may be added: ignore those that you do not know. */
export type EventType = 'payment.waiting' | 'payment.approved' | 'payment.completed' | 'payment.expired' | 'payment.failed' | 'payment.canceled' | 'payment.underpaid' | 'payment.received_after_close' | 'refund.created' | 'refund.completed' | 'refund.failed' | 'dispute.opened' | 'dispute.won' | 'dispute.lost' | 'withdrawal.created' | 'withdrawal.approval_required' | 'withdrawal.processing' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled' | 'withdrawal.returned' | 'wallet.created' | 'transfer.completed' | 'transfer_grant.created' | 'transfer_grant.revoked' | 'share.credited' | 'share.returned' | 'webhook_endpoint.disabled' | 'webhook_endpoint.ping' | 'service.restored'

/** payment: each row has its whole payment, as a list of payments shows it. */
export type Expansion = 'payment'

/** What is explained. */
export type ExplainedKind = 'PAYMENT' | 'REFUND' | 'WITHDRAWAL'

/** What happened to a record, in order. */
export type Explanation = {
  readonly id: string
  readonly kind: Open<ExplainedKind>
  /** The status of the record, as its own GET shows it. */
  readonly status: string
  readonly language: Open<Language>
  /** How it stands, as one sentence. */
  readonly summary: string
  readonly steps: readonly Step[]
  /** true: the payment has more than 100 refunds or more than 100 disputes, and the explanation follows the oldest 100 of each. */
  readonly truncated?: boolean | undefined
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** One thing that is wrong. */
export type FieldError = {
  /** A JSON pointer into the body, or to a field of the query. */
  readonly pointer: string
  readonly code: string
  readonly message: string
}

/** One kind of movement. */
export type KindSummary = {
  readonly kind: Open<StatementEntryKind>
  /** Rows of the statement. */
  readonly count: number
  /** What came in. Can be above 2^53. */
  readonly inflow: number
  /** What went out. A transfer between own wallets does both. Can be above 2^53. */
  readonly outflow: number
}

/** A language of our texts. */
export type Language = 'pt-BR' | 'en' | 'es'

/** Withdrawals that were accepted together. */
export type ListedWithdrawalBatch = {
  readonly id: string
  readonly status: Open<WithdrawalBatchStatus>
  /** How many withdrawals it has. */
  readonly count: number
  readonly idempotencyKey: string
  readonly createdAt: string
}

/** One page. */
export type ListedWithdrawalBatchList = {
  readonly data: readonly ListedWithdrawalBatch[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** That the process runs. */
export type Liveness = {
  readonly status: string
}

/** One call with a key of yours. Bodies are not kept. */
export type LoggedCall = {
  /** When the request came. */
  readonly receivedAt: string
  /** How long the answer took. */
  readonly durationMs: number
  readonly method: Open<CallMethod>
  /** Without the query. A text in the place of an id that is no UUID is not kept: it says {id} there. */
  readonly path: string
  /** Absent: the caller closed the connection before there was an answer. */
  readonly status?: number | undefined
  readonly code?: Open<ProblemCode> | undefined
  /** The key that called. */
  readonly keyId: string
  /** The header x-request-id of the answer. */
  readonly requestId: string
}

/** One page. */
export type LoggedCallList = {
  readonly data: readonly LoggedCall[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** Whose key it is. */
export type Merchant = {
  readonly id: string
  readonly name: string
  readonly mode: Open<Mode>
  readonly createdAt: string
}

/** Your own fields, returned as they are, numbers in the digits that you wrote. At most 8 KiB as JSON. No card numbers: digits grouped as on a card, or under a name that says card, are refused. */
export type Metadata = Readonly<Record<string, unknown>>

/** A key of your metadata that lists find records by. */
export type MetadataKey = {
  readonly key: string
  readonly status: Open<MetadataKeyStatus>
  readonly declaredAt: string
  /** While FILLING: records that were created before it are filled in. */
  readonly filledUntil?: string | undefined
}

/** All your declared keys. */
export type MetadataKeyList = {
  /** In the order in which they were declared. */
  readonly data: readonly MetadataKey[]
}

/** FILLING: earlier records are being filled in, and lists refuse the key. READY: lists find every record by it. */
export type MetadataKeyStatus = 'FILLING' | 'READY'

/** Whose money it is: real, or the sandbox’s. */
export type Mode = 'LIVE' | 'SANDBOX'

/** A key that was just made. */
export type NewApiKey = {
  readonly id: string
  readonly name: string
  /** The last four characters of the key. */
  readonly lastFour: string
  readonly status: Open<ApiKeyStatus>
  readonly scopes: readonly (Open<Scope>)[]
  /** The networks from which it may be used. Absent: from everywhere. */
  readonly allowedCidrs?: readonly string[] | undefined
  readonly createdAt: string
  readonly createdBy: ApiKeyCreator
  /** The key in whose place it was made. */
  readonly rolledFrom?: string | undefined
  /** The first key of those that it came of, by rolling or because a key made it. Keys of one lineage count as one person. */
  readonly lineage: string
  /** Who holds it, in the operator’s words. Keys of one person count as one. */
  readonly person?: string | undefined
  /** From then on it does not work. */
  readonly expiresAt?: string | undefined
  readonly revokedAt?: string | undefined
  /** When it was last used, to within a minute or two. Absent: never. */
  readonly lastUsedAt?: string | undefined
  /** The key itself, shown this once. Absent when the idempotency key made it before. */
  readonly key?: string | undefined
}

/** A sub-account that was just made. */
export type NewSubAccount = {
  /** It is a merchant of its own, and this is that merchant’s id. */
  readonly id: string
  readonly mode: Open<Mode>
  readonly name: string
  readonly state: Open<SubAccountState>
  readonly taxId?: string | undefined
  /** Your own name of it. */
  readonly reference?: string | undefined
  readonly suspendedBy?: Open<SubAccountSuspender> | undefined
  readonly createdAt: string
  /** When the operator last let it withdraw. */
  readonly activatedAt?: string | undefined
  /** Grows with each change. */
  readonly version: number
  /** Signs its webhooks. Shown this once; absent when the key made it before. */
  readonly webhookSecret?: string | undefined
}

export type PaySandboxPaymentRequest = {
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount?: number | undefined
  readonly scenario?: SandboxScenario | undefined
  /** Of a checkout: what the payer chooses. Required until a method was chosen, but for `expire`. */
  readonly method?: PaymentMethod | undefined
}

/** The payer’s address. Required, with region and postcode, for BOLETO without a checkout. */
export type PayerAddressRequest = {
  /** Street and number. */
  readonly line1: string
  /** Apartment, floor. */
  readonly line2?: string | undefined
  /** In Brazil: bairro. */
  readonly district?: string | undefined
  /** City. */
  readonly city: string
  /** State or province; in Brazil the two letters of the state. */
  readonly region?: string | undefined
  /** Postal code; in Brazil: CEP. */
  readonly postcode?: string | undefined
  /** ISO 3166-1 alpha-2: any country that there is, and XK for Kosovo. */
  readonly country: string
}

/** A payment. What does not apply is absent. */
export type Payment = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly status: Open<PaymentStatus>
  /** The amount that was requested. */
  readonly amount: number
  readonly currency: Open<Currency>
  readonly paymentMethods: readonly (Open<PaymentMethod>)[]
  /** The one that is or was used. */
  readonly paymentMethod?: Open<PaymentMethod> | undefined
  /** All that arrived and is final. Can be above 2^53. */
  readonly amountReceived: number
  /** The part of it that was refunded, or is on its way back. Can be above 2^53. */
  readonly amountRefunded: number
  /** The part of amountRefunded that is on its way back: its refunds are PENDING. Can be above 2^53. */
  readonly amountRefundPending: number
  readonly refundStatus: Open<PaymentRefundStatus>
  readonly exceptions: readonly (Open<PaymentException>)[]
  /** The operator’s fee. Can be above 2^53. */
  readonly fee: number
  /** Received less the fee. Can be above 2^53. */
  readonly netAmount: number
  /** The payment link that made it. */
  readonly paymentLinkId?: string | undefined
  /** The wallet that was credited. */
  readonly walletId?: string | undefined
  /** The key of the call that made it. A payment of a payment link has none. */
  readonly idempotencyKey?: string | undefined
  /** The slug of its checkout template. */
  readonly checkout?: string | undefined
  readonly customerName?: string | undefined
  readonly customerEmail?: string | undefined
  readonly customerTaxId?: string | undefined
  /** The payer’s phone as E.164: yours, or what the payer of a checkout entered. */
  readonly customerPhone?: string | undefined
  readonly customerAddress?: CustomerAddress | undefined
  /** ISO 3166-1 alpha-2, as you sent it. */
  readonly customerCountry?: string | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly captureMode?: Open<CaptureMode> | undefined
  /** What the payment is for. quantity × amount of all items add up to the amount of the payment. At most 16 KiB as JSON. */
  readonly items?: readonly PaymentItem[] | undefined
  readonly webhookUrl?: string | undefined
  readonly returnUrl?: string | undefined
  readonly cancelUrl?: string | undefined
  /** Sub-accounts that get shares of what is received. You keep the rest. */
  readonly splits?: readonly PaymentSplit[] | undefined
  /** The sub-account that pays our fee from its share. */
  readonly feePayer?: string | undefined
  /** What was known of its payer was erased then, with `description`, `metadata`, `items`, `returnUrl` and `cancelUrl`. */
  readonly payerErasedAt?: string | undefined
  readonly cardRedirectUrl?: string | undefined
  readonly checkoutUrl?: string | undefined
  /** The BR Code that the payer pastes into the bank’s app. */
  readonly pixCopyPaste?: string | undefined
  /** The same as a picture: `data:image/png;base64,…`. Not in lists and webhooks. */
  readonly pixQrCode?: string | undefined
  /** The names that the PIX system gave to what was paid: at most ten, the newest and the one that completed the sum. */
  readonly endToEndIds?: readonly string[] | undefined
  readonly card?: PaymentCard | undefined
  readonly voucher?: Voucher | undefined
  /** The address to pay to; this payment’s alone. */
  readonly cryptoAddress?: string | undefined
  /** What to send there, in base units with 18 decimals, whatever the token: divide by 10^18. A contract takes `cryptoAmountToken`. */
  readonly cryptoAmount?: string | undefined
  /** The same amount as the token’s contract counts it: what a wallet passes to `transfer`. */
  readonly cryptoAmountToken?: string | undefined
  /** The decimals of `cryptoAmountToken`. */
  readonly cryptoDecimals?: number | undefined
  /** The token’s contract, with its checksum (EIP-55). */
  readonly cryptoContract?: string | undefined
  /** The chain id of the network (EIP-155). */
  readonly cryptoChainId?: number | undefined
  /** The only network to send on. */
  readonly cryptoNetwork?: string | undefined
  /** The only token to send. */
  readonly cryptoCurrency?: string | undefined
  /** What counts as money at the address, in base units with 18 decimals. Present while that is no whole number of cents: `amountReceived` has the whole cents alone. */
  readonly cryptoReceived?: string | undefined
  /** How many transfers reached the address, in all. */
  readonly depositCount?: number | undefined
  /** At most ten, oldest first: the newest, and always the one that completed the sum. All of them: `GET /v1/payments/{id}/deposits`. */
  readonly deposits?: readonly Deposit[] | undefined
  readonly sepa?: SepaTransfer | undefined
  /** Only in webhooks and `GET /v1/events`: the transaction on the chain whose transfer completed the sum. Elsewhere: `deposits[].txHash`. */
  readonly onchainTxHash?: string | undefined
  readonly lastError?: PaymentError | undefined
  readonly createdAt: string
  readonly expiresAt?: string | undefined
  readonly approvedAt?: string | undefined
  readonly paidAt?: string | undefined
  /** Grows with each change. */
  readonly version: number
}

/** The card is authorised, and you have not captured it. */
export type PaymentApprovedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.approved'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** You canceled it. */
export type PaymentCanceledEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.canceled'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** The card, as its provider tells it. */
export type PaymentCard = {
  readonly brand?: string | undefined
  readonly last4?: string | undefined
  readonly threeDSecure?: string | undefined
}

/** The full amount is final: the payment is PAID. Also when it had expired and the money came late. */
export type PaymentCompletedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.completed'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** What the provider last refused. */
export type PaymentError = {
  readonly code: string
  readonly message: string
}

/** What is remarkable about the money of a payment. */
export type PaymentException = 'UNDERPAID' | 'OVERPAID' | 'LATE' | 'DUPLICATE'

/** Its time is over, and the amount is not on its way. */
export type PaymentExpiredEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.expired'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** Its provider ended it and nothing can follow: the payment is FAILED. Not when its creation already answered so. */
export type PaymentFailedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.failed'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** One line of what a payment is for. */
export type PaymentItem = {
  /** What the payer reads. One line. */
  readonly name: string
  /** How many units. */
  readonly quantity: number
  /** The price of one unit, in minor units. Negative for a discount, 0 for a gift. */
  readonly amount: number
}

/** One line of what a payment is for. Shipping and discounts are items of their own. */
export type PaymentItemRequest = {
  /** What the payer reads. One line. */
  readonly name: string
  /** How many units. */
  readonly quantity: number
  /** The price of one unit, in minor units. Negative for a discount, 0 for a gift. */
  readonly amount: number
}

/** A page to share; each use of it makes one payment. */
export type PaymentLink = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly status: Open<PaymentLinkStatus>
  /** The page to share. Opening it makes no payment; its form does. */
  readonly url: string
  /** The QR code of `url`, as an SVG for print. */
  readonly qrCodeUrl: string
  readonly name: string
  readonly description?: string | undefined
  readonly currency: Open<Currency>
  /** Minor units (cents): 1234 is 12.34. */
  readonly amount?: number | undefined
  /** Minor units (cents): 1234 is 12.34. */
  readonly minAmount?: number | undefined
  /** Minor units (cents): 1234 is 12.34. */
  readonly maxAmount?: number | undefined
  /** Slug of the checkout template. */
  readonly checkout: string
  readonly paymentMethods?: readonly (Open<PaymentMethod>)[] | undefined
  /** How many payments may be PAID. One that can still be paid counts too, until it ends. Absent: any number. */
  readonly usesMax?: number | undefined
  readonly uses: PaymentLinkUses
  /** From then on the link makes no payment. */
  readonly expiresAt?: string | undefined
  /** Seconds that each payer has. Default: an hour. */
  readonly expiresIn: number
  readonly metadata?: Metadata | undefined
  readonly webhookUrl?: string | undefined
  readonly returnUrl?: string | undefined
  readonly createdAt: string
  readonly archivedAt?: string | undefined
}

/** Only links that are archived, or only those that are not. */
export type PaymentLinkArchived = 'true' | 'false'

/** One page. */
export type PaymentLinkList = {
  readonly data: readonly PaymentLink[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** Only an ACTIVE link makes payments. USED_UP: active again when a payment that can still be paid ends without money. */
export type PaymentLinkStatus = 'ACTIVE' | 'USED_UP' | 'EXPIRED' | 'ARCHIVED'

/** The payments of a link. */
export type PaymentLinkUses = {
  /** Payments that are PAID, counted up to 10000. */
  readonly paid: number
  /** Payments that can still be paid, counted up to 10000. */
  readonly open: number
}

/** One page. */
export type PaymentList = {
  readonly data: readonly Payment[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** How a payment is paid. */
export type PaymentMethod = 'PIX' | 'CREDIT_CARD' | 'CRYPTO' | 'PARTNER_PAY' | 'MULTIBANCO' | 'MB_WAY' | 'IDEAL' | 'BANCONTACT' | 'BIZUM' | 'BOLETO' | 'SEPA_TRANSFER'

/** Money came that changes no status: after PAID, after CANCELED, or a part after EXPIRED. */
export type PaymentReceivedAfterCloseEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.received_after_close'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** How much of what was received went back. */
export type PaymentRefundStatus = 'NONE' | 'PARTIAL' | 'FULL'

/** What a sub-account gets of a payment, as its platform sees it. */
export type PaymentShare = {
  readonly id: string
  /** The wallet that is credited. */
  readonly walletId: string
  readonly currency: Open<Currency>
  /** A fixed part, when all is paid; pro rata before. */
  readonly amount?: number | undefined
  /** A part of all that is received: up to 100, as a text with at most four decimals. */
  readonly percent?: string | undefined
  /** What the sub-account reads. */
  readonly label?: string | undefined
  /** What the wallet got of the payment, less what went back. Can be above 2^53. */
  readonly amountCredited: number
  /** What of it waits for a settlement delay, less the fee. It cannot be withdrawn yet. Can be above 2^53. */
  readonly amountPending: number
  /** What it has paid of the operator’s fee. Can be above 2^53. */
  readonly fee: number
  /** Grows with each change. */
  readonly version: number
  readonly createdAt: string
  readonly paymentId: string
  readonly subAccountId: string
  /** What went back by refunds and disputes, all of them together. Can be above 2^53. */
  readonly amountReturned: number
  /** What you kept of it, because it came when the sub-account was closed. Can be above 2^53. */
  readonly amountKept?: number | undefined
  /** What of it you paid because the sub-account lacked it: its debt to you at that moment. Can be above 2^53. */
  readonly amountCovered: number
}

/** One page. */
export type PaymentShareList = {
  readonly data: readonly PaymentShare[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** What a sub-account gets. */
export type PaymentSplit = {
  /** A sub-account of yours. */
  readonly subAccountId: string
  /** A wallet of it. Default: its default wallet of the currency. */
  readonly walletId?: string | undefined
  /** A fixed part, when all is paid; pro rata before. */
  readonly amount?: number | undefined
  /** A part of all that is received: up to 100, as a text with at most four decimals. */
  readonly percent?: string | undefined
  /** What the sub-account reads. */
  readonly label?: string | undefined
}

/** What a sub-account gets: `amount` or `percent`, not both. */
export type PaymentSplitRequest = {
  /** A sub-account of yours. */
  readonly subAccountId: string
  /** A wallet of it. Default: its default wallet of the currency. */
  readonly walletId?: string | undefined
  /** A fixed part, when all is paid; pro rata before. */
  readonly amount?: number | undefined
  /** A part of all that is received: up to 100, as a text with at most four decimals. */
  readonly percent?: string | undefined
  /** What the sub-account reads. */
  readonly label?: string | undefined
}

/** PAID is for ever: refunds, disputes and exceptions say the rest. */
export type PaymentStatus = 'PENDING' | 'WAITING_PAYMENT' | 'APPROVED' | 'PAID' | 'EXPIRED' | 'FAILED' | 'CANCELED'

/** Money came and the amount is not reached; the payment still waits. */
export type PaymentUnderpaidEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.underpaid'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** The payer can pay now, after a PENDING: a method was chosen in a checkout. */
export type PaymentWaitingEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'payment.waiting'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Payment
}

/** DAILY needs time and timeZone, WEEKLY also weekday. ABOVE needs above: it pays whenever the balance has reached it. */
export type PayoutRhythm = 'DAILY' | 'WEEKLY' | 'ABOVE'

/** A wallet that pays out by itself. */
export type PayoutSchedule = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly status: Open<PayoutScheduleStatus>
  /** The wallet that pays out. */
  readonly walletId: string
  readonly currency: Open<Currency>
  readonly type: Open<WithdrawalType>
  /** PIX: the recipient’s key. */
  readonly pixKey?: string | undefined
  /** CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one. */
  readonly cryptoAddress?: string | undefined
  /** CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name. */
  readonly cryptoNetwork?: string | undefined
  /** CRYPTO: default USDT. In any capitals. */
  readonly cryptoCurrency?: string | undefined
  /** SEPA: the recipient’s account; spaces do not count. */
  readonly iban?: string | undefined
  /** SEPA: the holder of the account, as the recipient’s bank has it. */
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: Open<PixKeyType> | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly webhookUrl?: string | undefined
  readonly rhythm: Open<PayoutRhythm>
  readonly weekday?: Open<Weekday> | undefined
  readonly time?: string | undefined
  readonly timeZone?: string | undefined
  /** ABOVE: the balance, in minor units, at which it pays. */
  readonly above?: number | undefined
  /** Minor units that stay in the wallet. */
  readonly keep: number
  /** The least amount that is paid out, in minor units. */
  readonly minimum: number
  /** When it is looked at next. Absent while it is not ACTIVE. */
  readonly nextRunAt?: string | undefined
  readonly lastRunAt?: string | undefined
  readonly lastOutcome?: Open<PayoutScheduleOutcome> | undefined
  /** The last withdrawal that it made. */
  readonly lastWithdrawalId?: string | undefined
  readonly createdAt: string
  /** Grows with each change. */
  readonly version: number
}

/** One page. */
export type PayoutScheduleList = {
  readonly data: readonly PayoutSchedule[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** What came of the last run. REQUESTED: it made a withdrawal. REFUSED: the wallet does not pay, or the limits leave nothing. */
export type PayoutScheduleOutcome = 'REQUESTED' | 'NOTHING_TO_PAY' | 'NOT_LISTED' | 'FROZEN' | 'NOT_AVAILABLE' | 'REFUSED'

/** ENDED is for good. */
export type PayoutScheduleStatus = 'ACTIVE' | 'PAUSED' | 'ENDED'

/** No fields. May be left out. */
export type PingWebhookEndpointRequest = Readonly<Record<string, never>>

/** PIX: what the key is. */
export type PixKeyType = 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'EVP'

/** PIX: the type of the key; never guessed. RANDOM is EVP. A PHONE without +55 counts as Brazilian. */
export type PixKeyTypeInput = 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'EVP' | 'RANDOM'

/** What went wrong (RFC 9457). */
export type Problem = {
  readonly type: string
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  readonly code: Open<ProblemCode>
  readonly detail: string
  readonly requestId: string
  readonly errors?: readonly FieldError[] | undefined
}

/** The only field to decide by. */
export type ProblemCode = 'invalid_request' | 'unauthenticated' | 'forbidden' | 'address_not_allowed' | 'frozen' | 'merchant_suspended' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'idempotency_conflict' | 'invalid_state' | 'payload_too_large' | 'unsupported_media_type' | 'headers_too_large' | 'currency_not_supported' | 'method_not_available' | 'network_not_supported' | 'checkout_not_found' | 'insufficient_funds' | 'wallet_not_spendable' | 'limit_exceeded' | 'destination_not_allowed' | 'transfer_not_granted' | 'split_refused' | 'refund_exceeds_payment' | 'rate_limited' | 'internal' | 'provider_unavailable' | 'unavailable'

/** Whether requests are welcome. */
export type Readiness = {
  readonly status: Open<ReadinessStatus>
  readonly checks: ReadinessChecks
  readonly reasons?: ReadinessReasons | undefined
}

/** What must work before requests are welcome, and whether it does. */
export type ReadinessChecks = Readonly<Record<string, boolean>>

/** Why a check does not hold, by its name. */
export type ReadinessReasons = Readonly<Record<string, string>>

/** degraded: welcome but for a part, which `checks` names and `reasons` explains. */
export type ReadinessStatus = 'ready' | 'degraded' | 'not_ready'

/** Money of a payment that goes back to its payer. */
export type Refund = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly paymentId: string
  readonly status: Open<RefundStatus>
  /** The amount that goes back. Can be above 2^53. */
  readonly amount: number
  readonly currency: Open<Currency>
  /** CRYPTO: where the money goes. */
  readonly cryptoAddress?: string | undefined
  readonly cryptoNetwork?: string | undefined
  readonly cryptoCurrency?: string | undefined
  /** SEPA_TRANSFER: the account that the money goes to. */
  readonly iban?: string | undefined
  /** SEPA_TRANSFER: the holder of that account. */
  readonly beneficiary?: string | undefined
  /** CRYPTO: the transaction that took it there. */
  readonly txHash?: string | undefined
  readonly reason?: string | undefined
  readonly metadata?: Metadata | undefined
  /** Held, and not sent until a second person approves. */
  readonly approvalRequired?: boolean | undefined
  readonly failureCode?: string | undefined
  readonly failureMessage?: string | undefined
  readonly createdAt: string
  readonly completedAt?: string | undefined
  /** Grows with each change. */
  readonly version: number
  /** In lists with `expand=payment`: the payment whose money goes back. */
  readonly payment?: Payment | undefined
}

/** The money went back. */
export type RefundCompletedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'refund.completed'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Refund
}

/** A refund was requested, and its amount set aside. */
export type RefundCreatedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'refund.created'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Refund
}

/** It could not go back, or came back: it is in the wallet again. */
export type RefundFailedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'refund.failed'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  /** What it told of a payer was erased then: `data` has the other fields, and is delivered so. */
  readonly erasedAt?: string | undefined
  readonly data: Refund
}

/** One page. */
export type RefundList = {
  readonly data: readonly Refund[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** PENDING: held, the provider has not reported its end. */
export type RefundStatus = 'PENDING' | 'COMPLETED' | 'FAILED'

/** A test of your server. */
export type Rehearsal = {
  /** Also in the header vintem-rehearsal of each request. */
  readonly id: string
  readonly mode: Open<Mode>
  readonly status: Open<RehearsalStatus>
  readonly url: string
  readonly stateUrl?: string | undefined
  /** The same seed plays the same script. The ids are new each time. */
  readonly seed: number
  /** Cases that passed. */
  readonly passed: number
  /** Cases that failed. */
  readonly failed: number
  /** Cases that were not judged, or skipped. */
  readonly notJudged: number
  readonly createdAt: string
  readonly endedAt?: string | undefined
  readonly cases: readonly RehearsalCaseResult[]
}

/** GOOD_DELIVERY: A signed event is accepted. RAW_BODY: The signature is verified over the bytes that came. TWO_SIGNATURES: One valid signature of two is enough. FORGED_DELIVERY: Forged deliveries are refused. OLD_DELIVERY: Old deliveries are refused. REPLAYED_DELIVERY: A delivery that comes again is accepted. NEW_TYPE: A type that is not known is accepted. NEW_FIELD: Fields that are not known are accepted. MANY_AT_ONCE: Many deliveries at once are answered in time. DUPLICATED_DELIVERY: An event that comes twice counts once. REORDERED_DELIVERIES: An older event does not set the state back. LATE_PAYMENT: A payment that comes late counts. SPLIT_PAYMENT: A payment in two parts counts in full. PAID_TWICE: A payment that is paid twice is fulfilled once. REFUND_AND_DISPUTE: A refund and a dispute of the same money count once. New ones may be added. */
export type RehearsalCase = 'GOOD_DELIVERY' | 'RAW_BODY' | 'TWO_SIGNATURES' | 'FORGED_DELIVERY' | 'OLD_DELIVERY' | 'REPLAYED_DELIVERY' | 'NEW_TYPE' | 'NEW_FIELD' | 'MANY_AT_ONCE' | 'DUPLICATED_DELIVERY' | 'REORDERED_DELIVERIES' | 'LATE_PAYMENT' | 'SPLIT_PAYMENT' | 'PAID_TWICE' | 'REFUND_AND_DISPUTE'

/** One case, and how your server did. */
export type RehearsalCaseResult = {
  readonly case: Open<RehearsalCase>
  readonly title: string
  readonly status: Open<RehearsalCaseStatus>
  /** What a right server does. */
  readonly expected: string
  /** What yours did, or why it was not judged. */
  readonly observed?: string | undefined
  /** FAILED: what to change. */
  readonly fix?: string | undefined
  /** The section of the documentation: its path in the repository, and at an API that serves its documents. */
  readonly docs: string
  readonly deliveries: readonly RehearsalDelivery[]
}

/** NOT_JUDGED: it was played, and what has to be known could not be seen. SKIPPED: it was not played to its end. */
export type RehearsalCaseStatus = 'WAITING' | 'RUNNING' | 'PASSED' | 'FAILED' | 'NOT_JUDGED' | 'SKIPPED'

/** One request to your server. */
export type RehearsalDelivery = {
  /** What was special about it. */
  readonly what: string
  /** The type of the event. */
  readonly type: string
  /** Milliseconds. */
  readonly durationMs: number
  /** The HTTP status that was answered. */
  readonly responseStatus?: number | undefined
  /** The beginning of an answer that was not expected. */
  readonly responseBody?: string | undefined
  /** Why there was no answer. */
  readonly error?: string | undefined
}

/** PASSED: every case passed. FAILED: a case failed. INCOMPLETE: none failed, and not every one was judged. */
export type RehearsalStatus = 'RUNNING' | 'PASSED' | 'FAILED' | 'INCOMPLETE' | 'CANCELED'

/** A rehearsal without its cases. */
export type RehearsalSummary = {
  /** Also in the header vintem-rehearsal of each request. */
  readonly id: string
  readonly mode: Open<Mode>
  readonly status: Open<RehearsalStatus>
  readonly url: string
  readonly stateUrl?: string | undefined
  /** The same seed plays the same script. The ids are new each time. */
  readonly seed: number
  /** Cases that passed. */
  readonly passed: number
  /** Cases that failed. */
  readonly failed: number
  /** Cases that were not judged, or skipped. */
  readonly notJudged: number
  readonly createdAt: string
  readonly endedAt?: string | undefined
}

/** One page. */
export type RehearsalSummaryList = {
  readonly data: readonly RehearsalSummary[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** No fields. May be left out. */
export type RejectRefundRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type RejectWithdrawalBatchRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type RejectWithdrawalRequest = Readonly<Record<string, never>>

/** What was reported, when nothing was booked for it. */
export type ReportedOutcome = 'seen' | 'orphaned' | 'authorised' | 'voided' | 'paid' | 'declined' | 'refunded' | 'refund_failed' | 'dispute_opened' | 'dispute_taken' | 'dispute_won' | 'dispute_lost'

/** Of each process of the API. Absent: there is no limit. */
export type RequestLimit = {
  /** Requests a second that the key may make without end. */
  readonly perSecond: number
  /** Requests that the key may make at once. */
  readonly burst: number
}

/** No fields. May be left out. */
export type ResendDeliveryRequest = Readonly<Record<string, never>>

/** May have moved money. */
export type RestoreAskFirst = 'REFUND' | 'WITHDRAWAL' | 'TRANSFER'

/** What you made in that span: make it again. */
export type RestoreSendAgain = 'PAYMENT' | 'PAYMENT_LINK' | 'WALLET' | 'WEBHOOK_ENDPOINT'

/** No fields. May be left out. */
export type RevokeApiKeyRequest = Readonly<Record<string, never>>

/** No fields. May be left out. */
export type RevokeTransferGrantRequest = Readonly<Record<string, never>>

export type RollApiKeyRequest = {
  /** How long the old key works on. 0: it ends now. */
  readonly overlapHours?: number | undefined
  /** From when on the new key does not work; not later than the end of the calling key. Default: when the old key would have ended. */
  readonly expiresAt?: string | undefined
  /** The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree. */
  readonly idempotencyKey?: string | undefined
}

/** May be left out. */
export type RollWebhookSecretRequest = {
  /** Hours that the present secret signs beside the new one. Default: 24. */
  readonly overlapHours?: number | undefined
}

/** An endpoint with its new secret. */
export type RolledWebhookEndpoint = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly url: string
  /** The types that it gets. Absent: all. */
  readonly eventTypes?: readonly (Open<EventType>)[] | undefined
  readonly description?: string | undefined
  readonly status: Open<WebhookEndpointStatus>
  readonly disabledReason?: Open<WebhookEndpointDisabledReason> | undefined
  readonly disabledAt?: string | undefined
  /** Since when attempts do nothing but fail. */
  readonly failingSince?: string | undefined
  /** Until when the secret before the present one signs too. */
  readonly previousSecretUntil?: string | undefined
  readonly createdAt: string
  /** Grows with each change. */
  readonly version: number
  /** `whsec_` and base64. It is never shown again. */
  readonly secret: string
}

/** How far the dates of a merchant of the sandbox were moved. */
export type SandboxClock = {
  /** How far it was moved in all, in seconds. */
  readonly advancedSeconds: number
  /** The last 20 advances, newest first. */
  readonly data: readonly ClockAdvance[]
}

/** How the sandbox’s payer pays. */
export type SandboxPaymentResult = {
  readonly paymentId: string
  readonly scenario: Open<SandboxScenario>
  /** CRYPTO: the transactions that were sent. */
  readonly txHashes?: readonly string[] | undefined
  /** PIX: the end-to-end ids of what was paid. */
  readonly endToEndIds?: readonly string[] | undefined
}

/** exact: the amount. under, over: less, more. twice: two payments of it. late: after the payment expired. expire: nobody pays, and it expires now, by whatever method or before one is chosen. PIX: lost_webhook, repeated_webhook: the bank’s callback is lost, or comes three times. med: the payer’s bank takes it back. CREDIT_CARD: success, decline, insufficient_funds; challenge: with 3-D Secure; dispute: its holder wants the money back. CRYPTO: reorged: the block leaves the chain and the transfer comes back. PARTNER_PAY: confirm, refuse. MULTIBANCO: approve: paid, and reported a moment later. slow: on its way. fail: the money never arrives. MB_WAY: approve, decline; leave: nobody answers. IDEAL: approve, decline; leave: nobody answers. BANCONTACT: approve, decline; leave: nobody answers. BIZUM: approve, decline; leave: nobody answers. BOLETO: approve: paid, and reported a moment later. slow: on its way. fail: the money never arrives. SEPA_TRANSFER: no_reference: goes to suspense. typo: one character is wrong, so it waits for a person. */
export type SandboxScenario = 'exact' | 'under' | 'over' | 'twice' | 'late' | 'lost_webhook' | 'repeated_webhook' | 'med' | 'success' | 'decline' | 'insufficient_funds' | 'challenge' | 'dispute' | 'reorged' | 'confirm' | 'refuse' | 'approve' | 'slow' | 'fail' | 'leave' | 'no_reference' | 'typo' | 'expire'

/** What a key may do. New ones may be added. */
export type Scope = 'payments:read' | 'payments:write' | 'wallets:read' | 'wallets:write' | 'withdrawals:read' | 'withdrawals:write' | 'withdrawals:approve' | 'webhooks:read' | 'webhooks:write' | 'requests:read' | 'keys:read' | 'keys:write' | 'subaccounts:read' | 'subaccounts:write' | 'subaccounts:act' | 'sandbox'

/** SEPA_TRANSFER: where to send the money, and what to quote. */
export type SepaTransfer = {
  /** The account to pay to. */
  readonly iban: string
  /** The bank of the account, where it is known. */
  readonly bic?: string | undefined
  /** The holder of the account: the payer’s bank compares the name that the payer enters. */
  readonly beneficiary: string
  /** The creditor reference (ISO 11649) that the payer has to quote. This payment’s alone. */
  readonly reference: string
  /** A code that fills in the transfer in a bank’s app (EPC069-12): `data:image/png;base64,…`. Not in lists and webhooks. */
  readonly epcQrCode?: string | undefined
}

/** A restore of the service to an earlier moment. */
export type ServiceRestore = {
  /** The restore: the same for every merchant. */
  readonly id: string
  readonly mode: Open<Mode>
  /** The newest change that was restored. */
  readonly lostFrom: string
  /** When the repair began: what is answered from here on stays. */
  readonly lostTo: string
  /** The number of your last event that was restored; zero: there was none. */
  readonly lastSequence: number
  /** The number of your first event after the restore. Those in between may have been used, and are not used again. */
  readonly firstSequence: number
  /** What to send again if it was answered in that span. It is a new one: idempotency keys are lost too. */
  readonly sendAgain: readonly (Open<RestoreSendAgain>)[]
  /** What may have been carried out although its record is lost: ask the operator before you send it again. */
  readonly askFirst: readonly (Open<RestoreAskFirst>)[]
}

/** The operator restored the service to an earlier moment. What was answered between `lostFrom` and `lostTo` may be lost, and events with numbers between `lastSequence` and `firstSequence` will not come. Only endpoints get it. */
export type ServiceRestoredEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'service.restored'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: ServiceRestore
}

export type SetSettingsRequest = {
  /** Where the payer’s page leads when the payer is done, for payments that have no `returnUrl` of their own or of their template. Absent: none. An https address. */
  readonly returnUrl?: string | undefined
  /** Your name before the law. Receipts show it beside the name of the shop: the payer’s page, and mails to payers. */
  readonly legalName?: string | undefined
  /** Your tax id, which receipts show in full: that of `country`, and without one a CPF or CNPJ. With or without its mask. */
  readonly taxId?: string | undefined
  /** The country of your tax id (ISO 3166-1 alpha-2, and XK for Kosovo). Default: BR. */
  readonly country?: string | undefined
}

/** What you decide for all your payments. */
export type Settings = {
  /** Where the payer’s page leads when the payer is done, for payments that have no `returnUrl` of their own or of their template. Absent: the page stays. */
  readonly returnUrl?: string | undefined
  /** Your name before the law. Receipts show it beside the name of the shop: the payer’s page, and mails to payers. */
  readonly legalName?: string | undefined
  /** Your tax id, which receipts show in full: that of `country`, and without one a CPF or CNPJ. Without its mask. */
  readonly taxId?: string | undefined
  /** The country of your tax id (ISO 3166-1 alpha-2, and XK for Kosovo). Default: BR. */
  readonly country?: string | undefined
}

/** What a sub-account gets of a payment, as the sub-account sees it. */
export type Share = {
  readonly id: string
  /** The wallet that is credited. */
  readonly walletId: string
  readonly currency: Open<Currency>
  /** A fixed part, when all is paid; pro rata before. */
  readonly amount?: number | undefined
  /** A part of all that is received: up to 100, as a text with at most four decimals. */
  readonly percent?: string | undefined
  /** What the sub-account reads. */
  readonly label?: string | undefined
  /** What the wallet got of the payment, less what went back. Can be above 2^53. */
  readonly amountCredited: number
  /** What of it waits for a settlement delay, less the fee. It cannot be withdrawn yet. Can be above 2^53. */
  readonly amountPending: number
  /** What it has paid of the operator’s fee. Can be above 2^53. */
  readonly fee: number
  /** Grows with each change. */
  readonly version: number
  readonly createdAt: string
}

/** You are a sub-account, and a share of a payment, or more of one, came to you, or a part that waited for a settlement delay can be withdrawn now. `data` shows all that it is now; `amountPending` of it still waits. */
export type ShareCreditedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'share.credited'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Share
}

/** One page. */
export type ShareList = {
  readonly data: readonly Share[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** A share, or a part of one, went back by a refund or a dispute. */
export type ShareReturnedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'share.returned'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Share
}

/** Of a CSV file that a spreadsheet opens. `semicolon`: separated by `;`, with a decimal comma, as in Brazil; `comma`: separated by `,`, with a decimal point. Default: a file for programs. */
export type Spreadsheet = 'semicolon' | 'comma'

/** One posted movement of a wallet’s available balance. */
export type StatementEntry = {
  readonly id: string
  readonly walletId: string
  readonly currency: Open<Currency>
  readonly kind: Open<StatementEntryKind>
  /** Signed: positive came in, negative went out. Can be beyond ±2^53. */
  readonly amount: number
  /** The wallet’s balance after this movement. Can be above 2^53. */
  readonly balance: number
  readonly postedAt: string
  readonly description: string
  /** Of a share of a payment: what its platform called it. */
  readonly label?: string | undefined
  readonly paymentId?: string | undefined
  readonly refundId?: string | undefined
  readonly withdrawalId?: string | undefined
  readonly transferId?: string | undefined
  readonly disputeId?: string | undefined
}

/** What moved the balance. New ones may be added. */
export type StatementEntryKind = 'PAYMENT' | 'FEE' | 'REFUND' | 'REFUND_RETURNED' | 'WITHDRAWAL' | 'WITHDRAWAL_RETURNED' | 'TRANSFER' | 'DISPUTE' | 'DISPUTE_WON' | 'RELEASE' | 'RECEIVABLE_REPAID' | 'SHARE' | 'SHARE_FEE' | 'SHARE_RETURNED' | 'SHARE_REPAID' | 'ADJUSTMENT'

/** One page. */
export type StatementEntryList = {
  readonly data: readonly StatementEntry[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** Default: json. csv accepts neither limit nor cursor. */
export type StatementFormat = 'json' | 'csv'

/** The first digit of a status. */
export type StatusClass = '2XX' | '4XX' | '5XX'

/** Something that happened. What does not apply is absent. */
export type Step = {
  /** When it was learned or done. */
  readonly at: string
  readonly kind: Open<StepKind>
  readonly cause: Open<StepCause>
  /** The step as one sentence. */
  readonly text: string
  /** The amount that it is about. Can be above 2^53. */
  readonly amount?: number | undefined
  readonly currency?: Open<Currency> | undefined
  /** What had come by then and had not gone back. Can be above 2^53. */
  readonly received?: number | undefined
  /** What was still missing. Can be above 2^53. */
  readonly missing?: number | undefined
  /** The whole amount of the authorisation. Can be above 2^53. */
  readonly authorised?: number | undefined
  /** Your fee for the withdrawal. Can be above 2^53. */
  readonly fee?: number | undefined
  /** All that had come back by then. Can be above 2^53. */
  readonly returned?: number | undefined
  readonly method?: Open<PaymentMethod> | undefined
  readonly outcome?: Open<ReportedOutcome> | undefined
  /** The provider’s name of what it reported. */
  readonly providerRef?: string | undefined
  readonly endToEndId?: string | undefined
  readonly txHash?: string | undefined
  /** When it happened by the provider’s clock. */
  readonly happenedAt?: string | undefined
  /** The status of the record after the change. */
  readonly status?: string | undefined
  /** Why it failed. */
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** The API key that decided. */
  readonly keyId?: string | undefined
  /** The refund that it is about. */
  readonly refundId?: string | undefined
  /** The dispute that it is about. */
  readonly disputeId?: string | undefined
  /** The event that announced it. */
  readonly eventId?: string | undefined
  /** The type of the event. */
  readonly eventType?: Open<EventType> | undefined
  /** Where the money was. */
  readonly from?: Open<AccountRole> | undefined
  /** Where it went. */
  readonly to?: Open<AccountRole> | undefined
  readonly entries?: readonly StepEntry[] | undefined
  readonly delivery?: StepDelivery | undefined
}

/** What happened. New ones may be added: show `text` for those that you do not know. */
export type StepCause = 'DEPOSIT_SEEN' | 'DEPOSIT_VANISHED' | 'DEPOSIT_FINAL' | 'MONEY_REPORTED' | 'AUTHORISATION_REPORTED' | 'CAPTURE_REPORTED' | 'VOID_REPORTED' | 'DECLINE_REPORTED' | 'REFUND_REPORTED' | 'REFUND_FAILURE_REPORTED' | 'DISPUTE_REPORTED' | 'DISPUTE_TAKING_REPORTED' | 'DISPUTE_WIN_REPORTED' | 'DISPUTE_LOSS_REPORTED' | 'NOTHING_BOOKED' | 'PAYOUT_REPORTED' | 'PAYOUT_REFUSAL_REPORTED' | 'PAYOUT_RETURN_REPORTED' | 'PAYMENT_REQUESTED' | 'METHOD_CHOSEN' | 'READY_TO_PAY' | 'AUTHORISED' | 'PAID_IN_FULL' | 'PAID_TOO_MUCH' | 'PAID_LATE' | 'PAID_LATE_AND_TOO_MUCH' | 'PAID_BY_PARTIAL_CAPTURE' | 'PAID_TOO_LITTLE' | 'PAID_TOO_LITTLE_AFTER_END' | 'PAID_AGAIN' | 'PAID_AFTER_CANCELING' | 'TIME_RAN_OUT' | 'AUTHORISATION_LAPSED' | 'REFUSED_BY_PROVIDER' | 'PAYMENT_CANCELED' | 'AUTHORISATION_VOIDED' | 'REFUND_REQUESTED' | 'REFUND_NEEDS_APPROVAL' | 'REFUND_HELD_FOR_APPROVAL' | 'REFUND_APPROVED' | 'REFUND_REJECTED' | 'REFUND_DONE' | 'REFUND_DONE_AFTER_ALL' | 'REFUND_REFUSED' | 'REFUND_CAME_BACK' | 'REFUND_ENDED_BY_OPERATOR' | 'REFUND_DISPUTED' | 'REFUND_UNCOVERED' | 'DISPUTE_OPENED' | 'DISPUTE_OPENED_AGAIN' | 'EVIDENCE_SUBMITTED' | 'DISPUTE_WON' | 'DISPUTE_REINSTATED' | 'DISPUTE_LOST' | 'WITHDRAWAL_REQUESTED' | 'WITHDRAWAL_NEEDS_APPROVAL' | 'WITHDRAWAL_APPROVED' | 'WITHDRAWAL_REJECTED' | 'WITHDRAWAL_SENT' | 'WITHDRAWAL_DONE' | 'WITHDRAWAL_DONE_AFTER_ALL' | 'WITHDRAWAL_REFUSED' | 'WITHDRAWAL_CANCELED' | 'WITHDRAWAL_RETURNED' | 'WITHDRAWAL_RESOLVED_BY_OPERATOR' | 'WITHDRAWAL_STOPPED_BY_OPERATOR' | 'ANNOUNCED' | 'NO_LONGER_ANNOUNCED' | 'CREDITED' | 'CREDITED_TO_PENDING' | 'FEE_TAKEN' | 'DEBT_REPAID' | 'PARENT_DEBT_REPAID' | 'DEBT_MADE' | 'RELEASED' | 'HELD_FOR_REFUND' | 'HELD_FOR_DISPUTE' | 'HELD_FOR_WITHDRAWAL' | 'FEE_HELD' | 'HELD_MONEY_LEFT' | 'DISPUTED_MONEY_CAME_BACK' | 'DISPUTED_MONEY_FREED' | 'DISPUTE_FEE_TAKEN' | 'REFUND_MONEY_BACK' | 'WITHDRAWAL_MONEY_BACK' | 'FEE_BACK' | 'WITHDRAWAL_DEBITED' | 'MOVED' | 'DELIVERY_PENDING' | 'DELIVERED' | 'DELIVERY_EXHAUSTED' | 'DELIVERY_CANCELED'

/** How a delivery of an event stands. */
export type StepDelivery = {
  readonly id: string
  readonly url: string
  readonly status: Open<DeliveryStatus>
  /** Absent: it goes to the URL of its payment or withdrawal. */
  readonly endpointId?: string | undefined
  /** How often it was tried; 100 means at least that many. */
  readonly attempts: number
  /** The HTTP status of the last answer. */
  readonly responseStatus?: number | undefined
  /** Why the last attempt got no answer. */
  readonly error?: string | undefined
}

/** One entry in the books. */
export type StepEntry = {
  readonly account: Open<AccountRole>
  /** The wallet, if the balance is one of a wallet. */
  readonly walletId?: string | undefined
  /** The change of the balance. Can be beyond ±2^53. */
  readonly amount: number
}

/** OBSERVATION: what a chain showed. PROVIDER_ANSWER: what a provider reported. STATE_CHANGE: what became of a record. LEDGER: a transfer in the books. DELIVERY: an event on its way to your server. */
export type StepKind = 'OBSERVATION' | 'PROVIDER_ANSWER' | 'STATE_CHANGE' | 'LEDGER' | 'DELIVERY'

/** A merchant with a parent: wallets, keys, events and webhooks of its own. */
export type SubAccount = {
  /** It is a merchant of its own, and this is that merchant’s id. */
  readonly id: string
  readonly mode: Open<Mode>
  readonly name: string
  readonly state: Open<SubAccountState>
  readonly taxId?: string | undefined
  /** Your own name of it. */
  readonly reference?: string | undefined
  readonly suspendedBy?: Open<SubAccountSuspender> | undefined
  readonly createdAt: string
  /** When the operator last let it withdraw. */
  readonly activatedAt?: string | undefined
  /** Grows with each change. */
  readonly version: number
}

/** One page. */
export type SubAccountList = {
  readonly data: readonly SubAccount[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** PENDING receives and cannot withdraw. ACTIVE, by the operator alone, withdraws. SUSPENDED starts no payments, gets no new splits, and its money stays. CLOSED is final: its keys are not valid, nothing is started for it, and what still comes goes on to its parent. */
export type SubAccountState = 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED'

/** SUSPENDED: who may let it go on, besides the operator. */
export type SubAccountSuspender = 'PARENT' | 'OPERATOR'

export type SubmitDisputeEvidenceRequest = {
  /** The version of the evidence that is submitted. Another one is 409. */
  readonly version: number
}

/** Money that moved between two wallets of one currency, at once and for good: both yours, or one of a sub-account of yours. */
export type Transfer = {
  readonly id: string
  readonly mode: Open<Mode>
  /** The amount that moved. */
  readonly amount: number
  readonly currency: Open<Currency>
  /** Absent where it is one of your parent’s. */
  readonly fromWalletId?: string | undefined
  /** Absent where it is one of your parent’s. */
  readonly toWalletId?: string | undefined
  /** The sub-account of yours that paid. */
  readonly fromSubAccountId?: string | undefined
  /** The sub-account of yours that got it. */
  readonly toSubAccountId?: string | undefined
  /** Your parent paid: `true`, or absent. */
  readonly fromParent?: boolean | undefined
  /** Your parent took it, or it came for you after you were closed: `true`, or absent. */
  readonly toParent?: boolean | undefined
  /** The transfer grant by which it was taken from a sub-account. */
  readonly grantId?: string | undefined
  /** Money that came for a closed sub-account and went on to its parent: the payment, withdrawal or other record whose money it was, or the sub-account itself when the operator moved what it still had. */
  readonly sourceId?: string | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  /** Grows with each change. */
  readonly version: number
  readonly createdAt: string
}

/** Money moved between two wallets: both yours, or one of a sub-account or your parent, which gets an event of its own. With `sourceId` it came for a sub-account that is closed, and went on to its parent. No webhookUrl belongs to it: only endpoints get it. */
export type TransferCompletedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'transfer.completed'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Transfer
}

/** A sub-account lets its parent take money from its wallets of one currency. */
export type TransferGrant = {
  readonly id: string
  readonly mode: Open<Mode>
  /** Who gave it. Absent where it is you. */
  readonly subAccountId?: string | undefined
  readonly status: Open<TransferGrantStatus>
  readonly currency: Open<Currency>
  /** What may be taken, all transfers together. */
  readonly maxAmount?: number | undefined
  /** What was taken by it. Can be above 2^53. */
  readonly amountTaken: number
  readonly expiresAt?: string | undefined
  readonly description?: string | undefined
  readonly createdAt: string
  readonly revokedAt?: string | undefined
  /** Grows with each change. */
  readonly version: number
}

/** A sub-account let its parent take money by transfer. Both get it: the sub-account and the parent. */
export type TransferGrantCreatedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'transfer_grant.created'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: TransferGrant
}

/** One page. */
export type TransferGrantList = {
  readonly data: readonly TransferGrant[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** The sub-account ended a transfer grant, or the operator did, when closing the sub-account. Both get it. */
export type TransferGrantRevokedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'transfer_grant.revoked'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: TransferGrant
}

/** ACTIVE: it stands. USED_UP: `maxAmount` was taken. EXPIRED: `expiresAt` has come. REVOKED: the sub-account ended it, or the operator did, when closing the sub-account. */
export type TransferGrantStatus = 'ACTIVE' | 'USED_UP' | 'EXPIRED' | 'REVOKED'

/** One page. */
export type TransferList = {
  readonly data: readonly Transfer[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** What the payer takes to a bank (MULTIBANCO, BOLETO). Not on a payment with a checkout. */
export type Voucher = {
  /** MULTIBANCO. */
  readonly entity?: string | undefined
  /** MULTIBANCO. */
  readonly reference?: string | undefined
  /** BOLETO: 47 digits. */
  readonly line?: string | undefined
  /** BOLETO: 44 digits, to be drawn as ITF. */
  readonly barcode?: string | undefined
  /** BOLETO: its PDF at the provider. */
  readonly pdfUrl?: string | undefined
  readonly expiresAt?: string | undefined
}

/** A wallet with its balances, in minor units. */
export type Wallet = {
  readonly id: string
  readonly currency: Open<Currency>
  readonly label: string
  readonly walletType: Open<WalletType>
  /** Money received in the currency is credited here. */
  readonly isDefault: boolean
  readonly isActive: boolean
  /** Grows with each change. */
  readonly version: number
  readonly createdAt: string
  /** Can be withdrawn now. Can be above 2^53. */
  readonly balance: number
  /** Incoming: not final, or not released. Can be above 2^53. */
  readonly pendingBalance: number
  /** Set aside for withdrawals, refunds and disputes. Can be above 2^53. */
  readonly heldBalance: number
  /** With `at`: the instant of the balances. */
  readonly asOf?: string | undefined
}

/** A wallet was created. No webhookUrl belongs to a wallet: only endpoints get it. */
export type WalletCreatedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'wallet.created'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Wallet
}

/** One page. */
export type WalletList = {
  readonly data: readonly Wallet[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** What moved on the available balances of each currency’s wallets. */
export type WalletSummary = {
  /** Inclusive. */
  readonly from: string
  /** Exclusive. */
  readonly to: string
  readonly data: readonly CurrencySummary[]
}

/** RESERVE pays no withdrawals. */
export type WalletType = 'SPENDABLE' | 'RESERVE'

/** One type. */
export type WalletTypeBalance = {
  readonly walletType: Open<WalletType>
  /** Can be withdrawn now. Can be above 2^53. */
  readonly balance: number
  /** Incoming: not final, or not released. Can be above 2^53. */
  readonly pendingBalance: number
  /** Set aside for withdrawals, refunds and disputes. Can be above 2^53. */
  readonly heldBalance: number
}

/** A URL that gets your events. */
export type WebhookEndpoint = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly url: string
  /** The types that it gets. Absent: all. */
  readonly eventTypes?: readonly (Open<EventType>)[] | undefined
  readonly description?: string | undefined
  readonly status: Open<WebhookEndpointStatus>
  readonly disabledReason?: Open<WebhookEndpointDisabledReason> | undefined
  readonly disabledAt?: string | undefined
  /** Since when attempts do nothing but fail. */
  readonly failingSince?: string | undefined
  /** Until when the secret before the present one signs too. */
  readonly previousSecretUntil?: string | undefined
  readonly createdAt: string
  /** Grows with each change. */
  readonly version: number
}

/** We disabled a webhook endpoint because it only failed. Your other endpoints get it. */
export type WebhookEndpointDisabledEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'webhook_endpoint.disabled'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: WebhookEndpoint
}

/** REQUESTED: by you. FAILING: it only failed for five days. GONE: it answered 410. */
export type WebhookEndpointDisabledReason = 'REQUESTED' | 'FAILING' | 'GONE'

/** `*`, by itself: all types, also those to come. */
export type WebhookEndpointEventType = 'payment.waiting' | 'payment.approved' | 'payment.completed' | 'payment.expired' | 'payment.failed' | 'payment.canceled' | 'payment.underpaid' | 'payment.received_after_close' | 'refund.created' | 'refund.completed' | 'refund.failed' | 'dispute.opened' | 'dispute.won' | 'dispute.lost' | 'withdrawal.created' | 'withdrawal.approval_required' | 'withdrawal.processing' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled' | 'withdrawal.returned' | 'wallet.created' | 'transfer.completed' | 'transfer_grant.created' | 'transfer_grant.revoked' | 'share.credited' | 'share.returned' | 'webhook_endpoint.disabled' | 'service.restored' | '*'

/** One page. */
export type WebhookEndpointList = {
  readonly data: readonly WebhookEndpoint[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** You pinged a webhook endpoint. It alone gets it. */
export type WebhookEndpointPingEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'webhook_endpoint.ping'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: WebhookEndpoint
}

/** DISABLED: what is announced is held. DELETED is only in the answer of its deletion. */
export type WebhookEndpointStatus = 'ENABLED' | 'DISABLED' | 'DELETED'

/** ENABLED sends what was held, in order. */
export type WebhookEndpointStatusInput = 'ENABLED' | 'DISABLED'

/** What is sent to webhook URLs. New types may be added: ignore those that you do not know. */
export type WebhookEvent = PaymentWaitingEvent | PaymentApprovedEvent | PaymentCompletedEvent | PaymentExpiredEvent | PaymentFailedEvent | PaymentCanceledEvent | PaymentUnderpaidEvent | PaymentReceivedAfterCloseEvent | RefundCreatedEvent | RefundCompletedEvent | RefundFailedEvent | DisputeOpenedEvent | DisputeWonEvent | DisputeLostEvent | WithdrawalCreatedEvent | WithdrawalApprovalRequiredEvent | WithdrawalProcessingEvent | WithdrawalCompletedEvent | WithdrawalFailedEvent | WithdrawalCanceledEvent | WithdrawalReturnedEvent | WalletCreatedEvent | TransferCompletedEvent | TransferGrantCreatedEvent | TransferGrantRevokedEvent | ShareCreditedEvent | ShareReturnedEvent | WebhookEndpointDisabledEvent | WebhookEndpointPingEvent | ServiceRestoredEvent

/** A ping on its way. */
export type WebhookPing = {
  /** The event that is sent. */
  readonly eventId: string
}

/** Events of a span that are sent again. */
export type WebhookRecovery = {
  readonly id: string
  /** Absent: to the URLs of payments and withdrawals. */
  readonly endpointId?: string | undefined
  readonly status: Open<WebhookRecoveryStatus>
  /** It begins with the event after this one. */
  readonly afterSequence: number
  /** It ends with this event. */
  readonly throughSequence: number
  /** It has come up to this event. */
  readonly reachedSequence: number
  /** Absent: all that the endpoint takes. */
  readonly types?: readonly (Open<EventType>)[] | undefined
  readonly includeDelivered: boolean
  /** How many deliveries it has made due. */
  readonly deliveries: number
  readonly createdAt: string
  readonly endedAt?: string | undefined
}

/** One page. */
export type WebhookRecoveryList = {
  readonly data: readonly WebhookRecovery[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** DONE: all of the span was looked at. What is to be sent again is on its way. */
export type WebhookRecoveryStatus = 'RUNNING' | 'DONE' | 'CANCELED'

/** WEEKLY: the day. */
export type Weekday = 'MONDAY' | 'TUESDAY' | 'WEDNESDAY' | 'THURSDAY' | 'FRIDAY' | 'SATURDAY' | 'SUNDAY'

/** Money that leaves. */
export type Withdrawal = {
  readonly id: string
  readonly mode: Open<Mode>
  readonly type: Open<WithdrawalType>
  readonly status: Open<WithdrawalStatus>
  /** The amount that the recipient gets. */
  readonly amount: number
  /** On top of the amount. Can be above 2^53. */
  readonly fee: number
  /** Amount and fee. Can be above 2^53. */
  readonly totalDebited: number
  readonly currency: Open<Currency>
  /** The wallet it leaves from. */
  readonly walletId: string
  /** The batch that it was requested in. */
  readonly batchId?: string | undefined
  /** The schedule that requested it. */
  readonly payoutScheduleId?: string | undefined
  /** PIX: the recipient’s key. */
  readonly pixKey?: string | undefined
  /** CRYPTO: the recipient’s address. Its checksum (EIP-55) is checked when it has one. */
  readonly cryptoAddress?: string | undefined
  /** CRYPTO: default BSC. In any capitals, or an alias such as BEP20; the record has the name. */
  readonly cryptoNetwork?: string | undefined
  /** CRYPTO: default USDT. In any capitals. */
  readonly cryptoCurrency?: string | undefined
  /** SEPA: the recipient’s account; spaces do not count. */
  readonly iban?: string | undefined
  /** SEPA: the holder of the account, as the recipient’s bank has it. */
  readonly beneficiary?: string | undefined
  readonly pixKeyType?: Open<PixKeyType> | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly webhookUrl?: string | undefined
  /** The provider’s own id of it. */
  readonly providerRef?: string | undefined
  /** PIX: its end-to-end id. */
  readonly endToEndId?: string | undefined
  /** CRYPTO: the transaction. */
  readonly txHash?: string | undefined
  readonly failureCode?: string | undefined
  readonly failureMessage?: string | undefined
  /** The amount that came back after it was completed. Can be above 2^53. */
  readonly amountReturned?: number | undefined
  /** Its end is unknown for so long that the operator has to check it, or it is not sent because limits do not allow it any more. */
  readonly reviewRequired?: boolean | undefined
  readonly createdAt: string
  readonly completedAt?: string | undefined
  /** Grows with each change. */
  readonly version: number
}

/** A person has to approve it. */
export type WithdrawalApprovalRequiredEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'withdrawal.approval_required'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Withdrawal
}

/** Withdrawals that were accepted together. Each has its own end. */
export type WithdrawalBatch = {
  readonly id: string
  readonly status: Open<WithdrawalBatchStatus>
  /** How many withdrawals it has. */
  readonly count: number
  readonly idempotencyKey: string
  readonly createdAt: string
  readonly progress: readonly WithdrawalBatchProgress[]
}

/** The withdrawals of one status and currency. */
export type WithdrawalBatchProgress = {
  readonly status: Open<WithdrawalStatus>
  readonly currency: Open<Currency>
  /** Withdrawals of this status and currency. */
  readonly count: number
  /** Their amounts together. Can be above 2^53. */
  readonly amount: number
  /** Their fees together. Can be above 2^53. */
  readonly fee: number
}

/** PENDING_APPROVAL: it waits for a second key. IN_PROGRESS: the end of a withdrawal of it is not known yet. ENDED: each has its end. */
export type WithdrawalBatchStatus = 'PENDING_APPROVAL' | 'IN_PROGRESS' | 'ENDED'

/** It was canceled before it was sent. */
export type WithdrawalCanceledEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'withdrawal.canceled'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Withdrawal
}

/** It arrived. */
export type WithdrawalCompletedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'withdrawal.completed'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Withdrawal
}

/** A withdrawal was accepted and its amount set aside. */
export type WithdrawalCreatedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'withdrawal.created'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Withdrawal
}

/** It did not arrive, and the amount is back. */
export type WithdrawalFailedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'withdrawal.failed'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Withdrawal
}

/** What the operator allows in one currency. Fees do not count. */
export type WithdrawalLimit = {
  readonly type: Open<WithdrawalType>
  readonly currency: Open<Currency>
  /** The most that one withdrawal may be. Can be above 2^53. */
  readonly each?: number | undefined
  /** The most that may leave on one day in UTC. Can be above 2^53. */
  readonly day?: number | undefined
  /** What was accepted today, in UTC. Can be above 2^53. */
  readonly spentToday: number
  /** Above this amount a withdrawal waits for a second key. 0: always. Can be above 2^53. */
  readonly approvalAbove?: number | undefined
  readonly approvalChoice?: Open<ApprovalChoice> | undefined
  /** Only to destinations on the merchant’s list. */
  readonly listedOnly: boolean
}

/** One page. */
export type WithdrawalList = {
  readonly data: readonly Withdrawal[]
  /** Send it as `cursor` for the next page; absent on the last. */
  readonly nextCursor?: string | undefined
}

/** It is being sent. */
export type WithdrawalProcessingEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'withdrawal.processing'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Withdrawal
}

/** It had arrived and came back. */
export type WithdrawalReturnedEvent = {
  /** The same in every attempt, and in the header webhook-id. */
  readonly id: string
  readonly type: 'withdrawal.returned'
  /** When it happened. */
  readonly timestamp: string
  readonly mode: Open<Mode>
  /** Numbers the merchant’s events without gaps; `service.restored` alone follows one. */
  readonly sequence: number
  readonly data: Withdrawal
}

/** PROCESSING: sent to the provider, its end is not known. COMPLETED: the recipient has it. */
export type WithdrawalStatus = 'PENDING' | 'PENDING_APPROVAL' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'CANCELED'

/** How the money leaves. */
export type WithdrawalType = 'PIX' | 'CRYPTO' | 'SEPA'
