// Replays a payment from its receipts alone, with its refunds and disputes. The result says which transfers and which row it
// must have. Pure.
// Inspects what settlement/settle.ts decides.
import type { RowFault } from '#/db/inspection.ts'
import { given } from '#/kernel/given.ts'
import { minOf } from '#/kernel/money.ts'
import { replayDisputes } from './dispute.ts'
import { faultsOfMoney, methodKey, walletIn, type MethodSums } from './money.ts'
import { explainParentRepaid, leftFree } from './parent-debt.ts'
import type { PaymentRow, ReceiptRow, ReleaseRow } from './queries.ts'
import { replayRefunds, type ReplayedRefunds } from './refund.ts'
import {
  type Change,
  type Family,
  type Grounds,
  type Step,
  type Unexplained,
  explainStep,
  receiptName,
  unexplainedOf,
} from './replay.ts'
import { unreleasedOf } from './taking.ts'

/** Final money, and the sum received and not refunded after it. */
type Credit = { readonly receipt: ReceiptRow; readonly kept: bigint }

/** The sums of the receipts. */
type Sums = {
  incoming: bigint
  received: bigint
  fee: bigint
  /** The sums of each method in each currency, with receipts of less than a cent. */
  readonly methods: Map<string, MethodSums>
  /** Final money of at least one cent, in order. */
  readonly credits: Credit[]
  /** The times at which authorisations were booked. */
  readonly authorisedAt: number[]
}

export function faultsOf(family: Family): readonly RowFault[] {
  const refunds = replayRefunds(family)
  const disputes = replayDisputes(family)
  const faults = [...refunds.faults, ...disputes.faults]
  const sums = replay(family, refunds, faults)
  const refunded = refunds.changes.reduce((sum, { minor }) => sum + minor, 0n)
  faults.push(...comparePayment(family, sums, { refunded, disputed: disputes.disputedMinor }))
  const refundedIn = new Map<string, bigint>()
  for (const { currency = '', minor } of refunds.changes)
    refundedIn.set(currency, (refundedIn.get(currency) ?? 0n) + minor)
  const completing = completingOf(family.payment, sums.credits)?.receipt
  const wrong = faultsOfMoney(family, { methods: sums.methods, refunded: refundedIn, completing })
  faults.push(...wrong.map((what) => ({ row: `payment ${family.payment.id}`, what })))
  return faults
}

type Turn = {
  readonly family: Family
  readonly unexplained: Unexplained
  readonly receipt: ReceiptRow
  readonly faults: RowFault[]
}

function replay(family: Family, refunds: ReplayedRefunds, faults: RowFault[]): Sums {
  const { payment, receipts } = family
  const sums = noSums()
  /** Announced money that has not ended, by its key. */
  const pending = new Map<string, bigint>()
  const ended = new Set<string>()
  const unexplained = unexplainedOf(family.transfersOf(payment.id))

  for (const [index, receipt] of receipts.entries()) {
    const turn = { family, unexplained, receipt, faults }
    const row = receiptName(receipt)
    if (receipt.ordinal !== index + 1)
      faults.push({ row, what: `has number ${receipt.ordinal} instead of ${index + 1}` })
    if (receipt.attemptConnection !== receipt.connection || receipt.attemptCurrency !== receipt.currency) {
      faults.push({ row, what: 'does not fit the attempt that it names' })
    }
    const key = `${receipt.connection}|${receipt.pendingRef ?? row}`
    const announced = ended.has(key) ? 0n : (pending.get(key) ?? 0n)
    switch (receipt.outcome) {
      case 'seen':
      case 'authorised':
        if (ended.has(key) && receipt.bookedMinor !== 0n)
          faults.push({ row, what: 'was booked although its money was gone' })
        expect(turn, 'pending', receipt.bookedMinor)
        pending.set(key, receipt.bookedMinor)
        if (receipt.outcome === 'authorised' && receipt.bookedMinor > 0n)
          sums.authorisedAt.push(receipt.recordedAt.getTime())
        sums.incoming += receipt.bookedMinor
        break
      case 'orphaned':
      case 'voided':
        if (receipt.bookedMinor !== announced)
          faults.push({ row, what: `took back ${receipt.bookedMinor} of ${announced}` })
        expect(turn, 'unpending', announced)
        ended.add(key)
        sums.incoming -= announced
        break
      case 'paid':
        expect(turn, 'unpending', announced)
        credit(turn, sums, refunds.changes)
        ended.add(key)
        sums.incoming -= announced
        break
      case 'refunded':
      case 'refund_failed':
        if (receipt.bookedMinor !== 0n && !refunds.claimed.has(receipt))
          faults.push({ row, what: 'was booked, but no refund moved for it' })
        // A refund that was returned later repays the debt, like every credit.
        expect(turn, 'repay', refunds.returned.get(receipt) ?? 0n)
        break
      case 'declined':
        if (receipt.bookedMinor !== 0n) faults.push({ row, what: 'was booked, but nothing came by it' })
        break
      case 'dispute_opened':
      case 'dispute_taken':
      case 'dispute_won':
      case 'dispute_lost':
        // dispute.ts replays these.
        break
    }
    explainRepaid(turn, receipt.recordedAt)
  }
  faults.push(...strayReleases(family))
  for (const { number } of unexplained.values()) {
    faults.push({
      row: `transfer ${number}`,
      what: `belongs to payment ${payment.id}, but no receipt explains it`,
    })
  }
  return sums
}

