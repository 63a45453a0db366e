// The payer that a merchant's developer plays by one call: real coins on the real chain of the sandbox.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { secondMs, sleep } from '#/kernel/time.ts'
import { hexOf } from '#/rails/crypto/address.ts'
import type { Rpc } from '#/rails/crypto/client.ts'
import { isOnChain, selectAddresses } from '#/rails/crypto/queries.ts'
import { paySandbox, type CryptoScenario } from '#/rails/crypto/sandbox.ts'
import type { Mode } from '#/rails/rail.ts'
import type { ReadyChain } from './chain.ts'

/** What the payer must know of a payment. */
export type PayablePayment = {
  readonly mode: Mode
  readonly amountMinor: bigint
  /** What is still to be paid; zero when all is there. */
  readonly missingMinor: bigint
}

export type SandboxPayDeps = {
  readonly sql: Sql
  readonly rpc: Rpc
  readonly ready: () => ReadyChain
  readonly find: (merchantId: MerchantId, paymentId: PaymentId) => Promise<PayablePayment | undefined>
  /** Ends the payment's time now. */
  readonly expire: (merchantId: MerchantId, paymentId: PaymentId) => Promise<void>
}

/**
 * Pays as the scenario says. Without an amount: what is still missing, or the whole amount again when nothing is.
 * 404 for a payment that is not the merchant's or has no deposit address.
 */
export function createSandboxPayer(deps: SandboxPayDeps) {
  return {
    async pay(
      merchantId: MerchantId,
      paymentId: PaymentId,
      wish: { readonly amount?: bigint; readonly scenario: CryptoScenario },
    ) {
      const { scenario } = wish
      const payment = await deps.find(merchantId, paymentId)
      const [deposit] = await selectAddresses(deps.sql, [{ merchantId, paymentId }])
      if (payment === undefined || deposit === undefined) throw new AppError('not_found', 'There is no such payment.')
      if (scenario === 'late') await letExpire(deps, merchantId, paymentId)
      const { chain, accounts } = deps.ready()
      const missing = payment.missingMinor === 0n ? payment.amountMinor : payment.missingMinor
      const txHashes = await paySandbox(
        {
          rpc: deps.rpc,
          chain,
          faucet: accounts.faucet,
          isSeen: (address, txHash) => isOnChain(deps.sql, chain.key, address, txHash),
        },
        { address: hexOf(deposit.address), minor: wish.amount ?? missing, scenario },
      )
      must(txHashes.length > 0 || undefined, 'a payer sends something')
      return { paymentId, scenario, txHashes }
    },
  }
}

/** Blocks tell the time in whole seconds: only a block of the next second is late for certain. */
async function letExpire(deps: SandboxPayDeps, merchantId: MerchantId, paymentId: PaymentId): Promise<void> {
  await deps.expire(merchantId, paymentId)
  await sleep(secondMs + 100)
}
