// The receipts of intents, refunds and disputes, read from objects like those in the provider's reference.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import type { AttemptId, ConnectionId } from '#/kernel/id.ts'
import { parseInstant } from '#/kernel/time.ts'
import type { Receipt } from '#/rails/receipt.ts'
import {
  attemptId,
  charge,
  dispute,
  intent,
  move,
  refund,
  refundId,
} from '../../../test/rails/acquirer/objects.ts'
import { NonsenseError } from './fields.ts'
import { receiptsOfDispute, receiptsOfIntent, receiptsOfRefund, type Source } from './receipts.ts'
import { parseDispute, parseIntent, parseRefund } from './wire.ts'

const readAt = must(parseInstant('2026-11-21T10:00:00Z'), 'an instant')
const source: Source = {
  connection: '00-c' as ConnectionId,
  mode: 'SANDBOX',
  evidence: Buffer.from('{}'),
  readAt,
}
type Json = Readonly<Record<string, unknown>>
const ofIntent = (more: Json) => receiptsOfIntent(source, must(parseIntent(intent(more)), 'ours'))
const ofRefund = (more: Json = {}) =>
  receiptsOfRefund(source, must(parseRefund(refund(more)), 'ours'), {
    attempt: attemptId as AttemptId,
    intent: 'pi_3Q0PsIJvEtkwdCNY1',
  })
const ofDispute = (more: Json = {}) =>
  receiptsOfDispute(source, must(parseDispute(dispute(more)), 'ours'), attemptId as AttemptId)
const one = (receipts: readonly Receipt[]) => {
  assert.equal(receipts.length, 1)
  return must(receipts[0], 'one')
}
const outcomes = (receipts: readonly Receipt[]) => receipts.map(({ outcome }) => outcome)

test('a captured card is paid, once, with its means', () => {
  const { evidence: _, happenedAt, ...rest } = one(ofIntent({}))
  assert.deepEqual(rest, {
    method: 'CREDIT_CARD',
    attempt: { id: attemptId },
    connection: '00-c',
    providerRef: 'pi_3Q0PsIJvEtkwdCNY1',
    outcome: 'paid',
    occurrence: 1,
    amount: { minor: 1990n, currency: 'EUR' },
    means: { brand: 'visa', last4: '4242' },
  })
  assert.equal(happenedAt.toISOString(), '2026-11-13T08:00:00.000Z')
})

test('an authorisation is announced under the name that its capture and its void carry', () => {
  const held = {
    status: 'requires_capture',
    amount_capturable: 1990,
    amount_received: 0,
    capture_method: 'manual',
  }
  const open = charge({ captured: false, amount_captured: 0 })
  const authorised = one(ofIntent({ ...held, latest_charge: open }))
  assert.deepEqual(
    [authorised.outcome, authorised.amount.minor, authorised.pendingRef, authorised.authorised],
    ['authorised', 1990n, 'pi_3Q0PsIJvEtkwdCNY1', undefined],
  )
  const part = one(ofIntent({ capture_method: 'manual', amount_received: 1500 }))
  assert.deepEqual(
    [part.outcome, part.amount.minor, part.pendingRef, part.authorised?.minor],
    ['paid', 1500n, 'pi_3Q0PsIJvEtkwdCNY1', 1990n],
  )
  const over = { status: 'canceled', canceled_at: 1794560000, amount_received: 0, capture_method: 'manual' }
  const voided = one(ofIntent({ ...over, latest_charge: { ...open, refunded: true } }))
  assert.deepEqual(
    [voided.outcome, voided.amount.minor, voided.pendingRef, voided.happenedAt.getTime()],
    ['voided', 1990n, 'pi_3Q0PsIJvEtkwdCNY1', 1794560000_000],
  )
})

