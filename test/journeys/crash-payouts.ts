// The crash journey's withdrawals by PIX: a merchant who sends money out through every crash, to recipients whose bank loses answers, and
// what must be true in the end at the bank. The risk is money that is sent twice.
import assert from 'node:assert/strict'
import { sleep } from '#/kernel/time.ts'
import { callsOf } from '../rails/pix/bank.ts'
import { betweenPaymentsMs, eventuallyEnded, listAll } from './crash-pix.ts'
import type { LoadedInstallation } from './installation.ts'
import { call, type Answer, type Json, type WebhookServer } from './merchant.ts'

/** All are paid once. For some the bank accepts the payout and its answer is lost, or its webhook is. */
const recipients = ['ana@example.com', 'timeout@sim.pix', '500then@sim.pix', 'lost@sim.pix', '429@sim.pix']

/** What we acknowledged to the merchant: a 201 for a key is a promise. */
type Promised = { readonly id: string; readonly amount: number; readonly to: string }

export type PayoutLoad = {
  readonly promised: readonly Promised[]
  failures(): number
  /** What left by PIX, as the bank reports it. */
  sent(): Promise<readonly Sent[]>
  /** The cents that left by PIX, as the bank reports them. */
  cents(): Promise<number>
  stop(): Promise<void>
}

type Sent = {
  readonly idEnvio: string
  readonly endToEndId: string
  readonly amount: string
  readonly to: string
}

/** A call without an answer is sent again with the same key. */
export function startPayoutLoad(installation: LoadedInstallation, hooks: WebhookServer): PayoutLoad {
  const promised: Promised[] = []
  const ending = new AbortController()
  const bank = followBank(installation)
  let failures = 0

  /** Repeats the call until it is accepted; undefined at the end. */
  async function persistently(request: Json): Promise<Answer | undefined> {
    while (!ending.signal.aborted) {
      const answer = await call(installation.sandbox(), 'POST', '/v1/withdrawals', request).catch(
        () => undefined,
      )
      if (answer?.status === 201) return answer
      // At the beginning nothing was paid in yet.
      if (answer !== undefined && answer.status !== 503)
        assert.equal(answer.body['code'], 'insufficient_funds', JSON.stringify(answer.body))
      if (answer === undefined || answer.status === 503) failures += 1
      await sleep(100)
    }
    return undefined
  }

  async function work(): Promise<void> {
    for (let nth = 0; !ending.signal.aborted; nth += 1) {
      // Small, so that what was paid in also covers every refund.
      const amount = 11 + (nth % 50)
      const to = recipients[nth % recipients.length] ?? ''
      const created = await persistently({
        type: 'PIX',
        amount,
        currency: 'BRL',
        pixKey: to,
        pixKeyType: 'EMAIL',
        idempotencyKey: `crash-payout-${nth}`,
        webhookUrl: hooks.url,
      })
      if (created === undefined) return
      promised.push({ id: String(created.body['id']), amount, to })
      // At this moment the bank may be away.
      await bank
        .read()
        .catch((error: unknown) => assert.ok(!(error instanceof assert.AssertionError), String(error)))
      await sleep(2 * betweenPaymentsMs)
    }
  }

  const working = work()
  return {
    promised,
    failures: () => failures,
    sent: bank.read,
    cents: async () => (await bank.read()).reduce((sum, { amount }) => sum + centsOf(amount), 0),
    stop: async () => {
      ending.abort()
      await working
    },
  }
}

/** Checks that each withdrawal arrived once at the bank, and that nothing else left. */
export async function payoutsHold(installation: LoadedInstallation, load: PayoutLoad): Promise<string> {
  let open: readonly Readonly<Record<string, unknown>>[] = []
  const ours = await eventuallyEnded(
    installation,
    () => `every withdrawal has ended, but for ${JSON.stringify(open)}`,
    async () => {
      const all = await listAll(installation, '/v1/withdrawals?limit=100')
      open = all.filter(({ status }) => status !== 'COMPLETED')
      for (const each of open) assert.notEqual(each['status'], 'FAILED', JSON.stringify(each))
      return open.length === 0 && all
    },
  )
  const byId = new Map(ours.map((each) => [each['id'], each]))
  for (const { id, amount, to } of load.promised) {
    const found = byId.get(id)
    assert.deepEqual([found?.['amount'], found?.['pixKey']], [amount, to], `${id} is there`)
  }
  const sent = await load.sent()
  const names = sent.map(({ idEnvio }) => idEnvio)
  assert.equal(new Set(names).size, names.length, 'the bank has no payout twice')
  const inOrder = (rows: readonly (readonly unknown[])[]) => rows.map(String).toSorted()
  assert.deepEqual(
    inOrder(sent.map(({ endToEndId, amount, to }) => [endToEndId, centsOf(amount), to])),
    inOrder(ours.map(({ endToEndId, amount, pixKey }) => [endToEndId, amount, pixKey])),
    'each withdrawal arrived once, and nothing else left',
  )
  return `withdrawals by PIX: ${load.promised.length} acknowledged, ${sent.length} payouts at the bank, ${load.failures()} calls without an answer`
}

/** What leaves the bank by PIX, read from its log of events, which keeps only the last ones. */
function followBank(installation: LoadedInstallation) {
  const sent: Sent[] = []
  let after = 0
  return {
    async read(): Promise<readonly Sent[]> {
      const bank = callsOf(installation.sandbox().simulators.pixBank)
      for (;;) {
        const { events } = await bank.control('GET', `/events?after=${after}&limit=1000`)
        const page = events as readonly (Sent & Json)[]
        if (page.length === 0) return sent
        assert.equal(page[0]?.['sequence'], after + 1, 'no event is missed')
        after = Number(page.at(-1)?.['sequence'])
        sent.push(...page.filter(({ type }) => type === 'payout.accepted'))
      }
    },
  }
}

/** `12.34` in cents. */
function centsOf(text: string): number {
  return Number(text.replace('.', ''))
}
