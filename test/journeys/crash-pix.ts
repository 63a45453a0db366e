// The PIX side of the crash journey: payers and a merchant who continue through every crash, and what must be true in the
// end at the bank and in our books.
import assert from 'node:assert/strict'
import { connect, type Sql } from '#/db/client.ts'
import { minuteMs } from '#/kernel/time.ts'
import { isSoak } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { callsOf, type BankCharge } from '../rails/pix/bank.ts'
import type { LoadedInstallation } from './installation.ts'
import { call, type Answer, type Json, type WebhookServer } from './merchant.ts'

/** A payer's pause before the next payment. Without it the load uses all processor time, which only the soak needs. */
export const betweenPaymentsMs = isSoak ? 0 : 250

/** What we acknowledged to the merchant: a 201 for a key is a promise. */
type PromisedPayment = { readonly id: string; readonly code: string; readonly amount: number }
type PromisedRefund = { readonly id: string; readonly amount: number }

export type PixLoad = {
  readonly promised: readonly PromisedPayment[]
  readonly refunds: readonly PromisedRefund[]
  failures(): number
  stop(): Promise<void>
}

/** A call without an answer is sent again with the same key. A third of the webhooks is lost, a third comes thrice. */
export function startPixLoad(installation: LoadedInstallation, hooks: WebhookServer): PixLoad {
  const promised: PromisedPayment[] = []
  const refunds: PromisedRefund[] = []
  const ending = new AbortController()
  const bank = callsOf(installation.sandbox().simulators.pixBank)
  let failures = 0
  let keys = 0

  const ask = (method: string, path: string, body?: unknown) =>
    persistently(async () => call(installation.sandbox(), method, path, body))

  /** Repeats the call until an answer other than 503 comes. */
  async function persistently(asking: () => Promise<Answer>): Promise<Answer | undefined> {
    while (!ending.signal.aborted) {
      const answer = await asking().catch(() => undefined)
      if (answer !== undefined && answer.status !== 503) return answer
      failures += 1
      await pause(50)
    }
    return undefined
  }

  async function work(): Promise<void> {
    while (!ending.signal.aborted) {
      const nth = keys++
      // Never one of the bank's magic amounts.
      const amount = 1_050 + 100 * (nth % 40)
      const request = {
        amount,
        paymentMethods: ['PIX'],
        idempotencyKey: `crash-pix-${nth}`,
        webhookUrl: hooks.url,
      }
      const created = await ask('POST', '/v1/payments', request)
      if (created === undefined) return
      assert.equal(created.status, 201, JSON.stringify(created.body))
      const payment = { id: String(created.body['id']), code: String(created.body['pixCopyPaste']), amount }
      promised.push(payment)
      await payAtBank(payment.code, ['send', 'lose', 'repeat'][nth % 3] ?? 'send')
      if (nth % 2 === 0) await refund(payment, nth)
      await pause(betweenPaymentsMs)
    }
  }

  /** A payer without an answer checks whether the payment was paid before paying again. */
  async function payAtBank(copyPaste: string, webhook: string): Promise<void> {
    while (!ending.signal.aborted) {
      const isDone = await bank.control('POST', '/pay', { copyPaste, webhook }).then(
        () => true,
        (error: unknown) => String(error).includes('already_paid'),
      )
      if (isDone) return
      await pause(50)
    }
  }

  async function refund({ id }: PromisedPayment, nth: number): Promise<void> {
    const amount = 1 + (nth % 1_000)
    const body = { amount, idempotencyKey: `crash-refund-${nth}` }
    while (!ending.signal.aborted) {
      const answer = await ask('POST', `/v1/payments/${id}/refunds`, body)
      if (answer?.status === 201) return void refunds.push({ id: String(answer.body['id']), amount })
      // The payment's money is not credited yet.
      if (answer !== undefined)
        assert.equal(answer.body['code'], 'refund_exceeds_payment', JSON.stringify(answer.body))
      await pause(100)
    }
  }

  const workers = [work(), work(), work()]
  return {
    promised,
    refunds,
    failures: () => failures,
    stop: async () => {
      ending.abort()
      await Promise.all(workers)
    },
  }
}

/**
 * Checks that the bank and our books hold everything that we acknowledged about PIX. `paidOut`: the cents that withdrawals took, as the
 * bank reports them.
 */
export async function pixHolds(
  installation: LoadedInstallation,
  load: PixLoad,
  paidOut: number,
): Promise<string> {
  const get = (path: string) => call(installation.sandbox(), 'GET', path)
  const bank = callsOf(installation.sandbox().simulators.pixBank)
  for (const { id, amount, code } of load.promised) {
    const { status, body } = await get(`/v1/payments/${id}`)
    assert.deepEqual([status, body['amount'], body['pixCopyPaste']], [200, amount, code])
  }
  const refunds = await eventuallyEnded(installation, 'every refund has ended', async () => {
    const all = await listAll(installation, '/v1/refunds?limit=100&currency=BRL')
    return all.every(({ status }) => status !== 'PENDING') && all
  })
  const charges = (await bank.charges()) as readonly (BankCharge & { readonly pixCopiaECola: string })[]
  await chargesAreCredited(installation, charges, load)
  refundsAreDone(charges, refunds, load)
  await balancesAgree(installation, charges, paidOut)
  return `PIX: ${load.promised.length} payments and ${load.refunds.length} refunds acknowledged, ${charges.length} charges, ${load.failures()} calls without an answer`
}

