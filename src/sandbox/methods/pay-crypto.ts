// The payer of CRYPTO: real coins on the real chain of the sandbox.
import { hexOf } from '#/evm/address.ts'
import { AppError, ProviderError } from '#/kernel/error.ts'
import type { MerchantId, PaymentId } from '#/kernel/id.ts'
import { secondMs, sleep } from '#/kernel/time.ts'
import { crypto } from '#/rails/crypto/method.ts'
import { isOnChain, selectAddresses } from '#/rails/crypto/queries.ts'
import { isLost } from '#/rails/crypto/rebuild.ts'
import { oneAtATime, paySandbox, type CryptoScenario } from '#/rails/crypto/sandbox.ts'
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps } from './method.ts'

export type CryptoPayerDeps = Pick<PayerDeps, 'sql' | 'rpc' | 'ready' | 'whileStill' | 'expire'>

/** Rejects with 404 for a payment that has no deposit address, 503 while the chain is away or being rebuilt. */
export function createCryptoPayer(deps: CryptoPayerDeps): MethodPayer<CryptoScenario> {
  const inTurn = oneAtATime()
  return {
    scenarios: crypto.sandbox.scenarios,
    async pay({ merchantId, paymentId }, { minor, scenario }) {
      const [deposit] = await selectAddresses(deps.sql, [{ merchantId, paymentId }])
      if (deposit === undefined) throw new AppError('not_found', 'There is no such payment.')
      const { chain, accounts } = deps.ready()
      // Coins that are sent while the chain is being rebuilt would be in no block that the watcher scans.
      if (await asUnavailable(isLost(deps, chain.key, deps.rpc))) throw chainIsAway()
      if (scenario === 'late') await letExpire(deps, merchantId, paymentId)
      const txHashes = await asUnavailable(
        paySandbox(
          {
            rpc: deps.rpc,
            chain,
            payer: accounts.payer,
            inTurn,
            whileStill: deps.whileStill,
            isRecorded: (address, txHash) => isOnChain(deps.sql, chain.key, address, txHash),
          },
          { address: hexOf(deposit.address), minor, scenario },
        ),
      )
      return { txHashes }
    },
  }
}

async function asUnavailable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ProviderError ? chainIsAway(error) : error
  }
}

function chainIsAway(cause?: unknown): AppError {
  const detail =
    'The sandbox chain cannot be used right now; it is started again by itself. Try again in a moment.'
  return new AppError('provider_unavailable', detail, { cause, retryAfterMs: 2 * secondMs })
}

/** Block times are whole seconds: only a block of the next second is certainly late. */
async function letExpire(deps: CryptoPayerDeps, merchantId: MerchantId, paymentId: PaymentId): Promise<void> {
  await deps.expire(merchantId, paymentId)
  await sleep(secondMs + 100)
}
