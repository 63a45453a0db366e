// The payer of PIX: a Pix at the sandbox's bank, which sends its callback or loses it, as banks do.
import type { Sql } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { hexOfUuid } from '#/kernel/id.ts'
import { maxOf, toDecimal } from '#/kernel/money.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import { pix } from '#/rails/pix/method.ts'
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps } from './method.ts'
import type { RunningProvider } from './provider.ts'

const { scenarios } = pix.sandbox
export type PixScenario = (typeof scenarios)[number]

export type PixPayerDeps = Pick<PayerDeps, 'sql' | 'expire'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Rejects with 404 for a payment that has no charge at the bank, 503 while the bank is away. */
export function createPixPayer({ sql, provider: bank, expire }: PixPayerDeps): MethodPayer<PixScenario> {
  return {
    scenarios,
    async pay(ref, { minor, scenario }) {
      const txid = await txidOf(sql, ref)
      if (scenario === 'late') await expire(ref.merchantId, ref.paymentId)
      const { pix } = (await bank.control('POST', '/_sim/pay', {
        txid,
        amount: toDecimal({ minor: amountIn(scenario, minor), currency: 'BRL' }),
        ...(scenario === 'late' ? { force: true } : {}),
        ...(scenario === 'twice' ? { times: 2 } : {}),
        ...(scenario === 'lost_webhook' ? { webhook: 'lose' } : {}),
        ...(scenario === 'repeated_webhook' ? { webhook: 'repeat' } : {}),
      })) as { readonly pix: readonly { readonly endToEndId: string }[] }
      const endToEndIds = pix.map((each) => each.endToEndId)
      if (scenario === 'med') {
        const endToEndId = must(endToEndIds[0], 'the bank names what was paid')
        await bank.control('POST', '/_sim/med', { endToEndId, outcome: 'DEVOLVIDO' })
      }
      return { endToEndIds }
    },
  }
}

function amountIn(scenario: PixScenario, minor: bigint): bigint {
  if (scenario === 'under') return maxOf(minor / 2n, 1n)
  return scenario === 'over' ? minor + maxOf(minor / 10n, 1n) : minor
}

async function txidOf(sql: Sql, ref: PaymentRef): Promise<string> {
  const attempt = (await selectAttempts(sql, [ref])).findLast(({ method }) => method === 'PIX')
  if (attempt !== undefined && attempt.artifacts !== null) return hexOfUuid(attempt.id)
  throw new AppError('not_found', 'The payment has no charge at the bank yet.')
}