/** Each release is of final money. */
function strayReleases({ payment, receipts, releases }: Family): readonly RowFault[] {
  return releases
    .filter(
      ({ ordinal }) => !receipts.some((receipt) => receipt.ordinal === ordinal && receipt.outcome === 'paid'),
    )
    .map(({ ordinal }) => ({
      row: `release ${ordinal} of payment ${payment.id}`,
      what: 'is of no final money',
    }))
}

function noSums(): Sums {
  return { incoming: 0n, received: 0n, fee: 0n, methods: new Map(), credits: [], authorisedAt: [] }
}

/** Final money: the whole amount, our fee, and the repayment of a debt, at once or at the release. */
function credit(turn: Turn, sums: Sums, refunded: readonly Change[]): void {
  const { receipt, family } = turn
  const { bookedMinor } = receipt
  const release = family.releases.find(({ ordinal }) => ordinal === receipt.ordinal)
  const credited = expect(turn, release === undefined ? 'credit' : 'withhold', bookedMinor)
  const fee = expect(turn, release === undefined ? 'fee' : 'withheldFee', bookedMinor)?.minor ?? 0n
  if (release === undefined) expect(turn, 'repay', bookedMinor)
  else explainRelease(turn, release, bookedMinor - fee)
  sums.fee += fee
  sums.received += bookedMinor
  const sum = sums.methods.get(methodKey(receipt)) ?? { received: 0n, fee: 0n }
  sums.methods.set(methodKey(receipt), { received: sum.received + bookedMinor, fee: sum.fee + fee })
  if (bookedMinor === 0n) return
  // Money that was refunded before no longer counts towards the amount.
  const before = refunded.filter(({ number }) => credited !== undefined && number < credited.number)
  const kept = before.reduce((sum, { minor }) => sum - minor, sums.received)
  sums.credits.push({ receipt, kept })
}

/** The amount that waited, and the part of it that was still there at its release. */
function explainRelease(turn: Turn, release: ReleaseRow, waited: bigint): void {
  const { family, unexplained, receipt, faults } = turn
  const { minor, currency, releasedAt, releasedMinor } = release
  const row = `release ${release.ordinal} of payment ${family.payment.id}`
  if (minor !== waited) faults.push({ row, what: `is of ${minor}, but ${waited} came` })
  if (currency !== receipt.currency) faults.push({ row, what: `is in ${currency}` })
  const found = unexplained.get(`${receipt.ordinal}.release`)
  if (releasedAt === null) return
  // The recipients of a split have their parts in pending balances of their own.
  const shared = family.shareMoves
    .filter(({ step, cause }) => step.endsWith(`.release-${release.ordinal}`) && cause.equals(receipt.cause))
    .reduce((sum, move) => sum + move.minor, 0n)
  const remaining =
    found === undefined
      ? 0n
      : minOf(minor - shared, unreleasedOf(family, walletIn(family.payment, currency)).before(found.number))
  const all = remaining + shared
  if (releasedMinor !== all) faults.push({ row, what: `says that ${releasedMinor} of ${all} was released` })
  expect(turn, 'release', remaining, releasedAt)
  expect(turn, 'releaseRepay', remaining, releasedAt)
  explainRepaid(turn, releasedAt, 'release-')
}

