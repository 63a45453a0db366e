// What settlement makes of reports, on a test's own rows: which reports fit, what is bookable, what is written and which events there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql, Tx } from '#/db/client.ts'
import type { AttemptId } from '#/kernel/id.ts'
import { minorMax } from '#/kernel/money.ts'
import type { Receipt } from '#/rails/receipt.ts'
import { bareId, type BareRows } from '../../test/bare-rows.ts'
import { rowsDatabase } from '../../test/file-database.ts'
import * as scene from '../../test/settle-scene.ts'
import {
  attempt,
  attemptId,
  brl,
  nameless,
  payment,
  refundId,
  said,
  theirs,
  unmatchedId,
  wallet,
  type Scene,
} from '../../test/settle-scene.ts'
import type { ReceiptVerdict } from './decision.ts'
import { settleParts, type SettleItem } from './settle.ts'

let sql: Sql
rowsDatabase((owner) => (sql = owner))

const settle = <After>(items: readonly SettleItem[], how: Scene, ask: (tx: Tx) => Promise<After>) =>
  scene.settle(sql, items, how, ask)
const verdictsOn = async (receipts: readonly Receipt[], how: Scene = {}) =>
  (await settle([{ receipts }], how, async () => {})).verdicts[0]
const verdictOn = async (receipt: Receipt, how: Scene = {}) => (await verdictsOn([receipt], how))?.[0]
const reasonOf = async (receipt: Receipt, how: Scene = {}) =>
  (
    await settle(
      [{ receipts: [receipt] }],
      how,
      (tx) => tx`select reason from unmatched order by id desc limit 1`,
    )
  ).after[0]?.['reason'] as string | undefined

test('many receipts are settled in parts of a hundred; the last part takes the signal away, unless one of them has to stay', async () => {
  const parts = async (count: number, verdicts: readonly ReceiptVerdict[] = []) => {
    const told: string[] = []
    const receipts = Array.from({ length: count }, () => said('paid'))
    const all = await settleParts(
      async (item) => {
        told.push(`${item.receipts.length}${item.signal === undefined ? '' : ' last'}`)
        return item.receipts.map(() => verdicts[told.length - 1] ?? 'booked')
      },
      { receipts, signal: 7n },
    )
    assert.equal(all.length, count)
    return told
  }
  assert.deepEqual(await parts(0), ['0 last'])
  assert.deepEqual(await parts(1), ['1 last'])
  assert.deepEqual(await parts(100), ['100 last'])
  assert.deepEqual(await parts(101), ['100', '1 last'])
  assert.deepEqual(await parts(200), ['100', '100 last'])
  for (const stays of ['unknown_payment', 'unbookable', 'undecided'] as const)
    assert.deepEqual(await parts(101, [stays]), ['100', '1'], stays)
  for (const settled of ['repeated', 'suspended', 'noted', 'differs', 'superseded'] as const)
    assert.deepEqual(await parts(101, [settled]), ['100', '1 last'], settled)
})

test('a report fits the attempt of its connection that it names; what fits none goes to suspense with the reason', async () => {
  assert.equal(await verdictOn(said('paid')), 'booked')
  assert.equal(await verdictOn(said('paid', { attempt })), 'booked')
  assert.equal(await reasonOf(nameless), 'no_attempt')
  for (const change of [
    { attempt: { id: bareId(9) as AttemptId } },
    { attempt: { id: attemptId, isLost: true as const } },
    { attempt: { ...attempt, isLost: true as const } },
  ])
    assert.equal(await reasonOf(said('paid', change)), 'unknown_attempt')
  const elsewhere = { rows: { attempt: [{ ...scene.attemptRow, connection: theirs }] } }
  assert.equal(await reasonOf(said('paid'), elsewhere), 'unknown_attempt')
  assert.equal(await reasonOf(said('paid', { amount: { minor: 1_000n, currency: 'EUR' } })), 'wrong_currency')
  const unknown = said('paid', { connection: theirs, attempt: { id: bareId(9) as AttemptId } })
  assert.equal(await verdictOn(unknown), 'unknown_payment', 'no connection, no account of suspense')
  assert.deepEqual(await verdictsOn([said('paid'), unknown]), ['unknown_payment', 'unknown_payment'])
})

