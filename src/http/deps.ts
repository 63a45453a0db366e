// What the API needs from the rest of the program. app.ts hands it in.
import type { Sql } from '#/db/client.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import type { Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Authenticator } from '#/merchants/authenticator.ts'
import type { CloseKind } from '#/payments/close.ts'
import type { PaymentCreator } from '#/payments/create.ts'
import type { Mode, Rails } from '#/rails/rail.ts'
import type { CreateWalletKind } from '#/wallets/create.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { GuardPolicy } from '#/webhooks/guard.ts'

/** How the sandbox's payer may behave. */
export const sandboxScenarios = ['exact', 'under', 'over', 'twice', 'late', 'reorged'] as const
export type SandboxScenario = (typeof sandboxScenarios)[number]

/** The payer that the sandbox plays. */
export type SandboxPayer = {
  pay(
    merchantId: MerchantId,
    paymentId: PaymentId,
    wish: { readonly amount?: bigint; readonly scenario: SandboxScenario },
  ): Promise<{
    readonly paymentId: PaymentId
    readonly scenario: SandboxScenario
    readonly txHashes: readonly string[]
  }>
}

/** One thing that must work before requests are welcome. */
export type ReadinessCheck = { readonly name: string; readonly ok: boolean }

export type RateLimit = {
  /** Requests a second that a key may make for ever. */
  readonly perSecond: number
  /** Requests that a key may make at once. */
  readonly burst: number
}

export type HttpDeps = {
  readonly log: Log
  readonly clock: Clock
  readonly sql: Sql
  readonly rails: Rails
  readonly authenticator: Authenticator
  readonly creator: PaymentCreator
  readonly lane: LedgerLane<EventDraft>
  readonly closeKind: CloseKind
  readonly walletKind: CreateWalletKind
  /** Where webhooks may go. */
  readonly webhookPolicy: Readonly<Record<Mode, GuardPolicy>>
  /** Absent: there is no sandbox here, and its routes are not found. */
  readonly sandbox?: SandboxPayer
  readonly ready: () => Promise<readonly ReadinessCheck[]>
  /** Of each key. Absent: no limit. */
  readonly rateLimit?: RateLimit
  /** Proxies in front whose word on the caller's address is believed: addresses or networks. None unless told. */
  readonly trustProxy?: readonly string[]
}
