// The dependencies of the operator's console. app/dashboard.ts passes them in.
import type { KeyRing } from '#/kernel/secret.ts'
import type { OpenWallets } from '#/merchants/merchant.ts'
import type { BenchFigure } from '#/operator/bench-figure.ts'
import type { ConnectionTypes } from '#/operator/connections.ts'
import type { SealFor } from '#/operator/deps.ts'
import type { ChainNode } from '#/operator/wallets.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { StillLeaving } from '#/rails/payout-rail.ts'
import type { KeepSignals } from '#/rails/rail.ts'

export type OperatorDeps = {
  readonly cell: string
  /** Whether the keys that real money needs are set for every process. */
  readonly hasOwnKeys: boolean
  /** Encrypts the webhook secrets of merchants. */
  readonly webhookSealKey: KeyRing
  readonly openWallets: OpenWallets
  /** Seals credentials of connections; those that send money out, to the worker's public key. */
  readonly sealFor: SealFor
  readonly connectionTypes: ConnectionTypes
  /** The chains whose node this process asks. */
  readonly nodes: () => readonly ChainNode[]
  /** What the bench measured on this machine. */
  readonly benchFigure: () => Promise<BenchFigure | undefined>
  /** Above this many minor units two people decide about money in suspense, and the end of a withdrawal or refund. */
  readonly aloneMax: bigint
  /** Called when a job was requested: a worker in this process need not wait for its next poll. */
  readonly onJob?: () => void
  /** The accounts whose payouts are put into files, and the gate for what goes into one. */
  readonly connections: ConnectionBook
  readonly stillLeaving: StillLeaving
  /** Keeps what a person decided about a transfer for the workers that settle it. */
  readonly keepSignals: KeepSignals
  /** Called when there is a signal to settle. */
  readonly onSignal?: () => void
  /** Called when a withdrawal or a refund was stopped, or is due. */
  readonly onPayout?: () => void
}
