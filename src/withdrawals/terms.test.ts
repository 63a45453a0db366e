// What a withdrawal costs and what the limits leave: of the merchant, of its parent, and of the rails themselves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutTypes } from '#/contract/withdrawals.ts'
import type { Sql } from '#/db/client.ts'
import type { ApiKeyId, MerchantId } from '#/kernel/id.ts'
import { minorMax } from '#/kernel/money.ts'
import type { Facts } from '#/money-out/facts.ts'
import {
  beyondRail,
  railMost,
  stillWithinLimits,
  stricter,
  withinLimits,
  type Limit,
} from '#/money-out/limits.ts'
import { bareId, beside, onRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import { partly } from '../../test/partly.ts'
import { largestAmount, type Rules } from './accept.ts'
import { withdrawalTerms } from './terms.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const [ours, parent, sibling] = [bareId(1) as MerchantId, bareId(2), bareId(3)]
type Amounts = {
  readonly each?: number
  readonly day?: number
  readonly approval?: number
  readonly spent?: number
}

/** The terms of a withdrawal by PIX, of a sub-account with these limits of its own and of its parent. */
async function terms(amountMinor: bigint, own?: Amounts, parents?: Amounts) {
  const [now] = await sql<{ day: string }[]>`select (now() at time zone 'UTC')::date::text as day`
  const limitOf = (merchant_id: string, limit: Amounts | undefined) =>
    limit === undefined
      ? []
      : [
          {
            merchant_id,
            type: 'PIX',
            currency: 'BRL',
            each_minor: limit.each,
            day_minor: limit.day,
            approval_above_minor: limit.approval,
            listed_only: true,
          },
        ]
  const spentOf = (merchant_id: string, minor = 0) => ({
    merchant_id,
    type: 'PIX',
    currency: 'BRL',
    day: now?.day,
    minor,
  })
  const fee = { merchant_id: ours, method: 'PIX_WITHDRAWAL', currency: 'BRL', fixed_minor: 7, rate_ppm: 0 }
  const limits = [...limitOf(ours, own), ...limitOf(parent, parents)]
  const tables = {
    sub_account: [ours, sibling].map((merchant_id) => ({ merchant_id, parent_id: parent })),
    fee_rule: [...beside({ ...fee, fixed_minor: 99 }, { method: 'PIX' }, { currency: 'EUR' }), fee],
    withdrawal_limit: [
      ...limits.flatMap((each) =>
        beside({ ...each, each_minor: 1 }, { type: 'CRYPTO' }, { currency: 'AUD' }),
      ),
      ...limits,
    ],
    withdrawal_spent: [spentOf(ours, own?.spent), spentOf(sibling, parents?.spent)],
  }
  const of = { type: 'PIX', currency: 'BRL', amountMinor } as const
  const { feeMinor, needsApproval, limit } = await onRows(sql, tables, (tx) =>
    withdrawalTerms(tx, { id: ours, mode: 'SANDBOX' }, of),
  )
  assert.equal(feeMinor, 7n)
  const shown = limit && [limit.eachMinor, limit.dayMinor, limit.approvalAboveMinor, limit.spentMinor]
  return [needsApproval, ...(shown?.map((each) => (each === null ? null : Number(each))) ?? [])]
}

test('a sub-account sees the stricter of its own limits and its parent’s', async () => {
  const own = { each: 100, day: 300, approval: 80, spent: 50 }
  const cases: readonly (readonly [
    expected: readonly unknown[],
    amount: bigint,
    own?: Amounts | undefined,
    parents?: Amounts,
  ])[] = [
    [[false], 500n],
    [[false, 100, 300, 80, 50], 80n, own],
    [[true, 100, 300, 80, 50], 81n, own],
    // More than the limit allows: a second person does not help.
    [[false, 100, 300, 80, 50], 101n, own],
    [[false, null, null, null, 0], 500n, {}],
    [[false, 90, 140, 70, 0], 70n, undefined, { each: 90, day: 200, approval: 70, spent: 60 }],
    [[true, 90, 300, 70, 50], 71n, own, { each: 90, approval: 70 }],
    [[false, 100, 300, 80, 50], 60n, own, { each: 110, day: 900, approval: 90 }],
    [[false, 100, 300, 80, 50], 60n, own, {}],
    // The parent's day has 200 less 50 less 130 left: that is 20 more than what the sub-account spent.
    [[false, 100, 70, 80, 50], 20n, own, { day: 200, spent: 130 }],
    [[false, 100, 50, 80, 50], 1n, own, { day: 200, spent: 170 }],
  ]
  for (const [expected, amount, mine, parents] of cases)
    assert.deepEqual(
      await terms(amount, mine, parents),
      expected,
      JSON.stringify([Number(amount), mine, parents]),
    )
})

const limit: Limit = {
  merchantId: ours,
  type: 'PIX',
  currency: 'BRL',
  eachMinor: null,
  dayMinor: 100n,
  approvalAboveMinor: null,
  listedOnly: false,
}
const allowed = { ok: true, needsApproval: false } as const

test('what was accepted before counts once in its own day', () => {
  const still = (amountMinor: bigint, spentMinor: bigint) =>
    stillWithinLimits(limit, { amountMinor }, { spentMinor, isListed: false })
  const refused = (leftMinor: bigint) => ({ ok: false, reason: 'day', limitMinor: 100n, leftMinor }) as const
  const cases = [
    [100n, 100n, allowed],
    [60n, 100n, allowed],
    [60n, 101n, refused(59n)],
    [60n, 160n, refused(0n)],
    [60n, 190n, refused(0n)],
    // Its day was lost: it counts alone.
    [100n, 40n, allowed],
    [101n, 40n, refused(100n)],
  ] as const
  for (const [amount, spent, expected] of cases)
    assert.deepEqual(still(amount, spent), expected, `${amount} ${spent}`)
})

test('of two verdicts a refusal counts first, then the need for a second person', () => {
  const needs = { ok: true, needsApproval: true } as const
  const refusal = withinLimits(limit, 101n, { spentMinor: 0n, isListed: false })
  assert.equal(refusal.ok, false)
  const cases = [
    [[], allowed],
    [[allowed, allowed], allowed],
    [[allowed, needs], needs],
    [[needs, refusal], refusal],
  ] as const
  for (const [verdicts, expected] of cases) assert.deepEqual(stricter(verdicts), expected)
})

test('a rail carries what its messages can write, and not a cent more', () => {
  // Ten digits before the point; 999,999,999.99; 256 bits of units, of which a cent of USDT has 10^16.
  assert.equal(railMost.PIX, 10n ** 12n - 1n)
  assert.equal(railMost.SEPA, 10n ** 11n - 1n)
  const units = (cents: bigint) => cents * 10n ** 16n
  assert.ok(units(railMost.CRYPTO) < 2n ** 256n && units(railMost.CRYPTO + 1n) >= 2n ** 256n)
  for (const type of payoutTypes) {
    const most = railMost[type]
    assert.equal(beyondRail(type, most), undefined)
    assert.deepEqual(beyondRail(type, most + 1n), {
      ok: false,
      reason: 'rail',
      limitMinor: most,
      leftMinor: most,
    })
  }
})

test('the largest amount is what is free without its fee, to the cent, and what an amount can show', () => {
  const of = {
    way: 'SCHEDULE',
    merchantId: ours,
    mode: 'LIVE',
    requestedBy: bareId(4) as ApiKeyId,
    type: 'CRYPTO',
    currency: 'USDT',
    createdAt: new Date('2026-11-22T10:00:00Z'),
  } as const
  const facts = partly<Facts>({ parents: new Map(), limits: new Map(), spent: new Map() })
  // 7 and 1 %, without its part of a cent.
  const fee = {
    merchantId: ours,
    method: 'CRYPTO_WITHDRAWAL',
    currency: 'USDT',
    fixedMinor: 7n,
    ratePpm: 10_000n,
  } as const
  const rulesWith = (fees: Rules['fees']) => partly<Rules>({ facts, fees })
  const free = rulesWith(new Map())
  const charged = rulesWith(new Map([[`${ours}/CRYPTO_WITHDRAWAL/USDT`, fee]]))
  const cases = [
    [free, 0n, 0n],
    [free, 1n, 1n],
    [free, 100n, 100n],
    [free, minorMax, minorMax],
    [free, minorMax + 1n, minorMax],
    [charged, 0n, 0n],
    [charged, 7n, 0n],
    [charged, 8n, 1n],
    [charged, 106n, 99n],
    [charged, 107n, 99n],
    [charged, 108n, 100n],
  ] as const
  for (const [rules, freeMinor, expected] of cases)
    assert.equal(largestAmount(rules, of, freeMinor), expected, `${freeMinor}`)
})