test('where only the requested amount counts, a capture may be less than was authorised, and no more', async () => {
  const exact: Scene = { rail: { amounts: 'EXACT' } }
  const authorised = { minor: 1_000n, currency: 'BRL' } as const
  for (const [receipt, reason] of [
    [said('paid'), undefined],
    [said('paid', { attempt }), undefined],
    [said('paid', brl(999n)), 'wrong_amount'],
    [said('paid', { attempt, ...brl(999n) }), 'wrong_amount'],
    [said('paid', { authorised, ...brl(999n) }), undefined],
    [said('paid', { authorised }), undefined],
    [said('paid', { authorised, ...brl(1_001n) }), 'wrong_amount'],
    [said('paid', { authorised: { ...authorised, minor: 999n }, ...brl(999n) }), 'wrong_amount'],
    [said('paid', { authorised: { ...authorised, currency: 'EUR' } }), 'wrong_amount'],
    [said('authorised', { ...brl(999n), pendingRef: 'p' }), 'wrong_amount'],
    [said('seen', { ...brl(999n), pendingRef: 'p' }), undefined],
  ] as const)
    assert.equal(await reasonOf(receipt, exact), reason)
  assert.equal(await reasonOf(said('paid', brl(999n))), undefined, 'elsewhere any amount counts')
})

test('a dispute of money in suspense goes there too; of money that was credited it debits that merchant', async () => {
  const { attempt: _attempt, ...lost } = said('dispute_lost', { dispute: { paidRef: 'e9', kind: 'MED' } })
  const of = (change: object) => ({ rows: { unmatched: [{ ...scene.unmatchedRow, ...change }] } })
  const states = (receipt: Receipt, how: Scene) =>
    settle([{ receipts: [receipt] }], how, async (tx) => {
      const [row] = await tx<{ resolution: string | null; disputes: number }[]>`
        select resolution, (select count(*)::integer from dispute) as disputes from unmatched where id = ${unmatchedId}`
      return [row?.resolution, row?.disputes] as const
    })
  const after = async (receipt: Receipt, how: Scene) => {
    const told = await states(receipt, how)
    return [told.verdicts[0]?.[0], ...told.after]
  }
  assert.deepEqual(await after(lost, of({})), ['booked', 'RETURNED', 0])
  assert.deepEqual(
    await after({ ...lost, attempt }, of({})),
    ['booked', 'RETURNED', 0],
    'whatever attempt it names',
  )
  assert.deepEqual(await after(lost, of({ amount_minor: 999 })), ['noted', null, 0])
  assert.deepEqual(await after(lost, of({ connection: theirs })), ['noted', null, 0])
  const credited = { resolution: 'CREDITED', wallet_id: wallet }
  assert.deepEqual(await after(lost, of(credited)), ['booked', 'CREDITED', 1])
  const euros = { ...lost, amount: { minor: 1_000n, currency: 'EUR' as const } }
  assert.deepEqual(await after(euros, of(credited)), ['noted', 'CREDITED', 0])
  const other = { ...lost, dispute: { paidRef: 'e8', kind: 'MED' as const } }
  assert.deepEqual(await after(other, of(credited)), ['noted', 'CREDITED', 0])
  assert.deepEqual(await verdictsOn([nameless, { ...lost, dispute: { paidRef: 'e1', kind: 'MED' } }]), [
    'suspended',
    'booked',
  ])
  const seen = { ...nameless, outcome: 'seen' as const }
  const ofSeen = said('dispute_opened', { dispute: { paidRef: 'e1', kind: 'MED' } })
  assert.deepEqual(await verdictsOn([seen, ofSeen]), ['noted', 'booked'], 'what was only seen is no money')
  const lostHere = said('dispute_lost', { attempt, dispute: { paidRef: 'e1', kind: 'MED' } })
  const both = await settle([{ receipts: [nameless, lostHere] }], {}, async () => {})
  assert.deepEqual(both.posted.at(-1), '2.return SUSPENSE suspense>provider 1000', 'with an attempt too')
  const { posted } = await settle([{ receipts: [said('paid'), ofSeen] }], {}, async () => {})
  assert.ok(
    posted.some((each) => each.includes('held')),
    'money of a payment is not in suspense',
  )
  assert.equal(await reasonOf(lost, of({})), 'suspended_money')
})

