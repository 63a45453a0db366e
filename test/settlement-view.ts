// What settlement decides on, made by hand: one PIX payment of 10.00 and what belongs to it. For tests of decisions without a database.
import type { Dispute } from '#/disputes/dispute.ts'
import type { Inquiry } from '#/jobs/claim.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import { newId, type ConnectionId, type Id, type RefundId } from '#/kernel/id.ts'
import type { Posting } from '#/ledger/apply.ts'
import * as chart from '#/ledger/chart.ts'
import type { Batch } from '#/ledger/kind.ts'
import type { SplitView } from '#/payments/book-shares.ts'
import type { AuthorisationOrder } from '#/payments/capture-queries.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import type { Share, Split } from '#/payments/shares.ts'
import type { Rail } from '#/rails/rail.ts'
import type { Outcome, Receipt } from '#/rails/receipt.ts'
import type { Refund } from '#/refunds/refund.ts'
import type { ReceiptRuling } from '#/settlement/decision.ts'
import type { Placed } from '#/settlement/placed.ts'
import { settleReceipt } from '#/settlement/settle.ts'
import type { Facts, View } from '#/settlement/view.ts'
import { parentDebt, type Parents } from '#/wallets/parent-debt.ts'
import { testRail } from './contract/rail.ts'

export const at = new Date('2026-11-21T12:00:00.000Z')
const connection = 't1-bank' as ConnectionId
const paymentId = newId<'payment'>()
const merchantId = newId<'merchant'>()
const attempt = { id: newId<'attempt'>(), merchantId, paymentId }
/** The provider's name of the money that came. */
const paidRef = 'e1'

/** A refund of 4.00 of the payment. */
export function refundOf(change: Partial<Refund> = {}): Refund {
  return {
    merchantId,
    id: newId<'refund'>(),
    mode: 'SANDBOX',
    paymentId,
    attemptId: attempt.id,
    method: 'PIX',
    connection,
    paidRef,
    walletId: newId<'wallet'>(),
    amountMinor: 400n,
    unreleasedMinor: 100n,
    currency: 'BRL',
    status: 'PENDING',
    isHeldBack: false,
    approvalRequired: false,
    version: 1,
    createdAt: at,
    ...change,
  }
}

/** A dispute of all the money of the payment, that is OPEN. */
export function disputeOf(change: Partial<Dispute> = {}): Dispute {
  return {
    merchantId,
    id: newId<'dispute'>(),
    mode: 'SANDBOX',
    paymentId,
    connection,
    providerRef: 'd1',
    paidRef,
    walletId: newId<'wallet'>(),
    kind: 'CHARGEBACK',
    status: 'OPEN',
    isTaken: false,
    round: 1,
    amountMinor: 1_000n,
    feeMinor: 0n,
    currency: 'BRL',
    version: 1,
    createdAt: at,
    ...change,
  }
}

/** A split of the payment: a sub-account gets 40 % of it, and has nothing yet. */
export function splitOf({
  split = {},
  share = {},
  ...view
}: Omit<Partial<SplitView>, 'split'> & {
  readonly split?: Partial<Split>
  readonly share?: Partial<Share>
} = {}): SplitView {
  const [subAccountId, walletId] = [newId<'merchant'>(), newId<'wallet'>()]
  const nothing = { bookedMinor: 0n, unreleasedMinor: 0n, keptMinor: 0n, feeMinor: 0n, isClosed: false }
  const terms = { amountMinor: null, ratePpm: 400_000n, label: null }
  const ids = { id: newId<'payment-share'>(), ordinal: 1, subAccountId, walletId }
  const one: Share = { ...ids, ...terms, ...nothing, ...share }
  const sums = { duplicateMinor: 0n, waitingMinor: 0n, feePayer: null }
  const of = { id: newId<'payment-split'>(), merchantId, paymentId, currency: 'BRL', createdAt: at } as const
  return {
    split: { ...of, ...sums, version: 1, shares: [one], ...split },
    wallets: new Map([[one.subAccountId, [one.walletId]]]),
    duplicates: new Set(),
    withheld: { unsharedMinor: 0n, shareMinors: [one.unreleasedMinor] },
    ...view,
  }
}

/** The order to capture or void the authorisation of the payment. */
export function orderOf(change: Partial<AuthorisationOrder>): Facts['orders'] {
  const { id: attemptId } = attempt
  const order = { id: null, merchantId, attemptId, paymentId, kind: 'VOID', isRequested: true } as const
  return new Map([
    [attemptId, { ...order, amountMinor: null, authorisedMinor: 1_000n, hasEnded: false, ...change }],
  ])
}

