// Disputes replayed, transfer by transfer. The transfers are written by hand after the recipes, for cases that no simulated
// bank produces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplayedDispute } from '#/audit/disputes-queries.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Outcome } from '#/rails/receipt.ts'
import { replayDisputes } from './dispute.ts'
import type { PaymentRow, ReceiptRow, TransferRow } from './queries.ts'
import type { Family } from './replay.ts'

const connection = 'a1-card' as ConnectionId
const merchantId = newId<'merchant'>()
const paymentId = newId<'payment'>()
const [credited, other, stranger] = [newId<'wallet'>(), newId<'wallet'>(), newId<'wallet'>()]
const receivable = `receivable:${merchantId}:EUR`
const arrival = `provider:${connection}:EUR`
const times = [1, 2, 3].map((day) => new Date(`2026-11-0${day}T00:00:00.000Z`))
const at = (turn: number) => times[turn - 1] ?? assert.fail()

const payment: PaymentRow = {
  merchantId,
  id: paymentId,
  mode: 'SANDBOX',
  status: 'PAID',
  amountMinor: 500n,
  receivedMinor: 500n,
  refundedMinor: 0n,
  disputedMinor: 0n,
  seenMinor: 0n,
  unreleasedMinor: 0n,
  feeMinor: 0n,
  exceptions: [],
  walletId: credited,
  completingTx: null,
  completingRef: null,
  receipts: 4,
  version: 5,
  expiresAt: null,
  approvedAt: null,
  paidAt: null,
  walletCurrency: 'EUR',
  money: null,
}

/** The receipt of what the provider reported at this turn. */
function reported(outcome: Outcome, turn: number, bookedMinor = 500n): ReceiptRow {
  return {
    paymentId,
    connection,
    providerRef: 'dp_1',
    outcome,
    occurrence: 1,
    ordinal: turn + 1,
    pendingRef: null,
    bookedMinor,
    authorisedMinor: null,
    currency: 'EUR',
    cause: sha256(outcome),
    happenedAt: at(turn),
    recordedAt: at(turn),
    isDuplicate: null,
    attemptConnection: connection,
    attemptCurrency: 'EUR',
    method: 'CREDIT_CARD',
  }
}

let numbers = 0n
function moved(
  outcome: Outcome,
  turn: number,
  step: string,
  kind: string,
  minor: bigint,
  way: readonly [string, string],
) {
  const [debit, credit] = way
  numbers += 1n
  const cause = sha256(outcome)
  return {
    number: numbers,
    subject: '',
    step,
    kind,
    minor,
    cause,
    mode: 'SANDBOX',
    debit,
    credit,
    at: at(turn),
  }
}

function faultsOf(
  dispute: Partial<ReplayedDispute>,
  receipts: readonly ReceiptRow[],
  transfers: readonly TransferRow[],
) {
  const row: ReplayedDispute = {
    merchantId,
    id: newId<'dispute'>(),
    paymentId,
    unmatchedId: null,
    connection,
    providerRef: 'dp_1',
    paidRef: 'pi_1',
    round: 1,
    walletId: credited,
    status: 'OPEN',
    isTaken: false,
    amountMinor: 500n,
    feeMinor: 0n,
    version: 1,
    createdAt: at(1),
    closedAt: null,
    ...dispute,
  }
  const family: Family = {
    payment,
    receipts,
    refunds: [],
    releases: [],
    shareMoves: [],
    disputes: [row],
    transfersOf: (subject) => (subject === row.id ? transfers : []),
    parentOf: () => undefined,
    arrivalOf: () => arrival,
    ownsWallet: (walletId, currency) =>
      [credited, other].includes(walletId as typeof credited) && currency === 'EUR',
  }
  const { faults, disputedMinor } = replayDisputes(family)
  return { faults: faults.map(({ what }) => what), disputedMinor }
}

const wallet = (id: string, part: string) => `wallet:${id}:${part}`
const held = wallet(credited, 'held')
const opening = (from: string = other) => [
  moved('dispute_opened', 1, '1.hold', 'DISPUTE', 50n, [wallet(credited, 'available'), held]),
  moved('dispute_opened', 1, '1.hold-2', 'DISPUTE', 100n, [wallet(from, 'available'), held]),
  moved('dispute_opened', 1, '1.owe', 'OWED', 350n, [receivable, held]),
]
const taking = moved('dispute_taken', 2, '2.leave', 'LEFT', 500n, [held, arrival])
const winning = [
  moved('dispute_won', 3, '3.back', 'BACK', 500n, [arrival, held]),
  moved('dispute_won', 3, '3.repay', 'REPAID', 350n, [held, receivable]),
  moved('dispute_won', 3, '3.release', 'DISPUTE_WON', 150n, [held, wallet(credited, 'available')]),
]
const story = [reported('dispute_opened', 1), reported('dispute_taken', 2), reported('dispute_won', 3)]
const won = { status: 'WON', version: 3, closedAt: at(3) } as const

test('opened beyond the wallet, taken, and won after all: the provider returns the money, and the debt is repaid first', () => {
  const replayed = faultsOf(won, story, [...opening(), taking, ...winning])
  assert.deepEqual(replayed, { faults: [], disputedMinor: 0n })
})

test('a dispute that was taken and lost counts with its whole amount, which leaves once', () => {
  const receipts = [reported('dispute_opened', 1), reported('dispute_taken', 2), reported('dispute_lost', 3)]
  const lost = { status: 'LOST', isTaken: true, version: 3, closedAt: at(3) } as const
  assert.deepEqual(faultsOf(lost, receipts, [...opening(), taking]), { faults: [], disputedMinor: 500n })
  const twice = [...opening(), taking, moved('dispute_lost', 3, '3.leave', 'LEFT', 500n, [held, arrival])]
  assert.match(faultsOf(lost, receipts, twice).faults.join(), /but no receipt says why/)
})

test('a dispute that is first reported as taken is opened and taken at once', () => {
  const first = { cause: sha256('dispute_taken'), at: at(2) }
  const transfers = [...opening().map((each) => ({ ...each, ...first })), taking]
  const replayed = faultsOf(
    { isTaken: true, version: 2, createdAt: at(2) },
    [reported('dispute_taken', 2)],
    transfers,
  )
  assert.deepEqual(replayed, { faults: [], disputedMinor: 500n })
})

test('a report that changed nothing is not replayed', () => {
  const late = { ...reported('dispute_taken', 3, 0n), occurrence: 2 }
  assert.deepEqual(faultsOf(won, [...story, late], [...opening(), taking, ...winning]).faults, [])
})

test('money of a wallet that is not the merchant’s, a debt left unpaid, and a win that brought nothing back are named', () => {
  const strange = faultsOf(won, story, [...opening(stranger), taking, ...winning]).faults
  assert.match(strange.join(), /instead of another of the merchant's wallets/)
  const [back, repay, release] = winning
  const whole = { ...(release ?? assert.fail()), minor: 500n }
  assert.match(
    faultsOf(won, story, [
      ...opening(),
      taking,
      back ?? assert.fail(),
      repay ?? assert.fail(),
      whole,
    ]).faults.join(),
    /moved 850 as repay and release instead of 500/,
  )
  const rest = [repay ?? assert.fail(), release ?? assert.fail()]
  assert.match(
    faultsOf(won, story, [...opening(), taking, ...rest]).faults.join(),
    /moved nothing as back instead of 500/,
  )
})
