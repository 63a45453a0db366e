// How what was begun at the provider ends: sessions, authorisations, disputes, evidence, refunds and repeated calls. The clients answer
// as the tests say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { AttemptId, ConnectionId, PaymentId, RefundId } from '#/kernel/id.ts'
import { silentLog } from '#/kernel/log.ts'
import { systemClock } from '#/kernel/time.ts'
import type { EvidenceOrder } from '#/rails/disputes.ts'
import type { RefundOrder } from '#/rails/rail.ts'
import { outcomes } from '../../../test/rails/acquirer/acquirer.ts'
import { cardError, openAt } from '../../../test/rails/acquirer/client.ts'
import {
  attemptId,
  charge,
  dispute,
  intent,
  refund,
  refundId,
  session,
} from '../../../test/rails/acquirer/objects.ts'
import { bookOf, merchantId } from '../../../test/rails/rail.ts'
import { createDisputeAcceptor } from './authorisation.ts'
import type { CardClient } from './client.ts'
import { createEvidenceSender } from './evidence.ts'
import { NonsenseError } from './fields.ts'
import { createCardRail } from './rail.ts'
import { createCardRefunder } from './refund.ts'
import { underKey } from './replay.ts'
import { parseDispute, parseRefund, parseSession } from './wire.ts'

type Json = Readonly<Record<string, unknown>>

const connection = '00-c' as ConnectionId
const attempt = {
  id: attemptId as AttemptId,
  merchantId,
  paymentId: '0199c1a2-0000-7000-8000-00000000000a' as PaymentId,
  method: 'CREDIT_CARD' as const,
  connection,
  amount: { minor: 1990n, currency: 'EUR' } as const,
  artifacts: { sessionId: 'cs_test_a1b2c3' },
}
const answered = <T>(value: T | undefined) => ({ value: must(value, 'ours'), raw: Buffer.from('{}') })
const sessionOf = (more: Json) => answered(parseSession(session(more)))
const disputeOf = (more: Json) => answered(parseDispute(dispute(more)))

const railAt = (answers: Partial<CardClient>) =>
  createCardRail({ connections: bookOf([]), clock: systemClock, log: silentLog, open: openAt(answers) })

/** What the call throws; undefined when it ends well. */
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
const refused = cardError('refused')
/** Neither leaves open whether the provider refused. */
const others = [cardError('unknown'), new ProviderError('refused', 'no answer of the provider')]

test('a session that cannot be expired is over, or the refusal is real', async () => {
  const expire = (error: Error, status?: string) =>
    thrownBy(
      must(
        railAt({
          expireSession: () => Promise.reject(error),
          getSession: async () => (status === undefined ? undefined : sessionOf({ status })),
        }).opens.cancel,
        'it cancels',
      )(attempt),
    )
  for (const status of ['complete', 'expired', undefined])
    assert.equal(await expire(refused, status), undefined, String(status))
  assert.equal(await expire(refused, 'open'), refused)
  for (const error of others) assert.equal(await expire(error, 'expired'), error)
})

test('an attempt is over when its session is not open any more and its payment is not under way', async () => {
  const isOver = async (status: string, payment?: string) => {
    const received = payment === 'succeeded' ? 1990 : 0
    const payment_intent =
      payment === undefined
        ? null
        : intent({ status: payment, amount_received: received, latest_charge: null })
    const { check } = railAt({ getSession: async () => sessionOf({ status, payment_intent }) }).opens
    return (await check(attempt)).isOver
  }
  for (const [status, payment, then] of [
    ['open', undefined, false],
    ['open', 'processing', false],
    ['open', 'requires_payment_method', false],
    ['complete', 'processing', false],
    ['complete', 'succeeded', true],
    ['complete', 'requires_capture', true],
    ['expired', undefined, true],
  ] as const)
    assert.equal(await isOver(status, payment), then, `${status} ${String(payment)}`)
})

test('an authorisation that is not there was captured or voided before, or the provider still works on it, or there is none', async () => {
  const after = async (status: string) => {
    const payment = { status, amount_received: status === 'succeeded' ? 1990 : 0 }
    const latest_charge = charge({ captured: status === 'succeeded' })
    const answer = sessionOf({ status: 'complete', payment_intent: intent({ ...payment, latest_charge }) })
    const { authorisations } = railAt({ getSession: async () => answer })
    const ended = must(authorisations, 'it has them').void({ attempt })
    return outcomes(await ended).join()
  }
  assert.equal(await after('succeeded'), 'paid')
  assert.equal(await after('canceled'), 'voided')
  for (const [status, outcome] of [
    ['processing', 'unknown'],
    ['requires_payment_method', 'refused'],
  ] as const)
    await assert.rejects(after(status), { name: 'ProviderError', outcome }, status)
})

const disputed = { connection, providerRef: 'dp_1', attempt }