async function chargesAreCredited(
  installation: LoadedInstallation,
  charges: readonly (BankCharge & { readonly pixCopiaECola: string })[],
  load: PixLoad,
): Promise<void> {
  const payments = await listAll(installation, '/v1/payments?limit=100&method=PIX')
  const byCode = Map.groupBy(payments, (payment) => String(payment['pixCopyPaste']))
  const known = new Set(charges.map(({ txid }) => txid))
  assert.equal(known.size, charges.length)
  assert.ok(charges.length <= payments.length, 'no payment has two charges')
  for (const { code } of load.promised)
    assert.equal(charges.filter(({ pixCopiaECola }) => pixCopiaECola === code).length, 1)
  for (const { pixCopiaECola, pix = [] } of charges) {
    if (pix.length === 0) continue
    const [payment, ...others] = byCode.get(pixCopiaECola) ?? []
    assert.deepEqual(others, [])
    const id = String(payment?.['id'])
    const sum = pix.reduce((total, { valor }) => total + centsOf(valor), 0)
    await eventually(`what was paid for ${id} is credited`, async () => {
      const { body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
      return Number(body['amountReceived']) >= sum
    })
    const { body } = await call(installation.sandbox(), 'GET', `/v1/payments/${id}`)
    assert.deepEqual(
      [body['amountReceived'], new Set(body['endToEndIds'] as string[])],
      [sum, new Set(pix.map(({ endToEndId }) => endToEndId))],
    )
  }
}

/** Each refund of ours is one return at the bank, and there is no other. */
function refundsAreDone(charges: readonly BankCharge[], refunds: readonly Json[], load: PixLoad): void {
  const returns = charges.flatMap(({ pix = [] }) => pix.flatMap(({ devolucoes = [] }) => devolucoes))
  const atBank = returns.map(({ id, valor, status }) => [id, centsOf(String(valor)), status])
  const ours = refunds.map(({ id, amount, status }) => [
    String(id).replaceAll('-', ''),
    amount,
    status === 'COMPLETED' ? 'DEVOLVIDO' : status,
  ])
  const sorted = (rows: readonly (readonly unknown[])[]) => rows.map(String).toSorted()
  assert.deepEqual(sorted(atBank), sorted(ours))
  const all = new Map(refunds.map((refund) => [refund['id'], refund['amount']]))
  for (const { id, amount } of load.refunds) assert.equal(all.get(id), amount)
}

async function balancesAgree(
  installation: LoadedInstallation,
  charges: readonly BankCharge[],
  paidOut: number,
): Promise<void> {
  const all = charges.flatMap(({ pix = [] }) => pix)
  const returned = all.flatMap(({ devolucoes = [] }) => devolucoes)
  const sum = (rows: readonly { readonly valor?: unknown }[]) =>
    rows.reduce((total, { valor }) => total + centsOf(String(valor)), 0)
  const atBank = sum(all) - sum(returned.filter(({ status }) => status === 'DEVOLVIDO')) - paidOut
  const { body } = await call(installation.sandbox(), 'GET', '/v1/wallets/balance')
  const brl = (body['data'] as Json[]).find(({ currency }) => currency === 'BRL')
  assert.deepEqual([brl?.['balance'], brl?.['heldBalance'], brl?.['owed']], [atBank, 0, 0])
  assert.equal(await providerBalance(installation), BigInt(atBank))
}

function providerBalance(installation: LoadedInstallation): Promise<bigint> {
  return inDatabase(installation, async (sql) => {
    const [row] = await sql<{ minor: bigint }[]>`
      select coalesce(sum(minor), 0)::bigint as minor from account join balance on account_id = id
       where starts_with(name, 'provider:') and account.currency = 'BRL'`
    return row?.minor ?? 0n
  })
}

/**
 * Polls as `eventually` does, and tries now what waits for longer than a lease: a withdrawal or refund that was claimed at many kills would wait
 * up to five minutes for each turn. Operators do the same with "Try now".
 */
export async function eventuallyEnded<Value>(
  installation: LoadedInstallation,
  what: string | (() => string),
  poll: () => Promise<Value | false>,
): Promise<Value> {
  return inDatabase(installation, (sql) =>
    eventually(
      what,
      async () => {
        for (const table of ['withdrawal_due', 'refund_due'])
          await sql`
            update ${sql(table)} set due_at = clock_timestamp() - interval '1 second'
             where due_at > clock_timestamp() + interval '61 seconds'`
        return poll()
      },
      5 * minuteMs,
    ),
  )
}

/** Runs `work` with our database. */
export async function inDatabase<T>(
  installation: LoadedInstallation,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const sql = connect(await installation.databaseUrl(), { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

export async function listAll(installation: LoadedInstallation, path: string): Promise<readonly Json[]> {
  const found: Json[] = []
  let cursor = ''
  do {
    const { body } = await call(installation.sandbox(), 'GET', `${path}${cursor}`)
    found.push(...(body['data'] as Json[]))
    const next = body['nextCursor'] as string | undefined
    cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`
  } while (cursor !== '')
  return found
}

/** `12.34` in cents. */
function centsOf(text: string): number {
  return Number(text.replace('.', ''))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
