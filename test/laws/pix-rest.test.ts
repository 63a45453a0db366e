// The rest of an underpaid PIX under any schedule: tabs of two processes press at once, the payer pays any part, callbacks come at once,
// late or never, the merchant refunds, and calls of the bank fail before or after the bank did its part. At every moment the bank has at
// most one charge that can be paid, and every charge was for exactly what was missing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError, ProviderError } from '#/kernel/error.ts'
import type { RestPayer } from '#/payments/pay-rest.ts'
import type { Payment } from '#/payments/payment.ts'
import type { OpensInRequest, Rails } from '#/rails/rail.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openPixWorld, type PixWorld } from '../pix-world.ts'
import { startPixBank, type PixBank } from '../rails/pix/bank.ts'
import { lastOf, restWorld, txidOf, type RestWorld } from '../rest-world.ts'

let bank: PixBank
let world: PixWorld
let rest: RestWorld
let tabs: readonly RestPayer[]
/** The faults of the next calls, in order; calls after them work. */
let faults: ('before' | 'after' | 'none')[] = []

before(async () => {
  bank = await startPixBank()
  world = await openPixWorld(await bank.customer())
  rest = restWorld(world, bank)
  const other = await world.openOther()
  tabs = [rest.tabOf(world.core, faulty(world.core.rails)), rest.tabOf(other, faulty(other.rails))]
})
after(async () => {
  await world[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

function faulty(rails: Rails): Rails {
  const pix = rails.get('PIX') ?? assert.fail()
  const { opens } = pix
  assert.ok(opens.at === 'REQUEST')
  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const fault = faults.shift() ?? 'none'
    if (fault === 'before') throw new ProviderError('unavailable', 'planted: no connection')
    const result = await work()
    if (fault === 'after') throw new ProviderError('unknown', 'planted: the answer was lost')
    return result
  }
  const changed: OpensInRequest = {
    ...opens,
    open: (opening) => call(() => opens.open(opening)),
    close: (attempt) => call(() => opens.close(attempt)),
  }
  return new Map([...rails, ['PIX', { ...pix, opens: changed }]])
}

type Act =
  | { readonly do: 'press'; readonly tab: number; readonly fault: 'before' | 'after' | 'none' }
  /** `percent` of the charge that can be paid now. */
  | { readonly do: 'pay'; readonly percent: number; readonly isHeard: boolean }
  | { readonly do: 'refund'; readonly cents: number }
  | { readonly do: 'reconcile' }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('press' as const),
      tab: fc.nat(1),
      fault: fc.constantFrom('before', 'after', 'none', 'none'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      percent: fc.integer({ min: 10, max: 110 }),
      isHeard: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('refund' as const), cents: fc.integer({ min: 1, max: 2_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconcile' as const) }) },
)

/** Each inner list happens at once. */
const schedule: fc.Arbitrary<readonly (readonly Act[])[]> = fc.array(
  fc.array(act, { minLength: 1, maxLength: 4 }),
  { minLength: 1, maxLength: 6 },
)

/** Money that was not reported, and a refund that makes its charge stale: the money counts before the rest is computed. */
const moneyInBetween: readonly (readonly Act[])[] = [
  [{ do: 'press', tab: 0, fault: 'none' }],
  [{ do: 'pay', percent: 50, isHeard: false }],
  [{ do: 'refund', cents: 100 }],
  [
    { do: 'press', tab: 0, fault: 'none' },
    { do: 'press', tab: 1, fault: 'after' },
  ],
]

async function happen(payment: Payment, each: Act): Promise<void> {
  switch (each.do) {
    case 'press': {
      if (each.fault !== 'none') faults.push(each.fault)
      const tab = tabs[each.tab] ?? assert.fail()
      await rest.press(payment, tab).catch((error: unknown) => {
        assert.ok(error instanceof AppError && error.code === 'provider_unavailable', String(error))
      })
      return
    }
    case 'pay': {
      const [txid] = await rest.payable(payment)
      const [charge] = txid === undefined ? [] : await bank.charges(txid)
      if (txid === undefined || charge === undefined) return
      const cents = Math.max(1, Math.floor((centsOf(charge.valor.original) * each.percent) / 100))
      // Another act may close it meanwhile: then the bank refuses, as it refuses any payer.
      const paid = await bank.pay(txid, { amount: textOf(cents), webhook: 'lose' }).catch(() => [])
      if (each.isHeard)
        for (const { endToEndId } of paid) await world.callback({ pix: [{ endToEndId, txid }] })
      return
    }
    case 'refund':
      await world.refund(payment, { amount: each.cents })
      return
    case 'reconcile':
      await world.reconcile()
  }
}

test('there is at most one charge to pay, and each was for exactly what was missing', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (rounds) => {
      faults = []
      const payment = await rest.open(5_007)
      const [first] = await rest.tried(payment)
      await rest.pay(txidOf(first ?? assert.fail()), 3_000)
      for (const round of rounds) {
        await Promise.all(round.map((each) => happen(payment, each)))
        await assertLaw(payment)
      }
      faults = []
      await world.reconcile()
      const answer = await rest.press(payment)
      await assertLaw(payment)
      const now = await world.payment(payment.id)
      const missing = now.amountMinor - now.receivedMinor + now.refundedMinor
      if (now.status === 'WAITING_PAYMENT') {
        assert.equal(answer.attempt?.amount.minor, missing)
        assert.deepEqual(await rest.payable(payment), [txidOf(lastOf(await rest.tried(payment)))])
      } else assert.equal(now.status, 'PAID')
      assert.deepEqual((await world.verify()).faults, [])
    }),
    { examples: [[moneyInBetween]], numRuns: count({ quick: 3, soak: 400 }) },
  )
})

/** By what the bank has, not by what we booked. */
async function assertLaw(payment: Payment): Promise<void> {
  const tried = await rest.tried(payment)
  const payable = tried.filter(({ charge }) => charge?.status === 'ATIVA')
  const shown = JSON.stringify(tried, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  assert.ok(payable.length <= 1, `two charges can be paid: ${shown}`)
  let received = 0n
  for (const { amountMinor, charge, terms } of tried) {
    const refunded = BigInt(terms?.rest?.refunded ?? '0')
    assert.equal(amountMinor, payment.amountMinor - received + refunded, shown)
    received += (charge?.pix ?? []).reduce((sum, { valor }) => sum + BigInt(centsOf(valor)), 0n)
  }
}

function centsOf(text: string): number {
  return Number(text.replace('.', ''))
}

function textOf(cents: number): string {
  return (cents / 100).toFixed(2)
}
