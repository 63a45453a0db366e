// The payer of SEPA_TRANSFER: a transfer at the sandbox's bank, which reports it in a file at once.
import type { Sql } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { toDecimal } from '#/kernel/money.ts'
import { selectAttempts } from '#/payments/attempt-queries.ts'
import type { PaymentRef } from '#/rails/attempt.ts'
import { sepaTransfer } from '#/rails/sepa/method.ts'
import type { MethodPayer } from '../pay.ts'
import type { PayerDeps } from './method.ts'
import type { RunningProvider } from './provider.ts'

const { scenarios } = sepaTransfer.sandbox
export type SepaScenario = (typeof scenarios)[number]

export type SepaPayerDeps = Pick<PayerDeps, 'sql' | 'expire'> & {
  readonly provider: Pick<RunningProvider, 'control'>
}

/** Rejects with 404 for a payment that has no reference yet, 503 while the bank is away. */
export function createSepaPayer({ sql, provider: bank, expire }: SepaPayerDeps): MethodPayer<SepaScenario> {
  return {
    scenarios,
    async pay(ref, { minor, scenario }) {
      const { iban, reference } = await placeOf(sql, ref)
      if (scenario === 'late') await expire(ref.merchantId, ref.paymentId)
      const amount = toDecimal({ minor, currency: 'EUR' })
      await bank.control('POST', `/_sim/accounts/${iban}/transfers`, {
        scenario,
        amount,
        reference,
        iban: payerIban,
      })
      return {}
    },
  }
}

/** The payer’s account, the example of Spain in the registry of IBANs (ISO 13616): refunds go there. */
const payerIban = 'ES9121000418450200051332'

async function placeOf(
  sql: Sql,
  ref: PaymentRef,
): Promise<{ readonly iban: string; readonly reference: string }> {
  const attempts = await selectAttempts(sql, [ref])
  const attempt = attempts.findLast(({ method }) => method === 'SEPA_TRANSFER')
  const { iban, reference } = attempt?.artifacts ?? {}
  if (typeof iban === 'string' && typeof reference === 'string') return { iban, reference }
  throw new AppError('not_found', 'The payment has no reference for a bank transfer yet.')
}