test('an amount that nobody could name is not booked, and neither is what came with it', async () => {
  const dispute = (fee: bigint) => ({ dispute: { paidRef: 'e0', kind: 'MED' as const, fee } })
  const paid: Scene = { rows: { payment: [scene.paidRow], receipt: [scene.paidReceipt] } }
  const open = { ...paid, rows: { ...paid.rows, dispute: [scene.disputeRow] } }
  const stray = (minor: bigint) => ({ ...nameless, ...brl(minor) })
  const fine: Scene = {
    rail: {
      coins: {
        units: { load: async () => ({ credit: () => 0n, save: async () => {} }) },
        coin: () => undefined,
      },
    },
  }
  for (const [receipt, how, isFine] of [
    [said('paid', brl(0n)), {}, true],
    [said('paid', brl(-1n)), {}, false],
    [said('paid', brl(minorMax)), {}, true],
    [said('paid', brl(minorMax + 1n)), {}, false],
    [stray(0n), {}, false],
    [stray(1n), {}, true],
    [stray(0n), fine, true],
    [said('dispute_opened', brl(0n)), paid, false],
    [said('dispute_opened', brl(1n)), paid, true],
    [said('dispute_lost', brl(0n)), open, true],
    [said('dispute_opened', dispute(-1n)), paid, false],
    [said('dispute_opened', dispute(0n)), paid, true],
    [said('dispute_opened', dispute(minorMax)), paid, true],
    [said('dispute_opened', dispute(minorMax + 1n)), paid, false],
  ] as const)
    assert.equal(
      (await verdictOn(receipt, how)) !== 'unbookable',
      isFine,
      `${receipt.outcome} ${receipt.amount.minor}`,
    )
  const refusing = { books: { accepts: () => false } }
  assert.deepEqual(await verdictsOn([said('paid')], refusing), ['unbookable'])
  assert.deepEqual(await verdictsOn([said('paid'), stray(0n)]), ['unbookable', 'unbookable'])
})

const { paymentRow, paidRow, attemptRow, refundRow, paidReceipt } = scene
const merchant_id = scene.merchant
const paidBefore: BareRows = { payment: [paidRow], receipt: [paidReceipt] }
/** The first column of what a statement finds. */
const column = async (found: Promise<readonly Readonly<Record<string, unknown>>[]>) =>
  (await found).map((row) => Object.values(row)[0])

test('each report is kept with its payment, and its signal goes, unless a report has to be read again', async () => {
  const state = async (tx: Tx) => [
    await column(tx`select concat(outcome, ' ', booked_minor, ' ', ordinal) from receipt order by ordinal`),
    await column(tx`select concat(status, ' ', received_minor, ' ', version, ' ', method) from payment`),
    await column(tx`select id::integer from inbox order by id`),
  ]
  const rows = { inbox: [{ id: 7 }, { id: 8 }] }
  const one = await settle([{ signal: 7n, receipts: [said('paid')] }], { rows }, state)
  assert.deepEqual(one.after, [['paid 1000 1'], ['PAID 1000 2 PIX'], [8]])
  const both = [said('refund_failed'), said('refunded')]
  const undecided = { rows: { ...rows, ...paidBefore, refund: [refundRow] } }
  const told = await settle([{ signal: 7n, receipts: both }], undecided, state)
  assert.deepEqual([told.verdicts, told.after[2]], [[['booked', 'undecided']], [7, 8]])
})

test('the first money of a currency opens a wallet, once, before the event of the payment', async () => {
  const twice = [said('paid', brl(400n)), said('paid', { providerRef: 'e2', ...brl(600n) })]
  const wallets = (tx: Tx) => column(tx`select currency from wallet`)
  const { events, after } = await settle([{ receipts: twice }], { rows: { wallet: [] } }, wallets)
  assert.deepEqual(
    [events.map(({ type }) => type), after],
    [['wallet.created', 'payment.completed'], ['BRL']],
  )
  const unmoved = await settle([{ receipts: [said('declined')] }], { rows: { wallet: [] } }, wallets)
  assert.deepEqual([unmoved.events, unmoved.after], [[], []])
  const has = await settle([{ receipts: twice }], {}, wallets)
  assert.deepEqual(
    has.events.map(({ type }) => type),
    ['payment.completed'],
  )
})

