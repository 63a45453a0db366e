// A refund between two workers, one of which may stall beyond its lease, and a bank that loses answers and corrects its reports. In the
// end the money is with the payer or with the merchant, as the bank reports it, and it went back at most once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { minuteMs } from '#/kernel/time.ts'
import { receiptsOf } from '#/rails/pix/receipts.ts'
import { parsePix } from '#/rails/pix/wire.ts'
import type { Rails, RefundOrder } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Refund } from '#/refunds/refund.ts'
import { sendDueRefunds } from '#/refunds/send.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { assertExplained, assertPaymentExplained } from '../explained.ts'
import { openForTests } from '../open-for-tests.ts'
import { openPixWorld, type PixWorld } from '../pix-world.ts'

const world = openForTests(openPixWorld)

/**
 * The fate of a call:
 * - `clean`: accepted and answered
 * - `refuse`: the bank refuses
 * - `lost`: accepted, the answer is lost
 * - `away`: it never arrives
 *
 * `before`, `after`: the worker stalls before the call, or before it settles the answer, until it is resumed.
 */
const fates = ['clean', 'refuse', 'lost', 'away'] as const
const stalls = ['never', 'never', 'before', 'after'] as const
type Fate = { readonly call: (typeof fates)[number]; readonly stall: (typeof stalls)[number] }

type Action =
  | { readonly do: 'work' | 'tick' | 'reconcile' | 'resume' }
  | { readonly do: 'say'; readonly of: number; readonly isDone: boolean }

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reconcile' as const, 'resume' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('say' as const), of: fc.nat(2), isDone: fc.boolean() }),
  },
)
const life = fc.record({
  actions: fc.array(action, { minLength: 4, maxLength: 25, size: 'max' }),
  fates: fc.array(fc.record({ call: fc.constantFrom(...fates), stall: fc.constantFrom(...stalls) }), {
    minLength: 1,
    maxLength: 12,
  }),
})
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never

const statuses = { open: 'EM_PROCESSAMENTO', done: 'DEVOLVIDO', failed: 'NAO_REALIZADO' } as const
type AtBank = keyof typeof statuses

const horario = '2026-11-21T12:00:00.000Z'

/** A payment of 10.00, and three refunds of it. */
async function open() {
  const { payment } = await world.create({ amount: 1_000 })
  const pix = {
    endToEndId: `E${newId().replaceAll('-', '').slice(1)}`,
    txid: await world.txidOf(payment),
    valor: '10.00',
    horario,
  }
  await world.settle(receiptsOf(world.connection, parsePix(pix), Buffer.from(JSON.stringify(pix))))
  const refunds: Refund[] = []
  for (const amount of [100, 200, 300]) {
    const verdict = await world.refund(payment, { amount })
    assert.ok(verdict.kind === 'created')
    refunds.push(verdict.refund)
  }
  /** What the bank reports of a refund in this status. */
  const receiptsAt = (minor: bigint, id: RefundId, status: AtBank): readonly Receipt[] => {
    const one = {
      id: id.replaceAll('-', ''),
      valor: `${minor / 100n}.00`,
      natureza: 'ORIGINAL',
      status: statuses[status],
      horario: { solicitacao: horario },
    }
    const sent = { ...pix, devolucoes: [one] }
    const all = receiptsOf(world.connection, parsePix(sent), Buffer.from(JSON.stringify(sent)))
    return all.filter(({ refund }) => refund === id)
  }
  return { payment, refunds, receiptsAt }
}