/** What the receipt, or its release, left available repaid the parent of a sub-account. */
function explainRepaid({ family, unexplained, receipt, faults }: Turn, at: Date, prefix?: 'release-'): void {
  const { payment, refunds, disputes, transfersOf, parentOf } = family
  const { ordinal, cause, currency } = receipt
  if (!unexplained.has(`${ordinal}.${prefix ?? ''}repay-parent`)) return
  const walletId = walletIn(payment, currency)
  const moved = [payment, ...refunds, ...disputes]
    .flatMap(({ id }) => transfersOf(id))
    .filter((transfer) => transfer.cause.equals(cause) && transfer.at?.getTime() === at.getTime())
  const { merchantId, mode } = payment
  const repaying = { merchantId, walletId, currency, ...given({ prefix }) }
  const grounds: Grounds = { mode, cause, at, of: 'a payment' }
  const amount = { minor: leftFree(moved, walletId), grounds }
  for (const what of explainParentRepaid(unexplained, ordinal, repaying, parentOf, amount))
    faults.push({ row: receiptName(receipt), what })
}

function expect(
  { family, unexplained, receipt, faults }: Turn,
  name: keyof Steps,
  minor: bigint,
  at = receipt.recordedAt,
) {
  const { payment } = family
  const grounds: Grounds = {
    mode: payment.mode,
    cause: receipt.cause,
    at,
    of: 'a payment',
  }
  const step: Step = stepsOf(family, receipt)[name]
  const { found, what } = explainStep(unexplained, receipt.ordinal, step, { minor, grounds })
  if (what !== undefined) faults.push({ row: receiptName(receipt), what })
  return found
}

type Steps = ReturnType<typeof stepsOf>

function stepsOf({ payment, arrivalOf }: Family, { connection, currency }: ReceiptRow) {
  const { merchantId } = payment
  const walletId = walletIn(payment, currency)
  const seen = `seen:${connection}:${currency}`
  const pending = `wallet:${walletId}:pending`
  const available = `wallet:${walletId}:available`
  return {
    pending: { name: 'pending', kind: 'PENDING', debit: seen, credit: pending },
    unpending: { name: 'unpending', kind: 'PENDING', debit: pending, credit: seen },
    credit: { name: 'credit', kind: 'PAYMENT', debit: arrivalOf(connection, currency), credit: available },
    withhold: { name: 'credit', kind: 'PAYMENT', debit: arrivalOf(connection, currency), credit: pending },
    release: { name: 'release', kind: 'RELEASE', debit: pending, credit: available },
    fee: { name: 'fee', kind: 'FEE', debit: available, credit: `fees:${currency}`, upTo: true },
    withheldFee: { name: 'fee', kind: 'FEE', debit: pending, credit: `fees:${currency}`, upTo: true },
    releaseRepay: {
      name: 'release-repay',
      kind: 'RECEIVABLE_REPAID',
      debit: available,
      credit: `receivable:${merchantId}:${currency}`,
      upTo: true,
    },
    repay: {
      name: 'repay',
      kind: 'RECEIVABLE_REPAID',
      debit: available,
      credit: `receivable:${merchantId}:${currency}`,
      upTo: true,
    },
  } as const satisfies Record<string, Step>
}

function comparePayment(
  family: Family,
  sums: Sums,
  { refunded, disputed }: { readonly refunded: bigint; readonly disputed: bigint },
): readonly RowFault[] {
  const { payment, receipts, refunds } = family
  const faults: string[] = []
  const differs = (what: string, is: unknown, expected: unknown) => {
    if (is !== expected) faults.push(`says ${what} ${String(is)}, but its receipts make ${String(expected)}`)
  }
  if (payment.mode === null) faults.push('belongs to no merchant')
  differs('receipts', payment.receipts, receipts.length)
  differs('received', payment.receivedMinor, sums.received)
  differs('on its way', payment.seenMinor, sums.incoming)
  differs('fee', payment.feeMinor, sums.fee)
  differs('refunded', payment.refundedMinor, refunded)
  differs('disputed', payment.disputedMinor, disputed)
  differs('not released', payment.unreleasedMinor, unreleasedInAll(family))
  if (payment.version < 1 + receipts.length + refunds.length)
    faults.push(
      `has version ${payment.version} after ${receipts.length} receipts and ${refunds.length} refunds`,
    )
  faults.push(...compareStatus(payment, sums.credits), ...compareApproval(payment, sums))
  return faults.map((what) => ({ row: `payment ${payment.id}`, what }))
}

