// The crash journey's payments by bank transfer in euro: the bank reports each transfer in a file, through every crash.
import assert from 'node:assert/strict'
import { sleep } from '#/kernel/time.ts'
import { eventually } from '../eventually.ts'
import { betweenPaymentsMs } from './crash-pix.ts'
import type { LoadedInstallation } from './installation.ts'
import { call, type Json, type WebhookServer } from './merchant.ts'
import { controlOf } from './shop.ts'

/** The account of the payer: the example of Spain in the registry of IBANs (ISO 13616). */
const payerIban = 'ES9121000418450200051332'

/** What we acknowledged to the merchant: a 201 for a key is a promise. */
type Promised = { readonly id: string; readonly amount: number }

export type SepaLoad = {
  readonly promised: readonly Promised[]
  /** The payments whose transfer the bank booked. */
  readonly sent: ReadonlySet<string>
  failures(): number
  stop(): Promise<void>
}

/** A call without an answer is sent again with the same key. */
export function startSepaLoad(installation: LoadedInstallation, hooks: WebhookServer): SepaLoad {
  const promised: Promised[] = []
  const sent = new Set<string>()
  const ending = new AbortController()
  let failures = 0

  /** Repeats the creation until it is answered; undefined at the end. */
  async function created(request: Json): Promise<Json | undefined> {
    while (!ending.signal.aborted) {
      const answer = await call(installation.sandbox(), 'POST', '/v1/payments', request).catch(
        () => undefined,
      )
      if (answer?.status === 201) return answer.body
      if (answer !== undefined) assert.equal(answer.status, 503, JSON.stringify(answer.body))
      failures += 1
      await sleep(50)
    }
    return undefined
  }

  async function work(): Promise<void> {
    for (let nth = 0; !ending.signal.aborted; nth += 1) {
      const amount = 1_000 + (nth % 500)
      const request = { amount, currency: 'EUR', paymentMethods: ['SEPA_TRANSFER'], webhookUrl: hooks.url }
      const payment = await created({ ...request, idempotencyKey: `crash-sepa-${nth}` })
      if (payment === undefined) return
      const id = String(payment['id'])
      promised.push({ id, amount })
      const { iban, reference } = payment['sepa'] as Json
      await controlOf(installation, 'sepaBank', 'POST', `/accounts/${String(iban)}/transfers`, {
        scenario: 'exact',
        amount: (amount / 100).toFixed(2),
        reference,
        iban: payerIban,
      })
      sent.add(id)
      await sleep(2 * betweenPaymentsMs)
    }
  }

  const working = work()
  return {
    promised,
    sent,
    failures: () => failures,
    stop: async () => {
      ending.abort()
      await working
    },
  }
}

/** Checks that what the bank booked is credited. */
export async function sepaHolds(installation: LoadedInstallation, load: SepaLoad): Promise<string> {
  for (const { id, amount } of load.promised) {
    const received = load.sent.has(id) ? amount : 0
    await eventually(
      `the transfer for ${id} is credited`,
      async () => {
        const { status, body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
        assert.deepEqual([status, body['amount'], body['exceptions']], [200, amount, []])
        return body['amountReceived'] === received
      },
      120_000,
    )
  }
  return `SEPA: ${load.promised.length} payments acknowledged, ${load.sent.size} transfers, ${load.failures()} calls without an answer`
}

/** The cents of all transfers that the bank booked. */
export function centsBySepa({ promised, sent }: SepaLoad): number {
  return promised.reduce((sum, { id, amount }) => (sent.has(id) ? sum + amount : sum), 0)
}