/** A report about that payment, its money, its dispute, or the refund `refund`. */
export function receiptOf(outcome: Outcome, change: Partial<Receipt> = {}, refund?: RefundId): Receipt {
  const isOf = (what: string) => outcome.startsWith(what)
  return {
    method: 'PIX',
    attempt,
    connection,
    providerRef: isOf('dispute') ? 'd1' : isOf('refund') ? 'r1' : paidRef,
    outcome,
    occurrence: 1,
    amount: { minor: isOf('refund') ? 400n : 1_000n, currency: 'BRL' },
    happenedAt: at,
    evidence: Buffer.from('{}'),
    ...(outcome === 'paid' || outcome === 'seen' ? { pendingRef: 'p1' } : {}),
    ...given({ refund }),
    ...(isOf('dispute') ? { dispute: { paidRef, kind: 'CHARGEBACK', fee: 15n } } : {}),
    ...change,
  }
}

/** What was there before the batch. */
export type Start = {
  readonly payment?: Partial<Payment>
  readonly money?: Partial<PaymentMoney>
  /** Whether it received money before, so that its wallet is set. */
  readonly hasMoney?: boolean
  /** Absent: its rail knows no settlement delay. */
  readonly delayMs?: number
  readonly refunds?: readonly Refund[]
  readonly disputes?: readonly Dispute[]
  /** How much came under the provider's name of its money; null: nothing that is known. */
  readonly pieceMinor?: bigint | null
  /** The refunds that were not sent. */
  readonly unsent?: readonly RefundId[]
  /** How many wallets the merchant has. */
  readonly wallets?: number
  /** What is still to be released of the payment; null: nothing. */
  readonly withheldMinor?: bigint | null
  /** What the merchant owes its platform, as its sub-account. */
  readonly owesMinor?: bigint
  readonly orders?: Facts['orders']
  readonly split?: SplitView
  /** Our fee on each payment. */
  readonly feeMinor?: bigint
  /** The reports fit no attempt. With `credited`, they are about money that was credited to the merchant out of suspense. */
  readonly isMisfit?: boolean
  readonly credited?: Id<'unmatched'>
}

export function viewOf(start: Start, receipts: readonly Receipt[]): View {
  const { hasMoney = true, refunds = [], disputes = [], unsent = [], delayMs } = start
  const { withheldMinor = 500n, pieceMinor = 1_000n } = start
  const walletIds = Array.from({ length: start.wallets ?? 1 }, () => newId<'wallet'>())
  const walletId = must(walletIds[0], 'a wallet')
  const money: PaymentMoney = {
    currency: 'BRL',
    walletId,
    unreleasedMinor: 300n,
    refundedMinor: 400n,
    methods: [{ method: 'PIX', receivedMinor: 1_000n, feeMinor: 10n }],
    ...start.money,
  }
  const payment: Payment = {
    merchantId,
    id: paymentId,
    mode: 'SANDBOX',
    request: { amount: 1_000 },
    status: 'PAID',
    amountMinor: 1_000n,
    currency: 'BRL',
    methods: ['PIX'],
    money: hasMoney ? [money] : [],
    receivedMinor: 1_000n,
    refundedMinor: 400n,
    disputedMinor: 0n,
    seenMinor: 500n,
    unreleasedMinor: 300n,
    feeMinor: 10n,
    exceptions: [],
    receipts: 3,
    version: 3,
    createdAt: at,
    ...start.payment,
  }
  const rail: Rail = {
    ...testRail(),
    method: 'PIX',
    ...(delayMs === undefined ? {} : { settlementDelayMs: () => delayMs }),
    authorisations: { capture: async () => [], void: async () => [] },
  }
  const key = `${merchantId}/BRL`
  const fee = { merchantId, method: 'PIX', currency: 'BRL', ratePpm: 0n, validFrom: new Date(0) } as const
  const { feeMinor: fixedMinor } = start
  const inForce = new Map(
    fixedMinor === undefined ? [] : [[`${merchantId}/PIX/BRL`, { ...fee, fixedMinor }] as const],
  )
  const ground = { merchantId, mode: 'SANDBOX', currency: 'BRL', money: [money] } as const
  const credited = start.credited && { ...ground, unmatchedId: start.credited }
  return {
    facts: {
      rails: new Map([['PIX', rail]]),
      placement: {
        placed: new Map(
          start.isMisfit === true
            ? []
            : receipts.map((receipt): [Receipt, Placed] => [receipt, { ...receipt, attempt }]),
        ),
        misfits: new Map(),
        credited: new Map(credited === undefined ? [] : receipts.map((receipt) => [receipt, credited])),
      },
      modes: new Map([[connection, 'SANDBOX']]),
      wallets: { defaults: new Map([[key, walletId]]), all: new Map([[key, walletIds]]) },
      fees: { inForce, past: new Map() },
      orders: start.orders ?? new Map(),
      unsent: new Set(unsent),
      heldClaims: new Set(),
      parents: parentsOf(start),
    },
    draft: {
      payments: new Map([[paymentId, payment]]),
      splits: new Map(start.split === undefined ? [] : [[paymentId, start.split]]),
      refunds: new Map(refunds.map((refund) => [refund.id, { ...refund, walletId }])),
      disputes: new Map(disputes.map((dispute) => [`${connection}|${dispute.providerRef}`, dispute])),
      pieces: new Map(pieceMinor === null ? [] : [[`${paymentId}|${connection}|${paidRef}`, pieceMinor]]),
      withheld: new Map(withheldMinor === null ? [] : [[`${paymentId}/BRL`, withheldMinor]]),
      undecided: new Map(),
      recorded: new Set(),
      announced: new Map(),
      ended: new Set(),
      reports: new Map(),
      missing: new Map(),
      additions: [],
    },
    units: new Map(),
  }
}