test('a payment has at most one event of its state and one of money after it, which show what came in the batch', async () => {
  const pieces = (...minors: readonly bigint[]) =>
    minors.map((minor, index) => said('paid', { providerRef: `e${index}`, ...brl(minor) }))
  const typesOf = async (receipts: readonly Receipt[]) =>
    (await settle([{ receipts }], {}, async () => {})).events.map(({ type }) => type)
  assert.deepEqual(await typesOf(pieces(400n, 500n)), ['payment.underpaid'])
  assert.deepEqual(await typesOf(pieces(400n, 600n)), ['payment.completed'])
  const all = ['payment.completed', 'payment.received_after_close']
  assert.deepEqual(await typesOf(pieces(1_000n, 5n, 6n)), all)
  const means = { brand: 'visa', last4: '4242' }
  const shown = async (receipts: readonly Receipt[]) =>
    (await settle([{ receipts }], {}, async () => {})).events.map(({ data }) => data['shown'])
  assert.deepEqual(await shown([said('paid', { means })]), [[{ paidRefs: ['e1'], means }]])
  const authorised = said('authorised', { pendingRef: 'p', means })
  assert.deepEqual(await shown([authorised]), [[{ paidRefs: [], means }]])
})

test('an event counts a refund as pending, unless the same batch has ended it', async () => {
  const rows = { ...paidBefore, payment: [{ ...paidRow, refunded_minor: 400 }], refund: [refundRow] }
  const again = said('paid', { providerRef: 'e2' })
  const pending = async (receipts: readonly Receipt[]) => {
    const { events } = await settle([{ receipts }], { rows }, async () => {})
    return events.find(({ type }) => type === 'payment.received_after_close')?.data['amountRefundPending']
  }
  assert.equal(await pending([again]), 400)
  assert.equal(await pending([again, said('refunded')]), 0)
})

test('a refund and its dispute are kept as they are now, and coins that left by a refund leave the rail’s tables', async () => {
  const left: (readonly string[])[] = []
  const rail = {
    refunds: {
      send: async () => [],
      leave: async (_: unknown, ids: readonly string[]) => void left.push(ids),
    },
  }
  const day = { merchant_id, type: 'PIX', currency: 'BRL', day: '2026-11-21', minor: 900 }
  const state = async (tx: Tx) => [
    ...(await column(tx`select status from refund`)),
    ...(await column(tx`select status from dispute`)),
    ...(await column(tx`select minor::integer from withdrawal_spent`)),
  ]
  const rows = {
    ...paidBefore,
    refund: [refundRow],
    withdrawal_spent: [day],
    payment: [{ ...paidRow, refunded_minor: 400 }],
  }
  const after = async (receipts: readonly Receipt[], change = {}) => {
    const refund = [{ ...refundRow, ...change }]
    return (await settle([{ receipts }], { rows: { ...rows, refund }, rail }, state)).after
  }
  assert.deepEqual(await after([said('refund_failed')]), ['FAILED', 500])
  assert.deepEqual(left, [])
  assert.deepEqual(await after([said('refunded')]), ['COMPLETED', 900])
  assert.deepEqual(await after([said('refunded')], { status: 'FAILED' }), ['COMPLETED', 1_300])
  assert.deepEqual(left, [[refundId], [refundId]])
  assert.deepEqual(await after([said('dispute_lost')]), ['PENDING', 'LOST', 900])
})

test('a refusal of a refund counts while its worker holds the refund', async () => {
  const due = { merchant_id, refund_id: refundId, sends: 2 }
  const rows = { ...paidBefore, refund: [refundRow], refund_due: [due] }
  const verdict = async (outcome: 'refunded' | 'refund_failed', number: number) => {
    const inquiry = { at: scene.at, claim: { id: refundId, number } }
    const { verdicts } = await settle([{ receipts: [said(outcome)], inquiry }], { rows }, async () => {})
    return verdicts[0]?.[0]
  }
  assert.equal(await verdict('refund_failed', 2), 'booked')
  assert.equal(await verdict('refund_failed', 1), 'superseded')
  assert.equal(await verdict('refunded', 1), 'booked')
})