async function live({ actions, fates: ownFates }: Life): Promise<void> {
  const { payment, refunds, receiptsAt } = await open()
  const bank = new Map<RefundId, AtBank>()
  /** Refunds that reached the bank by a call made after a stall, and those that the bank gave up. */
  const late = new Set<RefundId>()
  const givenUpIds = new Set<RefundId>()
  const rounds = new Set<Promise<unknown>>()
  let gate = Promise.withResolvers<void>()
  let calls = 0
  let nextFate = (): Fate => ownFates[calls++ % ownFates.length] ?? { call: 'clean', stall: 'never' }

  const answer = ({ id, amount }: RefundOrder, status: AtBank) => receiptsAt(amount.minor, id, status)
  const refusal = ({ id, attempt, connection, paidRef, amount }: RefundOrder): Receipt => ({
    method: 'PIX',
    attempt,
    connection,
    providerRef: `${paidRef}:${id.replaceAll('-', '')}`,
    outcome: 'refund_failed',
    occurrence: 1,
    refund: id,
    amount,
    happenedAt: new Date(horario),
    evidence: Buffer.from('{"title":"no"}'),
    failure: { code: 'refused_by_provider', message: 'no' },
  })

  /** One round of a worker. A stalled one is left behind; its lease runs out as the clock advances. */
  async function work(): Promise<void> {
    const { stall, call } = nextFate()
    const wait = gate.promise
    const reached = Promise.withResolvers<void>()
    const stallAt = (where: Fate['stall']) => {
      if (stall !== where) return undefined
      reached.resolve()
      return wait
    }
    const pix = must(world.core.rails.get('PIX'), 'there is PIX')
    const send = async (order: RefundOrder, again: boolean): Promise<readonly Receipt[]> => {
      const existing = again ? bank.get(order.id) : undefined
      if (existing !== undefined) return answer(order, existing)
      await stallAt('before')
      if (call === 'away') throw new ProviderError('unavailable', call)
      // One reference is one refund, however often it is requested.
      const kept = bank.get(order.id)
      if (call === 'refuse' && kept === undefined) return [refusal(order)]
      if (stall === 'before' && kept === undefined) late.add(order.id)
      bank.set(order.id, kept ?? 'open')
      if (call === 'lost') throw new ProviderError('unknown', call)
      return answer(order, bank.get(order.id) ?? 'open')
    }
    const rails: Rails = new Map([['PIX', { ...pix, refunds: { send } }]])
    const { sql } = world.core
    const round = sendDueRefunds({
      sql,
      rails,
      log: silentLog,
      settle: async (receipts, when) => {
        await stallAt('after')
        return world.settle(receipts, when)
      },
    }).finally(() => rounds.delete(round))
    rounds.add(round)
    await Promise.race([round, reached.promise])
  }

  async function resume(): Promise<void> {
    gate.resolve()
    gate = Promise.withResolvers<void>()
    await Promise.all(rounds)
  }

  /** Reads all that the bank has, after this instant of the database. */
  async function reconcile(): Promise<void> {
    const [row] = await world.core.sql<{ at: Date }[]>`select clock_timestamp() as at`
    const at = must(row, 'the time').at
    // The database counts microseconds, we read milliseconds: what was booked just now must be before.
    await new Promise((resolve) => setTimeout(resolve, 2))
    const receipts = refunds.flatMap(({ id, amountMinor }) =>
      receiptsAt(amountMinor, id, bank.get(id) ?? 'open'),
    )
    await world.settle(receipts, { at })
  }

  async function act(each: Action): Promise<void> {
    switch (each.do) {
      case 'work':
        return work()
      case 'tick':
        return world.clock.advance(6 * minuteMs)
      case 'reconcile':
        return reconcile()
      case 'resume':
        return resume()
      case 'say': {
        const id = must(refunds[each.of], 'one of three').id
        if (!bank.has(id)) return
        bank.set(id, each.isDone ? 'done' : 'failed')
        if (!each.isDone) givenUpIds.add(id)
      }
    }
  }

  /** A refund that the bank has and never gave up must not have failed. */
  async function assertKept(): Promise<void> {
    for (const id of bank.keys()) {
      if (late.has(id) || givenUpIds.has(id)) continue
      assert.notEqual(
        (await world.refundOf(id)).status,
        'FAILED',
        `refund ${id} is ${bank.get(id)} at the bank`,
      )
    }
  }

  for (const each of actions) {
    await act(each)
    await assertKept()
  }
  nextFate = () => ({ call: 'clean', stall: 'never' })
  await resume()
  await assertKept()
  for (let round = 0; round < 5; round += 1) {
    for (const [id, status] of bank) if (status === 'open') bank.set(id, 'done')
    await world.clock.advance(6 * minuteMs)
    await work()
    await resume()
    await new Promise((resolve) => setTimeout(resolve, 2))
    await reconcile()
  }
  await judge(payment.id, refunds, bank)
  await assertPaymentExplained(world.core.sql, payment)
}

const tally = { COMPLETED: 0, FAILED: 0, changed: 0 }

async function judge(
  paymentId: Parameters<PixWorld['payment']>[0],
  refunds: readonly Refund[],
  bank: ReadonlyMap<RefundId, AtBank>,
): Promise<void> {
  let gone = 0n
  for (const { id, amountMinor } of refunds) {
    const { status, version, merchantId } = await world.refundOf(id)
    // One of three: the payment's explanation has all of them.
    if (id === refunds[0]?.id) await assertExplained(world.core.sql, 'REFUND', { merchantId, id })
    const wanted = bank.get(id) === 'done' ? 'COMPLETED' : 'FAILED'
    assert.equal(status, wanted, `refund ${id}: at the bank it is ${bank.get(id)}`)
    if (status === 'COMPLETED') gone += amountMinor
    tally[wanted] += 1
    if (version > 2) tally.changed += 1
  }
  const { receivedMinor, refundedMinor } = await world.payment(paymentId)
  assert.deepEqual([receivedMinor, refundedMinor], [1_000n, gone])
  const [sums] = await world.core.sql<{ received: bigint; done: bigint }[]>`
    select (select coalesce(sum(received_minor), 0)::bigint from payment) as received,
           (select coalesce(sum(amount_minor) filter (where status = 'COMPLETED'), 0)::bigint from refund) as done`
  const { held, provider, available, receivable } = await world.balances()
  assert.equal(provider, (sums?.received ?? 0n) - (sums?.done ?? 0n), 'the bank holds what did not go back')
  assert.deepEqual([held, available - receivable], [0n, provider])
}

const clean: Fate = { call: 'clean', stall: 'never' }
const say = (isDone: boolean): Action => ({ do: 'say', of: 0, isDone })

/** Refused by a stalled call, and settled after the next call was accepted. */
const sleeper: Life = {
  actions: [{ do: 'work' }, { do: 'tick' }, { do: 'work' }, say(true), { do: 'reconcile' }],
  fates: [{ call: 'refuse', stall: 'after' }, clean],
}

/** Done, not done, done. */
const waverer: Life = {
  actions: [
    { do: 'work' },
    ...[true, false, true].flatMap((isDone): Action[] => [say(isDone), { do: 'reconcile' }]),
  ],
  fates: [clean],
}

/** Accepted, and given up by the bank. */
const givenUp: Life = {
  actions: [{ do: 'work' }, { do: 'reconcile' }, say(false), { do: 'reconcile' }],
  fates: [clean],
}

test('a refund has left or is the merchant’s again, as the bank reports it, whichever worker stalled', async (t) => {
  await fc.assert(fc.asyncProperty(life, live), {
    numRuns: count({ quick: 5, soak: 2_000 }),
    endOnFailure: true,
    examples: [[sleeper], [waverer], [givenUp]],
  })
  t.diagnostic(JSON.stringify(tally))
  assert.ok(tally.COMPLETED > 0 && tally.FAILED > 0 && tally.changed > 0)
  assert.deepEqual((await world.verify()).faults, [])
})
