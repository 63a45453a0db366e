// A payment may be paid by any methods, in any order, from several tabs. In the end each account has its first currency, each currency
// has a wallet, a wallet holds only what was received in its currency, and each method was charged its own fee.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { hourMs } from '#/kernel/time.ts'
import { writeFeeRule } from '#/merchants/queries.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import type { OpenedAttempt } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { fc } from '../chance.ts'
import { count } from '../counts.ts'
import { openForTests } from '../open-for-tests.ts'
import { openTabsWorld } from '../tabs-world.ts'

const world = openForTests(openTabsWorld)

const amount = 1_000n
const methodsOf = {
  USD: ['CRYPTO', 'CREDIT_CARD', 'PARTNER_PAY'],
  BRL: ['PIX', 'CREDIT_CARD', 'PARTNER_PAY'],
} as const satisfies Record<string, readonly Method[]>

const minor = fc.oneof(
  fc.constant(amount),
  fc.bigInt({ min: 1n, max: 1_200n }),
  fc.bigInt({ min: 1n, max: 60n }),
)
const step = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('pay' as const), by: fc.nat(2), minor }), weight: 6 },
  { arbitrary: fc.record({ kind: fc.constant('hold' as const), minor }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('void' as const) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('refund' as const), minor, isDone: fc.boolean() }), weight: 3 },
  { arbitrary: fc.record({ kind: fc.constant('dispute' as const), minor, isWon: fc.boolean() }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('release' as const) }), weight: 2 },
  {
    arbitrary: fc.record({ kind: fc.constant('rule' as const), fixed: fc.bigInt({ min: 0n, max: 90n }) }),
    weight: 1,
  },
)
const life = fc.record({
  currency: fc.constantFrom('USD' as const, 'BRL' as const),
  delayMs: fc.constantFrom(0, hourMs),
  steps: fc.array(step, { minLength: 2, maxLength: 12 }),
})
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never
type Step = Life['steps'][number]

/** Writes the operator's rule of this moment: the same fixed part for all, and a rate by which methods are distinguished. */
const ratesPpm = {
  CRYPTO: 2_000n,
  CREDIT_CARD: 30_000n,
  PARTNER_PAY: 15_000n,
  PIX: 9_000n,
  SEPA_TRANSFER: 7_000n,
} as const
async function setRules(fixedMinor: bigint): Promise<void> {
  for (const method of ['CRYPTO', 'CREDIT_CARD', 'PARTNER_PAY', 'PIX'] as const)
    for (const currency of ['USD', 'USDT', 'BRL'] as const)
      await writeFeeRule(world.line.sql, {
        merchantId: world.line.merchant.id,
        method,
        currency,
        fixedMinor,
        ratePpm: ratesPpm[method],
      })
}

type Piece = {
  readonly method: Method
  readonly currency: string
  readonly minor: bigint
  readonly ref: string
}

/** What happened in one life so far. */
type Story = {
  readonly payment: Payment
  readonly tabs: ReadonlyMap<Method, OpenedAttempt>
  readonly fixed: bigint
  readonly pieces: Piece[]
  readonly holds: Receipt[]
  /** What left, or was deducted, in each currency. */
  readonly gone: Map<string, bigint>
}

let names = 0
const tabOf = ({ tabs }: Story, method: Method) => must(tabs.get(method), `${method} is open`)
const booked = async (receipt: Receipt) => assert.deepEqual(await world.settle(receipt), ['booked'])

async function act(story: Story, each: Step, methods: readonly Method[]): Promise<void> {
  const { payment, pieces, holds, gone } = story
  switch (each.kind) {
    case 'pay': {
      const method = methods[each.by] ?? assert.fail()
      const { currency } = tabOf(story, method).amount
      const receipt = world.receipt(tabOf(story, method), 'paid', each.minor)
      pieces.push({ method, currency, minor: each.minor, ref: receipt.providerRef })
      return method === 'CRYPTO' ? world.payOnChain(payment, each.minor) : booked(receipt)
    }
    case 'hold': {
      const name = `auth_${(names += 1)}`
      const receipt = world.receipt(tabOf(story, 'CREDIT_CARD'), 'authorised', each.minor, {
        providerRef: name,
        pendingRef: name,
      })
      holds.push(receipt)
      return booked(receipt)
    }
    case 'void': {
      const receipt = holds.pop()
      return receipt && booked({ ...receipt, outcome: 'voided' })
    }
    case 'refund': {
      // With an address the coins are refunded, without one the rest.
      const verdict = await world.refund(
        payment,
        Number(each.minor),
        each.minor % 2n === 0n ? 'coins' : 'rest',
      )
      assert.ok(
        ['created', 'exceeds', 'insufficient_funds', 'not_refundable'].includes(verdict.kind),
        verdict.kind,
      )
      if (verdict.kind !== 'created') return
      const { id, method } = verdict.refund
      const { currency } = tabOf(story, method).amount
      // How coins leave by our hot wallet, and how a bank reports a return, are covered by other laws.
      const isDone = each.isDone && method !== 'CRYPTO' && method !== 'PIX'
      await booked(
        world.refundReceipt(tabOf(story, method), id, isDone ? 'refunded' : 'refund_failed', each.minor),
      )
      if (isDone) gone.set(currency, (gone.get(currency) ?? 0n) + each.minor)
      return
    }
    case 'dispute': {
      const piece = pieces.find(({ method }) => method === 'CREDIT_CARD')
      if (piece === undefined) return
      const dispute = { paidRef: piece.ref, kind: 'CHARGEBACK' } as const
      const providerRef = `dp_${(names += 1)}`
      const receipt = world.receipt(tabOf(story, 'CREDIT_CARD'), 'dispute_opened', each.minor, {
        providerRef,
        dispute,
      })
      await booked(receipt)
      await booked({ ...receipt, outcome: each.isWon ? 'dispute_won' : 'dispute_lost' })
      if (!each.isWon) gone.set(piece.currency, (gone.get(piece.currency) ?? 0n) + each.minor)
      return
    }
    case 'release':
      await world.release()
      return
    case 'rule':
      return setRules(each.fixed)
  }
}

