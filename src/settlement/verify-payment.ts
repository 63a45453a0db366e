// Settles a payment again on paper: from its receipts alone, what its transfers and its own row must be. Pure.
import type { PaymentRow, ReceiptKey, ReceiptRow, TransferRow } from './verify-queries.ts'

export type Story = {
  readonly payment: PaymentRow
  /** In the order of their ordinals. */
  readonly receipts: readonly ReceiptRow[]
  /** All transfers whose subject is the payment. */
  readonly transfers: readonly TransferRow[]
}

export type Finding = { readonly row: string; readonly what: string }

/** Where final money of a connection arrives: the name of the account. */
export type ArrivalOf = (connection: string, currency: string) => string

type Credit = { readonly receipt: ReceiptRow; readonly total: bigint }

/** What the receipts add up to. */
type Sums = {
  seen: bigint
  received: bigint
  fee: bigint
  /** Final money that was more than nothing, in its order, with the total after it. */
  readonly credits: Credit[]
}

export function findingsOf(story: Story, arrivalOf: ArrivalOf): readonly Finding[] {
  const findings: Finding[] = []
  const sums = settleAgain(story, arrivalOf, findings)
  findings.push(...comparePayment(story, sums))
  return findings
}

export function receiptName({ connection, providerRef, outcome, occurrence }: ReceiptKey): string {
  return `receipt ${outcome} ${providerRef} (${occurrence}) of ${connection}`
}

function settleAgain(
  { payment, receipts, transfers }: Story,
  arrivalOf: ArrivalOf,
  findings: Finding[],
): Sums {
  const sums: Sums = { seen: 0n, received: 0n, fee: 0n, credits: [] }
  const open = new Map<string, bigint>()
  const ended = new Set<string>()
  const unexplained = new Map(transfers.map((transfer) => [transfer.step, transfer]))

  for (const [index, receipt] of receipts.entries()) {
    const row = receiptName(receipt)
    const expect = (step: Step, minor: bigint) => {
      const found = unexplained.get(`${receipt.ordinal}.${step.name}`)
      unexplained.delete(`${receipt.ordinal}.${step.name}`)
      const what = compareTransfer(payment, receipt, step, minor, found)
      if (what !== undefined) findings.push({ row, what })
      return found?.minor ?? 0n
    }
    if (receipt.ordinal !== index + 1)
      findings.push({ row, what: `has number ${receipt.ordinal} instead of ${index + 1}` })
    if (receipt.attemptConnection !== receipt.connection || receipt.attemptCurrency !== receipt.currency) {
      findings.push({ row, what: 'does not fit the attempt that it names' })
    }
    const steps = stepsOf(payment, receipt, arrivalOf)
    const key = `${receipt.connection}|${receipt.pendingRef ?? receiptName(receipt)}`
    const announced = ended.has(key) ? 0n : (open.get(key) ?? 0n)
    switch (receipt.outcome) {
      case 'seen':
      case 'authorised':
        if (ended.has(key) && receipt.bookedMinor !== 0n)
          findings.push({ row, what: 'was booked although its money was gone' })
        expect(steps.pending, receipt.bookedMinor)
        open.set(key, receipt.bookedMinor)
        sums.seen += receipt.bookedMinor
        break
      case 'orphaned':
      case 'voided':
        if (receipt.bookedMinor !== announced)
          findings.push({ row, what: `took back ${receipt.bookedMinor} of ${announced}` })
        expect(steps.unpending, announced)
        ended.add(key)
        sums.seen -= announced
        break
      case 'paid':
        expect(steps.unpending, announced)
        expect(steps.credit, receipt.bookedMinor)
        sums.fee += expect(steps.fee, receipt.bookedMinor)
        expect(steps.repay, receipt.bookedMinor)
        ended.add(key)
        sums.seen -= announced
        sums.received += receipt.bookedMinor
        if (receipt.bookedMinor > 0n) sums.credits.push({ receipt, total: sums.received })
        break
    }
  }
  for (const { number } of unexplained.values()) {
    findings.push({
      row: `transfer ${number}`,
      what: `belongs to payment ${payment.id}, but no receipt explains it`,
    })
  }
  return sums
}

type Step = {
  readonly name: string
  readonly kind: string
  readonly debit: string
  readonly credit: string
  /** How much of the amount moves is a rule of that day (a fee, a debt): anything up to it. */
  readonly upTo?: true
}

function stepsOf(
  { merchantId, walletId }: PaymentRow,
  { connection, currency }: ReceiptRow,
  arrivalOf: ArrivalOf,
) {
  const seen = `seen:${connection}:${currency}`
  const pending = `wallet:${walletId}:pending`
  const available = `wallet:${walletId}:available`
  return {
    pending: { name: 'pending', kind: 'PENDING', debit: seen, credit: pending },
    unpending: { name: 'unpending', kind: 'PENDING', debit: pending, credit: seen },
    credit: { name: 'credit', kind: 'PAYMENT', debit: arrivalOf(connection, currency), credit: available },
    fee: { name: 'fee', kind: 'FEE', debit: available, credit: `fees:${currency}`, upTo: true },
    repay: {
      name: 'repay',
      kind: 'RECEIVABLE_REPAID',
      debit: available,
      credit: `receivable:${merchantId}:${currency}`,
      upTo: true,
    },
  } as const satisfies Record<string, Step>
}