test('a dispute that cannot be accepted has ended, or the refusal is real', async () => {
  const accept = (error: Error, status?: string) =>
    createDisputeAcceptor({
      clock: systemClock,
      open: openAt({
        closeDispute: () => Promise.reject(error),
        getDispute: async () => (status === undefined ? undefined : disputeOf({ status })),
      }),
    }).accept(disputed)
  for (const status of ['won', 'lost'])
    assert.equal((await accept(refused, status)).at(-1)?.outcome, `dispute_${status}`)
  for (const status of ['needs_response', 'under_review', undefined])
    assert.equal(await thrownBy(accept(refused, status)), refused, String(status))
  for (const error of others) assert.equal(await thrownBy(accept(error, 'lost')), error)
})

const submissionId = '0199c1a2-0000-7000-8000-0000000000e1'
const submission = { evidence_id: submissionId }

/** Submits evidence at a provider that has the dispute so, and refuses further evidence with this error. */
async function submitted(
  has: Json,
  {
    again = false,
    error = refused,
    mayLeave = true,
  }: { readonly again?: boolean; readonly error?: Error; readonly mayLeave?: boolean } = {},
) {
  const calls: string[] = []
  const { submit } = createEvidenceSender({
    clock: systemClock,
    open: openAt({
      getDispute: async () => {
        calls.push('get')
        return disputeOf(has)
      },
      submitEvidence: async () => {
        calls.push('submit')
        throw error
      },
    }),
  })
  const order: EvidenceOrder = {
    ...disputed,
    submissionId,
    texts: {},
    files: [],
    mayLeave: async () => mayLeave,
  }
  const ended = submit(order, again).then(
    (receipts) => receipts[0]?.outcome,
    (thrown: unknown) => thrown,
  )
  const end = await ended
  return [calls.join(), end]
}
const evidence_details = { submission_count: 1 }

test('evidence is submitted once: of a repeated or refused call, the provider may have it already', async () => {
  const ours = { metadata: submission, evidence_details }
  const stored = { metadata: submission, evidence_details: { submission_count: 0 } }
  const theirs = { metadata: { evidence_id: refundId }, evidence_details }
  assert.deepEqual(await submitted(ours, { again: true }), ['get', 'dispute_opened'])
  assert.deepEqual(await submitted(ours), ['submit,get', 'dispute_opened'])
  for (const has of [stored, theirs, { metadata: {}, evidence_details }])
    assert.deepEqual(await submitted(has, { again: true }), ['get,submit,get', refused], JSON.stringify(has))
  for (const error of others) assert.deepEqual(await submitted(ours, { error }), ['submit', error])
})

test('evidence that is not ours to send any more is not submitted', async () => {
  const [calls, thrown] = await submitted({ metadata: {} }, { mayLeave: false })
  assert.equal(calls, '')
  assert.ok(thrown instanceof ProviderError && thrown.outcome === 'unavailable')
})

test('all texts of evidence together have at most 150,000 characters', () => {
  assert.equal(createEvidenceSender({ open: openAt({}), clock: systemClock }).charactersMax, 150_000)
})

test('a refund that the provider returns is the one that was ordered, or its answer makes no sense', async () => {
  const order: RefundOrder = {
    id: refundId as RefundId,
    attempt,
    connection,
    paidRef: 'pi_1',
    amount: { minor: 1000n, currency: 'EUR' },
  }
  const send = (more: Json) => {
    const createRefund: CardClient['createRefund'] = async () => answered(parseRefund(refund(more)))
    const deps = { open: openAt({ createRefund }), clock: systemClock, log: silentLog }
    return createCardRefunder({ ...deps, method: 'CREDIT_CARD' }).send(order, false)
  }
  assert.deepEqual(outcomes(await send({})), ['refunded'])
  for (const more of [
    { metadata: { refund_id: attemptId, attempt_id: attemptId } },
    { amount: 999 },
    { currency: 'usd' },
  ])
    await assert.rejects(send(more), NonsenseError, JSON.stringify(more))
})

test('a key is used up by a failure that the provider kept, and by other parameters; five keys are tried', async () => {
  const keysAfter = async (error: Error) => {
    const keys: string[] = []
    const ask = async (key: string) => {
      keys.push(key)
      throw error
    }
    const thrown = await thrownBy(underKey('k', { ask, find: async () => undefined }))
    return [keys.join(), thrown === error]
  }
  const reused = { type: 'idempotency_error' }
  const five = ['k,k:2,k:3,k:4,k:5', false]
  for (const [error, then] of [
    [cardError('unknown', {}, { status: 500, isReplayed: true }), five],
    [cardError('unknown', {}, { status: 501, isReplayed: true }), five],
    [cardError('refused', reused, { status: 400 }), five],
    [cardError('unknown', {}, { status: 500 }), ['k', true]],
    [cardError('refused', {}, { status: 499, isReplayed: true }), ['k', true]],
    [cardError('refused', {}, { status: 400 }), ['k', true]],
    [cardError('refused', reused, { status: 402 }), ['k', true]],
    [cardError('refused', reused, { status: 401 }), ['k', true]],
    [new Error('a bug'), ['k', true]],
  ] as const)
    assert.deepEqual(await keysAfter(error), then, JSON.stringify(error))
})