test('the order of an authorisation ends with it, and what nobody waits for gets an order to void it', async () => {
  const order = { merchant_id, attempt_id: attemptId, payment_id: payment, kind: 'CAPTURE', is_asked: true }
  const states = (tx: Tx) =>
    column(
      tx`select kind || case when ended_at is null then '' else ' ended' end from authorisation_order order by 1`,
    )
  const after = async (receipt: Receipt, rows: BareRows) =>
    (await settle([{ receipts: [receipt] }], { rows }, states)).after
  const rows = { authorisation_order: [order] }
  const pendingRef = 'p'
  assert.deepEqual(await after(said('voided', { pendingRef }), rows), ['CAPTURE ended'])
  assert.deepEqual(await after(said('paid', { pendingRef }), rows), ['CAPTURE ended'])
  assert.deepEqual(await after(said('paid'), rows), ['CAPTURE'])
  assert.deepEqual(await after(said('authorised', { pendingRef }), rows), ['CAPTURE'])
  assert.deepEqual(await after(said('authorised', { pendingRef }), { payment: [paidRow] }), ['VOID'])
})

test('when a payment of a page is paid or approved, its other open attempts are canceled', async () => {
  const other = { ...attemptRow, id: bareId(8) }
  const page = { page_token: 't', page_url: 'u' }
  const closed = async (receipt: Receipt, row: object) => {
    const rows = { payment: [{ ...paymentRow, ...row }], attempt: [attemptRow, other] }
    return (
      await settle([{ receipts: [receipt] }], { rows }, (tx) =>
        column(tx`select attempt_id from attempt_closing`),
      )
    ).after
  }
  assert.deepEqual(await closed(said('paid'), page), [other.id])
  assert.deepEqual(await closed(said('authorised', { pendingRef: 'p' }), page), [other.id])
  assert.deepEqual(await closed(said('paid'), {}), [], 'it has no page')
  assert.deepEqual(await closed(said('paid', brl(999n)), page), [], 'it is not paid yet')
  assert.deepEqual(await closed(said('paid'), { ...paidRow, ...page }), [], 'it was paid before')
  assert.deepEqual(await closed(said('declined'), { ...paidRow, ...page, paid_at: scene.at }), [])
})

test('money that waits for its delay is kept until then, and exact units are counted for what arrives', async () => {
  const releases = (tx: Tx) => column(tx`select concat(ordinal, ' ', minor) from release`)
  const delayed = { rail: { settlementDelayMs: () => 5 } }
  assert.deepEqual((await settle([{ receipts: [said('paid')] }], delayed, releases)).after, ['1 1000'])
  const counted: string[][] = []
  let saved = 0
  const units = {
    load: async (_: unknown, receipts: readonly Receipt[]) => {
      counted.push(receipts.map(({ outcome }) => outcome))
      return { credit: () => 7n, save: async () => void (saved += 1) }
    },
  }
  const exact = { rail: { coins: { units, coin: () => undefined } } }
  const { posted } = await settle(
    [{ receipts: [said('seen', { pendingRef: 'p' }), said('paid')] }],
    exact,
    releases,
  )
  assert.equal(posted.at(-1), '2.repay RECEIVABLE_REPAID available>receivable 7')
  await settle([{ receipts: [said('seen', { pendingRef: 'p' })] }], exact, releases)
  assert.deepEqual([counted, saved], [[['paid']], 1])
})

test('a payment keeps the fee that was in force when it was created', async () => {
  const { created_at } = paymentRow
  const rule = { merchant_id, method: 'PIX', currency: 'BRL', rate_ppm: 0, fixed_minor: 30 }
  const [before, later] = ['2026-11-21T11:59:59.999Z', '2026-11-21T12:00:00.001Z']
  const feeBy = async (now: string, past: readonly object[] = []) => {
    const rows = {
      fee_rule: [{ ...rule, valid_from: now }],
      fee_rule_past: past.map((each) => ({ ...rule, valid_to: now, ...each })),
    }
    const { posted } = await settle([{ receipts: [said('paid')] }], { rows }, async () => {})
    return posted.find((each) => each.includes('FEE'))
  }
  assert.equal(await feeBy(before), '1.fee FEE available>fees 30')
  assert.equal(await feeBy(created_at), '1.fee FEE available>fees 30')
  assert.equal(
    await feeBy(created_at, [{ valid_from: before, fixed_minor: 20 }]),
    '1.fee FEE available>fees 30',
  )
  assert.equal(await feeBy(later), undefined)
  assert.equal(await feeBy(later, [{ valid_from: before, fixed_minor: 20 }]), '1.fee FEE available>fees 20')
})
