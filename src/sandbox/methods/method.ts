// What the sandbox has for one method: its payer and, if there is one, its provider. `all.ts` lists them.
import type { Sql } from '#/db/client.ts'
import type { Rpc } from '#/evm/client.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import type { PageOpener } from '#/payments/open.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Turns } from '#/rails/crypto/sandbox.ts'
import type { ReadyChain } from '../chain.ts'
import type { MethodPayer } from '../pay.ts'
import type { RunningProvider, SandboxProvider } from './provider.ts'

/** What payers need of the rest of the sandbox; each uses a part. */
export type PayerDeps = Pick<PageOpener, 'openPage'> & {
  readonly sql: Sql
  readonly find: (merchantId: MerchantId, paymentId: PaymentId) => Promise<Payment | undefined>
  /** Lets the payment expire now. */
  readonly expire: (merchantId: MerchantId, paymentId: PaymentId) => Promise<unknown>
  /** The node of the sandbox's chain. */
  readonly rpc: Rpc
  readonly ready: () => ReadyChain
  /** Runs work during which no block is made. */
  readonly whileStill: Turns
}

export type SandboxMethod =
  | {
      readonly provider: SandboxProvider
      readonly createPayer: (deps: PayerDeps & { readonly provider: RunningProvider }) => MethodPayer
    }
  /** Paid on the sandbox's chain. */
  | { readonly provider?: undefined; readonly createPayer: (deps: PayerDeps) => MethodPayer }