/**
 * The fee that the rule requires for the pieces of one method, when no piece pays more than its own amount. For each number k of pieces:
 * the fee that is due for the first k pieces, plus the sum of the other pieces. The result is the minimum of these.
 */
function feeOf(pieces: readonly bigint[], fixed: bigint, ratePpm: bigint): bigint {
  const sum = (some: readonly bigint[]) => some.reduce((total, each) => total + each, 0n)
  const due = (some: readonly bigint[]) =>
    some.length === 0 ? 0n : fixed + (sum(some) * ratePpm) / 1_000_000n
  const all = [...pieces.keys(), pieces.length].map((at) => due(pieces.slice(0, at)) + sum(pieces.slice(at)))
  return all.reduce((least, each) => (each < least ? each : least))
}

async function compare(
  { payment, pieces, holds, gone, fixed }: Story,
  start: Readonly<Record<string, bigint>>,
) {
  const now = await world.line.payment(payment.id)
  const books = await world.books()
  const since = (name: string) => (books[name] ?? 0n) - (start[name] ?? 0n)
  const sum = (some: readonly { readonly minor: bigint }[]) =>
    some.reduce((total, each) => total + each.minor, 0n)
  assert.equal(now.receivedMinor, sum(pieces))
  for (const currency of ['USD', 'USDT', 'BRL']) {
    const ofCurrency = pieces.filter((piece) => piece.currency === currency)
    const byMethod = Map.groupBy(ofCurrency, ({ method }) => method)
    const fees = [...byMethod].map(([method, each]) => {
      assert.ok(method in ratesPpm)
      const fee = feeOf(
        each.map((piece) => piece.minor),
        fixed,
        ratesPpm[method as keyof typeof ratesPpm],
      )
      const kept = now.money
        .find((money) => money.currency === currency)
        ?.methods.find((one) => one.method === method)
      assert.deepEqual([kept?.receivedMinor, kept?.feeMinor], [sum(each), fee], `${method} in ${currency}`)
      return { minor: fee }
    })
    assert.equal(since(`fees ${currency}`), sum(fees))
    const onHold = sum(
      holds.map(({ amount: { minor: held, currency: of } }) => ({ minor: of === currency ? held : 0n })),
    )
    assert.equal(
      since(`available ${currency}`) +
        since(`pending ${currency}`) +
        since(`held ${currency}`) -
        since(`receivable ${currency}`),
      sum(ofCurrency) - sum(fees) + onHold - (gone.get(currency) ?? 0n),
      `what the merchant has in ${currency} came in ${currency}`,
    )
  }
  await assertOneCurrency()
}

/** Every transfer has one currency, and every account of a wallet has the wallet's currency. */
async function assertOneCurrency(): Promise<void> {
  const { sql } = world.line
  const mixed = await sql`
    select transfer.number from transfer
      join account as debit_account on debit_account.id = transfer.debit
      join account as credit_account on credit_account.id = transfer.credit
     where debit_account.currency <> credit_account.currency`
  assert.equal(mixed.length, 0)
  const strange = await sql`
    select account.name from account
      join balance on balance.account_id = account.id
      left join wallet on account.name like 'wallet:' || wallet.id || ':%'
     where balance.currency is distinct from account.currency
        or account.name like 'wallet:%' and wallet.currency is distinct from account.currency`
  assert.equal(strange.length, 0)
}

async function live({ currency, delayMs, steps }: Life): Promise<void> {
  const fixed = 50n
  await setRules(fixed)
  world.delayMs = delayMs
  const start = await world.books()
  const methods = methodsOf[currency]
  const opened = await world.open(currency, Number(amount), methods)
  const story: Story = { ...opened, fixed, pieces: [], holds: [], gone: new Map() }
  for (const each of steps) {
    await act(story, each, methods)
    const { unreleasedMinor, money, walletId } = await world.line.payment(story.payment.id)
    assert.ok(money.every((one) => one.unreleasedMinor >= 0n && one.refundedMinor >= 0n))
    assert.equal(
      unreleasedMinor,
      money.reduce((sum, one) => sum + one.unreleasedMinor, 0n),
    )
    assert.ok(walletId === undefined || money.some((one) => one.walletId === walletId))
  }
  await compare(story, start)
  for (const receipt of story.holds.splice(0)) await booked({ ...receipt, outcome: 'voided' })
  await world.release()
  assert.equal((await world.line.payment(story.payment.id)).unreleasedMinor, 0n)
}

test('any sequence over methods, currencies and tabs leaves each account with one currency', async () => {
  await fc.assert(fc.asyncProperty(life, live), {
    numRuns: count({ quick: 4, soak: 2_000 }),
    endOnFailure: true,
  })
})

test('and all of it is on the books', async () => {
  assert.deepEqual((await world.line.verify()).faults, [])
})