test('a cancel without an authorisation is not a void, and a payment under way has no receipt', () => {
  const failed = charge({ paid: false, captured: false, status: 'failed' })
  // What was captured is paid: nothing is left that could be voided.
  for (const latest_charge of [null, failed, charge()])
    assert.deepEqual(ofIntent({ status: 'canceled', amount_received: 0, latest_charge }), [])
  for (const status of ['requires_action', 'requires_confirmation', 'processing', 'of_tomorrow'])
    assert.deepEqual(ofIntent({ status, amount_received: 0 }), [])
  assert.deepEqual(ofIntent({ status: 'requires_payment_method', amount_received: 0 }), [])
})

test('a declined try is named by its charge, with a reason that a payer can act on', () => {
  const failed = charge({ id: 'ch_declined', paid: false, captured: false, status: 'failed' })
  const declined = (last_payment_error: Json) =>
    one(
      ofIntent({
        status: 'requires_payment_method',
        amount_received: 0,
        latest_charge: failed,
        last_payment_error,
      }),
    )
  const short = declined({
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    charge: 'ch_declined',
    message: 'Your card has insufficient funds.',
  })
  assert.deepEqual(
    [short.outcome, short.providerRef, short.failure?.code, short.means],
    ['declined', 'ch_declined', 'insufficient_funds', { brand: 'visa', last4: '4242' }],
  )
  // The message does not reveal to a thief that the card was reported stolen.
  const stolen = declined({ code: 'card_declined', decline_code: 'stolen_card', charge: 'ch_declined' })
  assert.deepEqual(stolen.failure, { code: 'card_declined', message: 'The bank declined the card.' })
  const odd = declined({ code: 'constructor', decline_code: 'toString', charge: 'ch_declined' })
  assert.equal(odd.failure?.code, 'card_declined')
  const refused = declined({
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    payment_method: { id: 'pm_1', object: 'payment_method', created: 1794556750 },
  })
  assert.deepEqual(
    [refused.providerRef, refused.failure?.code, refused.means, refused.happenedAt.getTime()],
    ['pi_3Q0PsIJvEtkwdCNY1:pm_1', 'authentication_failed', undefined, 1794556750_000],
  )
})

test('a declined try is of its own moment and means: of the charge only where it names the latest one', () => {
  const declined = (latest_charge: unknown, last_payment_error: Json) =>
    one(ofIntent({ status: 'requires_payment_method', latest_charge, last_payment_error }))
  const failed = { paid: false, captured: false, status: 'failed' }
  const means = { id: 'pm_1', object: 'payment_method', created: 1794556750 }
  const enteredAt = 1794556750_000
  // It names an earlier charge, or none, and there is no charge at all.
  for (const [latest_charge, error] of [
    [charge({ ...failed, id: 'ch_later' }), { charge: 'ch_declined', payment_method: means }],
    [null, { payment_method: means }],
  ] as const) {
    const receipt = declined(latest_charge, error)
    assert.deepEqual([receipt.means, receipt.happenedAt.getTime()], [undefined, enteredAt])
  }
  const bare = declined(charge({ ...failed, payment_method_details: { type: 'ideal' } }), {
    charge: 'ch_3Q0PsIJvEtkwdCNY1',
  })
  assert.equal('means' in bare, false)
  assert.equal(bare.happenedAt.toISOString(), '2026-11-13T08:00:00.000Z')
})

test('the result of 3-D Secure is reported in our words, and left out where there was none', () => {
  const shown = (result: unknown) =>
    one(ofIntent({ latest_charge: charge({}, { three_d_secure: result === undefined ? null : { result } }) }))
      .means?.['threeDSecure']
  assert.deepEqual(
    [
      'authenticated',
      'attempt_acknowledged',
      'exempted',
      'not_supported',
      'failed',
      'processing_error',
      undefined,
    ].map(shown),
    [
      'AUTHENTICATED',
      'ATTEMPTED',
      'EXEMPTED',
      'NOT_SUPPORTED',
      'NOT_AUTHENTICATED',
      'NOT_AUTHENTICATED',
      undefined,
    ],
  )
})