/** The credit that makes a payment PAID; undefined when none is enough. A capture is enough, even of a part. */
function completingOf({ amountMinor }: PaymentRow, credits: readonly Credit[]): Credit | undefined {
  return credits.find(({ kept, receipt }) => kept >= amountMinor || receipt.authorisedMinor !== null)
}

/** The unreleased sum of all of the payment's wallets. */
function unreleasedInAll(family: Family): bigint {
  const { money, walletId } = family.payment
  const wallets = money === null ? [walletId] : money.map((each) => each.walletId)
  return [...new Set(wallets)].reduce((sum, each) => sum + unreleasedOf(family, each).now, 0n)
}

/** A payment is APPROVED exactly as long as something is authorised. */
function compareApproval(
  { status, approvedAt }: PaymentRow,
  { incoming, authorisedAt }: Sums,
): readonly string[] {
  const faults: string[] = []
  if (status === 'APPROVED' && approvedAt === null) faults.push('is APPROVED, but never was')
  if (status === 'APPROVED' && incoming === 0n) faults.push('is APPROVED, but nothing is authorised')
  if (approvedAt !== null && !authorisedAt.includes(approvedAt.getTime()))
    faults.push('was approved at another time than anything was authorised')
  return faults
}

/** Compares status and exceptions with the money. Only events show when a payment expired or was canceled. */
function compareStatus(payment: PaymentRow, credits: readonly Credit[]): readonly string[] {
  const faults: string[] = []
  const { status, amountMinor, exceptions } = payment
  const isPaid = status === 'PAID'
  const completing = completingOf(payment, credits)
  const counted =
    completing === undefined || !isPaid ? credits : credits.slice(0, credits.indexOf(completing) + 1)
  const expect = (exception: string, isTrue: boolean) => {
    if (exceptions.includes(exception) !== isTrue) {
      faults.push(
        `${isTrue ? 'lacks' : 'has'} the exception ${exception}, which its receipts ${isTrue ? 'call for' : 'do not'}`,
      )
    }
  }
  if (isPaid && completing === undefined) faults.push('is PAID, but not enough money came')
  if (!isPaid && status !== 'CANCELED' && completing !== undefined)
    faults.push(`is ${status}, but the full amount came`)
  expect('OVERPAID', isPaid && completing !== undefined && completing.kept > amountMinor)
  expect('DUPLICATE', isPaid && counted.length < credits.length)
  for (const { receipt } of credits) {
    const { isDuplicate, providerRef } = receipt
    const isAfter = isPaid && completing !== undefined && receipt.ordinal > completing.receipt.ordinal
    if (isDuplicate !== null && isDuplicate !== isAfter)
      faults.push(`${isAfter ? 'does not count' : 'counts'} ${providerRef} as money that came twice`)
  }
  if (status !== 'CANCELED') expect('UNDERPAID', !isPaid && credits.length > 0)
  else if (credits.length === 0) expect('UNDERPAID', false)
  if (exceptions.includes('LATE') && !counted.some(({ receipt }) => isLate(payment, receipt)))
    expect('LATE', false)

  const paidAt = isPaid ? completing?.receipt.recordedAt.getTime() : undefined
  if (payment.paidAt?.getTime() !== paidAt)
    faults.push('has another time of payment than the receipt that completed it')
  const tx = payment.completingTx
  if (isPaid ? tx !== null && completing?.receipt.providerRef.startsWith(tx) === false : tx !== null) {
    faults.push('names another transaction than the one that completed it')
  }
  // Payments older than the column have none.
  const ref = payment.completingRef
  if (ref !== null && ref !== (isPaid ? completing?.receipt.providerRef : undefined))
    faults.push('names other money than what completed it')
  return faults
}

function isLate({ expiresAt }: PaymentRow, { happenedAt }: ReceiptRow): boolean {
  return expiresAt !== null && happenedAt >= expiresAt
}
