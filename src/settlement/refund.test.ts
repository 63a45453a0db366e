// Which of a provider's reports of a refund counts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type ConnectionId, type RefundId } from '#/kernel/id.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import type { Refund } from '#/refunds/refund.ts'
import { isSuperseded, occurrenceOf } from './refund.ts'

const connection = 'a1-word' as ConnectionId
const refund = newId<'refund'>()
const claim = { id: refund, number: 3 }
const at = new Date('2026-11-21T12:00:00.000Z')
const before = new Date(at.getTime() - 1)

type Case = {
  readonly status?: Refund['status'] | 'unknown'
  /** What was reported before: the outcome, its occurrence and when it was booked. */
  readonly reports?: readonly (readonly [outcome: Outcome, occurrence: number, recordedAt: Date])[]
  readonly outcome?: Outcome
  readonly minor?: bigint
  readonly names?: RefundId
}

function viewOf({ status = 'PENDING', reports = [] }: Case, held = ['other/3', `${refund}/3`]) {
  const row = { id: refund, status, amountMinor: 700n } as Partial<Refund> as Refund
  const said = reports.map(([outcome, occurrence, recordedAt]) => {
    return { connection, providerRef: 'R1', outcome, occurrence, recordedAt }
  })
  return {
    heldClaims: new Set(held),
    refunds: new Map(status === 'unknown' ? [] : [[refund, row]]),
    reports: new Map(said.length === 0 ? [] : [[`${connection}|R1`, said]]),
  }
}

function receiptOf({ outcome = 'refund_failed', minor = 700n, names = refund }: Case): Receipt {
  return {
    method: 'PIX',
    connection,
    providerRef: 'R1',
    outcome,
    occurrence: 1,
    refund: names,
    amount: { minor, currency: 'BRL' },
    happenedAt: at,
    evidence: Buffer.from('{}'),
  }
}

test('a refusal counts only while its worker holds the refund, and only of a refund that has not ended', () => {
  const judge = (each: Case, inquiry: Parameters<typeof isSuperseded>[3], held?: string[]) =>
    isSuperseded(viewOf(each, held), viewOf(each), receiptOf(each), inquiry)
  assert.equal(judge({}, { at, claim }), false)
  assert.equal(judge({}, { at, claim }, [`${refund}/4`, 'other/3']), true, 'another worker has it')
  assert.equal(judge({ status: 'COMPLETED' }, { at, claim }), true, 'it has ended')
  assert.equal(judge({ status: 'FAILED' }, { at, claim }), true, 'it has failed')
  assert.equal(judge({ status: 'unknown' }, { at, claim }), false, 'it is not ours')
  assert.equal(judge({ status: 'COMPLETED' }, { at }), false, 'nobody had claimed it')
  assert.equal(judge({ status: 'COMPLETED' }, undefined), false, 'nobody asked')
  assert.equal(
    judge({ status: 'COMPLETED', outcome: 'refunded' }, { at, claim }, []),
    false,
    'it is no refusal',
  )
})

test('a report is news, a repetition, or undecided, by what was reported before and when the provider was asked', () => {
  const early = ['refunded', 1, before] as const
  const now = ['refunded', 1, at] as const
  const cases: readonly (readonly [string, Case, ReturnType<typeof occurrenceOf>])[] = [
    ['the first of its refund', {}, 1],
    ['one that contradicts nothing', { reports: [now] }, 1],
    ['the opposite, asked for later', { status: 'COMPLETED', reports: [early] }, 1],
    ['the opposite, asked for at the same moment', { status: 'COMPLETED', reports: [now] }, 'undecided'],
    ['the opposite, later than one of two', { status: 'COMPLETED', reports: [early, now] }, 'undecided'],
    [
      'the same again, after the opposite',
      { status: 'COMPLETED', reports: [early, ['refund_failed', 2, before]] },
      3,
    ],
    [
      'the same again, not later than the opposite',
      { status: 'COMPLETED', reports: [now, ['refund_failed', 2, before]] },
      'repeated',
    ],
    ['one that changes nothing', { status: 'FAILED', reports: [['refund_failed', 1, before]] }, 'repeated'],
    ['one that changes nothing, of the other outcome', { status: 'FAILED', reports: [early] }, 1],
    [
      'another amount',
      { status: 'COMPLETED', minor: 699n, reports: [early, ['refund_failed', 1, before]] },
      'repeated',
    ],
    ['an unknown refund', { status: 'unknown', reports: [early, ['refund_failed', 1, before]] }, 'repeated'],
    [
      'one that fits while its refund is open, after one of the same',
      { reports: [['refund_failed', 1, before]] },
      2,
    ],
    ['no refund at all', { outcome: 'paid', reports: [now] }, 1],
  ]
  for (const [what, each, expected] of cases)
    assert.equal(occurrenceOf(viewOf(each), receiptOf(each), { at }), expected, what)
  const [, opposite] = cases[2] ?? assert.fail()
  assert.equal(occurrenceOf(viewOf(opposite), receiptOf(opposite), undefined), 'undecided', 'nobody asked')
})