test('foreign objects have no receipt, and unreadable objects of ours are never money', () => {
  for (const metadata of [{}, { attempt_id: 'order 7' }, { attempt_id: 7 }])
    assert.equal(parseIntent(intent({ metadata, currency: 'jpy' })), undefined)
  const odd = [
    { currency: 'jpy' },
    { currency: 'usdt' },
    { amount_received: 19.9 },
    { amount_received: -1990 },
    { amount_received: '1990' },
    { amount_received: 2 ** 60 },
    { amount_received: 0 },
    { livemode: true },
    { livemode: 'false' },
    { id: '../charges' },
    { created: 'today' },
    { object: 'charge' },
  ]
  for (const more of odd) assert.throws(() => ofIntent(more), NonsenseError, JSON.stringify(more))
})

test('a refund of ours ends when the provider says so', () => {
  const done = one(ofRefund())
  assert.deepEqual(
    [done.outcome, done.refund, done.providerRef, done.occurrence, done.amount.minor],
    ['refunded', refundId, 're_1Nispe2eZvKYlo2C', 1, 1000n],
  )
  for (const status of ['pending', 'requires_action', 'of_tomorrow'])
    assert.deepEqual(ofRefund({ status }), [])
  const failed = one(ofRefund({ status: 'failed', failure_reason: 'expired_or_canceled_card' }))
  assert.deepEqual(
    [failed.outcome, failed.refund, failed.failure?.code],
    ['refund_failed', refundId, 'refused_by_bank'],
  )
  assert.equal(one(ofRefund({ status: 'canceled' })).outcome, 'refund_failed')
})

test('money that was refunded at the provider itself is gone as well', () => {
  const foreign = ofRefund({ metadata: {} })
  assert.deepEqual(outcomes(foreign), ['dispute_opened', 'dispute_taken', 'dispute_lost'])
  assert.equal(foreign[0]?.dispute?.paidRef, 'pi_3Q0PsIJvEtkwdCNY1')
  // A voided authorisation moves nothing.
  assert.deepEqual(ofRefund({ metadata: {}, balance_transaction: null }), [])
  assert.deepEqual(ofRefund({ metadata: {}, status: 'pending' }), [])
  assert.equal(parseRefund(refund({ metadata: {}, payment_intent: intent({ metadata: {} }) })), undefined)
})

test('a dispute opens, takes the money with a fee, and ends', () => {
  const [disputeOpened, taken, ...rest] = ofDispute()
  assert.deepEqual(
    [disputeOpened?.outcome, taken?.outcome, rest.length],
    ['dispute_opened', 'dispute_taken', 0],
  )
  assert.deepEqual(disputeOpened?.dispute, {
    paidRef: 'pi_3Q0PsIJvEtkwdCNY1',
    kind: 'CHARGEBACK',
    reason: 'fraudulent',
    fee: 1500n,
    evidenceDueAt: must(parseInstant('2026-11-23T02:13:20Z'), 'an instant'),
  })
  assert.deepEqual(outcomes(ofDispute({ status: 'under_review' })), ['dispute_opened', 'dispute_taken'])
  const back = move({ amount: 1990, fee: 0, created: 1794700000 })
  const won = ofDispute({ status: 'won', balance_transactions: [move(), back] })
  assert.deepEqual(outcomes(won), ['dispute_opened', 'dispute_taken', 'dispute_won'])
  assert.equal(won[2]?.happenedAt.getTime(), 1794700000_000)
  assert.deepEqual(outcomes(ofDispute({ status: 'lost' })), [
    'dispute_opened',
    'dispute_taken',
    'dispute_lost',
  ])
})