function parentsOf({ owesMinor }: Start): Parents {
  const [id, walletId] = [newId<'merchant'>(), newId<'wallet'>()]
  const accounts = {
    available: chart.walletAvailable('SANDBOX', walletId, 'BRL'),
    receivable: chart.receivable('SANDBOX', id, 'BRL'),
    owes: parentDebt({ mode: 'SANDBOX', merchantId, currency: 'BRL' }),
    owed: chart.owed('SANDBOX', id, 'BRL'),
  }
  const parent = { id, walletId, accounts, mode: 'SANDBOX', takesAll: false } as const
  const of = new Map(owesMinor === undefined ? [] : [[`${merchantId}/BRL`, parent]])
  return { of, at: new Date(0) }
}

/**
 * Books that record what was posted. They accept everything, unless they refuse it. `owesMinor`: what every debt is, of which a sub-account
 * repays its platform. `hasMinor`: what every other account holds.
 */
export function recordingBooks(
  refuses?: () => boolean,
  owesMinor = 0n,
  hasMinor = 1_000_000n,
): {
  readonly books: Batch['books']
  readonly posted: Posting[]
} {
  const posted: Posting[] = []
  const books: Batch['books'] = {
    load: async () => {},
    post(postings) {
      const account = postings[0]?.debit
      if (refuses?.() === true && account !== undefined)
        return { ok: false, refusal: { reason: 'insufficient_funds', account, missing: 1n } }
      posted.push(...postings)
      return { ok: true }
    },
    accepts: () => true,
    isMixed: () => false,
    balance: ({ side }) => (side === 'DEBIT' ? owesMinor : hasMinor),
  }
  return { books, posted }
}

/** What was decided on reports that came one after the other in one batch. */
export type Told = {
  readonly rulings: readonly ReceiptRuling[]
  readonly verdicts: readonly string[]
  /** The types of the events. */
  readonly news: readonly string[]
  /** What was posted of more than nothing: the step, its kind, the accounts and the amount. */
  readonly posted: readonly string[]
  readonly payment: Payment
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
}

/** Tells the reports in their order; `inquiry`: when the provider was asked for all of them. */
export function tell(
  start: Start,
  receipts: readonly Receipt[],
  { inquiry, hasMinor }: { readonly inquiry?: Inquiry; readonly hasMinor?: bigint } = {},
): Told {
  const view = viewOf(start, receipts)
  const { books, posted } = recordingBooks(undefined, start.owesMinor, hasMinor)
  const rulings = receipts.map((receipt) => settleReceipt(view, receipt, { books, at }, inquiry))
  return {
    rulings,
    verdicts: rulings.map(({ verdict }) => verdict),
    news: rulings.flatMap(({ events = [] }) => events.map(({ type }) => type)),
    posted: posted.filter(({ minor }) => minor > 0n).map(textOf),
    payment: must(view.draft.payments.get(paymentId), 'the payment'),
    refunds: [...view.draft.refunds.values()],
    disputes: [...view.draft.disputes.values()],
  }
}

function textOf({ step, kind, debit, credit, minor }: Posting): string {
  return `${step} ${kind} ${placeOf(debit)}>${placeOf(credit)} ${minor}`
}

/** The account without mode, ids and currency. */
function placeOf({ key }: chart.AccountSpec): string {
  const [, name = ''] = key.split('/')
  const [kind = '', ...rest] = name.split(':')
  return rest.at(-1) === 'BRL' || kind !== 'wallet' ? kind : (rest.at(-1) ?? '')
}
