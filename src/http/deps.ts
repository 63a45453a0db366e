// The dependencies of the API. app/server.ts passes them in.
import type { Sql } from '#/db/client.ts'
import type { Drain } from '#/edge/drain.ts'
import type { EdgeOptions } from '#/edge/server.ts'
import type { Log } from '#/kernel/log.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import type { Clock } from '#/kernel/time.ts'
import type { LedgerLane } from '#/ledger/post.ts'
import type { Authenticator } from '#/merchants/authenticator.ts'
import type { KeyMint } from '#/merchants/keys.ts'
import type { OpenWallets } from '#/merchants/merchant.ts'
import type { Capturer } from '#/payments/capture.ts'
import type { PaymentCreator } from '#/payments/create.ts'
import type { EndKind } from '#/payments/end.ts'
import type { PageHosts } from '#/payments/payment.ts'
import type { PayoutRails } from '#/rails/payout-rail.ts'
import type { Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { RefundKind } from '#/refunds/request.ts'
import type { RequestLog } from '#/requests/log.ts'
import type { SandboxPayer } from '#/sandbox/pay.ts'
import type { RefundDecisionKind } from '#/settlement/refund-decide.ts'
import type { CreateWalletKind } from '#/wallets/create.ts'
import type { EventDraft } from '#/webhooks/event.ts'
import type { GuardPolicy } from '#/webhooks/guard.ts'
import type { WaitingReaders } from '#/webhooks/waiting-readers.ts'
import type { BatchDecisionKind } from '#/withdrawals/decide-batch.ts'
import type { DecisionKind } from '#/withdrawals/decide.ts'
import type { BatchKind } from '#/withdrawals/request-batch.ts'
import type { WithdrawalKind } from '#/withdrawals/request.ts'

/** One thing that must work before the process accepts requests. */
export type ReadinessCheck = {
  readonly name: string
  readonly ok: boolean
  /** Why it does not work, as a sentence for people. */
  readonly reason?: string
  /** Most requests work without it: then the process reports ready, and degraded. */
  readonly isPart?: true
}

export type RateLimit = {
  /** Requests a second that a key may make for any length of time. */
  readonly perSecond: number
  /** Requests that a key may make at once. */
  readonly burst: number
}

/** For withdrawals. */
export type WithdrawalDeps = {
  readonly rails: PayoutRails
  readonly kind: WithdrawalKind
  readonly decisionKind: DecisionKind
  readonly batchKind: BatchKind
  readonly batchDecisionKind: BatchDecisionKind
  /** Called when there is something to send: a worker in this process need not wait for its next poll. */
  readonly onReady?: () => void
}

export type HttpDeps = {
  readonly log: Log
  readonly clock: Clock
  readonly sql: Sql
  readonly rails: Rails
  readonly authenticator: Authenticator
  /** For keys that keys make. */
  readonly keyMint: KeyMint
  readonly creator: PaymentCreator
  /** Where the pages of payment links are. */
  readonly pages: PageHosts
  readonly lane: LedgerLane<EventDraft>
  readonly endKind: EndKind
  /** Ends authorisations. */
  readonly capturer: Capturer
  /** Settles the receipts of a provider. */
  readonly settle: (receipts: readonly Receipt[]) => Promise<unknown>
  readonly walletKind: CreateWalletKind
  readonly refundKind: RefundKind
  readonly refundDecisionKind: RefundDecisionKind
  readonly withdrawals: WithdrawalDeps
  /** Closed with the server. */
  readonly waitingReaders: WaitingReaders
  /** Called when a refund was accepted: a worker in this process need not wait for its next poll. */
  readonly onRefund?: () => void
  /** Called when a rehearsal began: a worker in this process need not wait for its next poll. */
  readonly onRehearsal?: () => void
  /** Called when a sandbox's clock is to be advanced. */
  readonly onClockAdvance?: () => void
  /** Where webhooks may go. */
  readonly webhookPolicy: Readonly<Record<Mode, GuardPolicy>>
  /** Encrypts the secrets of webhook endpoints. */
  readonly endpointSealKey: KeyRing
  /** For sub-accounts, which are merchants: the key of their webhook secrets, and their first wallets. */
  readonly newMerchants: { readonly sealKey: KeyRing; readonly openWallets: OpenWallets }
  /** Absent: there is no sandbox here, and its routes answer 404. */
  readonly sandbox?: SandboxPayer
  /** There is no sandbox in the whole installation (VINTEM_SANDBOX=off): its routes do not exist. */
  readonly isWithoutSandbox?: boolean
  /** Absent: no call is logged, and the list of calls is empty. */
  readonly requestLog?: RequestLog
  readonly ready: () => Promise<readonly ReadinessCheck[]>
  /** The limit of each key. Absent: no limit. */
  readonly rateLimit?: RateLimit
  /** Proxies in front whose header on the caller's address is trusted: addresses or networks. Default: none. */
  readonly trustProxy?: readonly string[]
  /** Milliseconds for a whole request to arrive. Default: 30 seconds. */
  readonly requestTimeoutMs?: number
  /** Called for each request that ended, for metrics. */
  readonly onRequestEnd?: EdgeOptions['onRequestEnd']
  /** Ends the servers of the process together. */
  readonly drain?: Drain
}