function compareTransfer(
  payment: PaymentRow,
  receipt: ReceiptRow,
  step: Step,
  minor: bigint,
  found: TransferRow | undefined,
): string | undefined {
  if (found === undefined)
    return minor === 0n || step.upTo ? undefined : `moved nothing as ${step.name} instead of ${minor}`
  const name = `transfer ${found.number}`
  if (step.upTo ? found.minor > minor : found.minor !== minor)
    return `made ${name} of ${found.minor} instead of ${minor}`
  if (found.debit !== step.debit || found.credit !== step.credit) {
    return `made ${name} from ${found.debit} to ${found.credit} instead of ${step.debit} to ${step.credit}`
  }
  if (found.kind !== step.kind) return `made ${name} as ${found.kind} instead of ${step.kind}`
  if (found.mode !== payment.mode) return `made ${name} in ${found.mode} for a payment in ${payment.mode}`
  if (!found.cause.equals(receipt.cause)) return `has other evidence than ${name} was made on`
  if (found.at?.getTime() !== receipt.recordedAt.getTime())
    return `says another time than the batch of ${name}`
  return undefined
}

function comparePayment({ payment, receipts }: Story, sums: Sums): readonly Finding[] {
  const findings: string[] = []
  const differs = (what: string, is: unknown, expected: unknown) => {
    if (is !== expected)
      findings.push(`says ${what} ${String(is)}, but its receipts make ${String(expected)}`)
  }
  if (payment.mode === null) findings.push('belongs to no merchant')
  differs('receipts', payment.receipts, receipts.length)
  differs('received', payment.receivedMinor, sums.received)
  differs('on its way', payment.seenMinor, sums.seen)
  differs('fee', payment.feeMinor, sums.fee)
  // Nothing gives back or holds back money yet.
  differs('refunded', payment.refundedMinor, 0n)
  differs('not released', payment.unreleasedMinor, 0n)
  if (payment.version < 1 + receipts.length)
    findings.push(`has version ${payment.version} after ${receipts.length} receipts`)
  findings.push(...compareWallet(payment, receipts), ...compareStatus(payment, sums.credits))
  return findings.map((what) => ({ row: `payment ${payment.id}`, what }))
}

function compareWallet(payment: PaymentRow, receipts: readonly ReceiptRow[]): readonly string[] {
  const [arriving] = receipts.filter(({ outcome }) => outcome !== 'orphaned' && outcome !== 'voided')
  if (payment.walletId === null) return arriving === undefined ? [] : ['has no wallet, but money came']
  if (arriving === undefined) return ['has a wallet, but no money came']
  if (payment.walletCurrency === null)
    return [`names wallet ${payment.walletId}, which its merchant does not have`]
  return payment.walletCurrency === arriving.currency
    ? []
    : [`names a wallet in ${payment.walletCurrency} for ${arriving.currency}`]
}

/** The status and the exceptions that the money allows. When a payment expired or was canceled, only events tell. */
function compareStatus(payment: PaymentRow, credits: readonly Credit[]): readonly string[] {
  const findings: string[] = []
  const { status, amountMinor, exceptions } = payment
  const isPaid = status === 'PAID'
  const completing = credits.find(({ total }) => total >= amountMinor)
  const counted =
    completing === undefined || !isPaid ? credits : credits.slice(0, credits.indexOf(completing) + 1)
  const expect = (exception: string, isTrue: boolean) => {
    if (exceptions.includes(exception) !== isTrue) {
      findings.push(
        `${isTrue ? 'lacks' : 'has'} the exception ${exception}, which its receipts ${isTrue ? 'call for' : 'do not'}`,
      )
    }
  }
  if (isPaid && completing === undefined) findings.push('is PAID, but not enough money came')
  if (!isPaid && status !== 'CANCELED' && completing !== undefined)
    findings.push(`is ${status}, but the full amount came`)
  expect('OVERPAID', isPaid && completing !== undefined && completing.total > amountMinor)
  expect('DUPLICATE', isPaid && counted.length < credits.length)
  if (status !== 'CANCELED') expect('UNDERPAID', !isPaid && credits.length > 0)
  else if (credits.length === 0) expect('UNDERPAID', false)
  if (exceptions.includes('LATE') && !counted.some(({ receipt }) => isLate(payment, receipt)))
    expect('LATE', false)

  const paidAt = isPaid ? completing?.receipt.recordedAt.getTime() : undefined
  if (payment.paidAt?.getTime() !== paidAt)
    findings.push('has another time of payment than the receipt that completed it')
  const tx = payment.completingTx
  if (isPaid ? tx !== null && completing?.receipt.providerRef.startsWith(tx) === false : tx !== null) {
    findings.push('names another transaction than the one that completed it')
  }
  return findings
}

function isLate({ expiresAt }: PaymentRow, { happenedAt }: ReceiptRow): boolean {
  return expiresAt !== null && happenedAt >= expiresAt
}