test('funds that are reinstated after a loss win it, and each further debit is a round of its own', () => {
  const back = move({ amount: 1990, fee: 0, created: 1794700000 })
  const again = move({ created: 1794800000 })
  const roundsOf = (status: string, moves: readonly unknown[]) =>
    ofDispute({ status, balance_transactions: moves }).map(({ outcome, occurrence }) => [outcome, occurrence])
  const first = [
    ['dispute_opened', 1],
    ['dispute_taken', 1],
  ]
  assert.deepEqual(roundsOf('lost', [move()]), [...first, ['dispute_lost', 1]])
  const reinstated = [...first, ['dispute_won', 1]]
  for (const status of ['won', 'lost', 'appeal_under_review'])
    assert.deepEqual(roundsOf(status, [move(), back]), reinstated, status)
  const second = [...reinstated, ['dispute_taken', 2]]
  assert.deepEqual(roundsOf('under_review', [move(), back, again]), second)
  assert.deepEqual(roundsOf('lost', [move(), back, again]), [...second, ['dispute_lost', 2]])
  assert.deepEqual(roundsOf('won', [move(), back, again, back]), [...second, ['dispute_won', 2]])
  // A part that came back does not win the dispute, unless the provider says so.
  const part = move({ amount: 500, fee: 0 })
  assert.deepEqual(roundsOf('lost', [move(), part]), [...first, ['dispute_lost', 1]])
  assert.deepEqual(roundsOf('won', [move(), part]), reinstated)
})

test('a dispute is won when all that was taken is back, once for each round', () => {
  const moved = (...amounts: readonly number[]) =>
    ofDispute({
      status: 'under_review',
      balance_transactions: amounts.map((amount) => move({ amount, fee: 0 })),
    })
      .slice(1)
      .map(({ outcome, occurrence }) => `${outcome} ${occurrence}`)
  const [taken, won] = ['dispute_taken 1', 'dispute_won 1']
  const cases: readonly (readonly [amounts: readonly number[], then: readonly string[]])[] = [
    // All but a cent, and then the cent.
    [[-1990, 1989], [taken]],
    [
      [-1990, 1989, 1],
      [taken, won],
    ],
    // What comes, or does not move, before anything was taken begins no round and wins none.
    [[0], []],
    [[1990], []],
    [[1990, -1990, 0], [taken]],
    // More that is taken in a round belongs to it, and more that comes after it is won does not win it again.
    [[-1000, -990], [taken]],
    [
      [-1990, 1990, 500],
      [taken, won],
    ],
    [
      [-1990, 1990, 0, -1990],
      [taken, won, 'dispute_taken 2'],
    ],
  ]
  for (const [amounts, then] of cases) assert.deepEqual(moved(...amounts), then, amounts.join())
})

test('a dispute that the provider calls won before all is back was won with its last move', () => {
  const part = (created: number) => move({ amount: 500, fee: 0, created })
  const won = ofDispute({ status: 'won', balance_transactions: [move(), part(1794700000), part(1794800000)] })
  assert.equal(won.at(-1)?.outcome, 'dispute_won')
  assert.equal(won.at(-1)?.happenedAt.getTime(), 1794800000_000)
  const untouched = ofDispute({ status: 'won', balance_transactions: [] })
  assert.deepEqual(outcomes(untouched), ['dispute_opened', 'dispute_won'])
  assert.equal(untouched.at(-1)?.happenedAt.getTime(), readAt.getTime())
})

test('an inquiry takes nothing and opens nothing', () => {
  for (const status of ['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented'])
    assert.deepEqual(ofDispute({ status, balance_transactions: [] }), [], status)
  const free = { status: 'prevented', balance_transactions: [move({ amount: 0 })] }
  assert.deepEqual(ofDispute(free), [], 'a fee alone takes no money of the payment')
  assert.deepEqual(outcomes(ofDispute({ balance_transactions: [] })), ['dispute_opened'])
  assert.deepEqual(outcomes(ofDispute({ status: 'prevented' })), [
    'dispute_opened',
    'dispute_taken',
    'dispute_lost',
  ])
})

test('a fee in another currency does not count as one in ours', () => {
  const [disputeOpened] = ofDispute({ balance_transactions: [move({ currency: 'usd' })] })
  assert.equal(disputeOpened?.dispute?.fee, undefined)
  const feeOf = (...fees: readonly number[]) =>
    ofDispute({ balance_transactions: fees.map((fee) => move({ fee })) })[0]?.dispute?.fee
  assert.equal(feeOf(0), undefined)
  // A fee that is given back was charged before.
  assert.equal(feeOf(1500, -1500), 1500n)
})
