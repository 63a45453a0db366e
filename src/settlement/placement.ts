// Where each receipt of a batch belongs: to an attempt of ours, to money in suspense that was credited to a merchant, or to neither.
import { must } from '#/kernel/check.ts'
import type { ConnectionId, Id, MerchantId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import type { Batch } from '#/ledger/kind.ts'
import { selectConnectionModes } from '#/merchants/queries.ts'
import { selectAttemptsById, type KeptAttempt } from '#/payments/attempt-queries.ts'
import { moneyOr } from '#/payments/money.ts'
import type { Payment, PaymentMoney } from '#/payments/payment.ts'
import type { Rail, Rails } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Draft, OpenDraft } from './draft.ts'
import type { Placed } from './placed.ts'
import * as queries from './queries.ts'
import { refKey } from './related.ts'

export type Placement = {
  /** The receipts that fit an attempt of ours. */
  readonly placed: ReadonlyMap<Receipt, Placed>
  /** Why the others fit none. */
  readonly misfits: ReadonlyMap<Receipt, Misfit>
  /** Receipts about money in suspense that was credited to a merchant, with that money. */
  readonly credited: ReadonlyMap<Receipt, CreditedMoney>
}

/** Why a receipt fits no attempt. */
export type Misfit = queries.NewUnmatched['reason']

/** Money in suspense that a person credited to a merchant, as the ground of a dispute. */
export type CreditedMoney = {
  readonly unmatchedId: Id<'unmatched'>
  readonly merchantId: MerchantId
  readonly mode: Mode
  readonly currency: Currency
  /** In the one wallet, and available at once. */
  readonly money: readonly [PaymentMoney]
}

/** Finds the attempts that providers name by our reference alone. An attempt of another connection does not fit. */
export async function loadPlacement(
  { tx }: Pick<Batch, 'tx'>,
  rails: Rails,
  receipts: readonly Receipt[],
): Promise<Placement & Pick<OpenDraft, 'undecided'>> {
  const incomplete = receipts.flatMap((receipt) => {
    const { attempt, connection } = receipt
    const isComplete = attempt?.paymentId !== undefined && !isExact(rails, receipt)
    return attempt === undefined || attempt.isLost === true || isComplete
      ? []
      : [{ id: attempt.id, connection }]
  })
  const disputed = receipts.flatMap(({ connection, dispute }) =>
    dispute === undefined ? [] : [{ connection, providerRef: dispute.paidRef }],
  )
  const [attempts, suspended] = await Promise.all([
    incomplete.length === 0 ? [] : selectAttemptsById(tx, incomplete),
    disputed.length === 0 ? [] : queries.selectSuspendedRefs(tx, disputed),
  ])
  return placementOf(rails, receipts, { attempts, suspended })
}

/** The modes of the connections of these receipts. */
export async function loadModes(
  { tx }: Pick<Batch, 'tx'>,
  receipts: readonly Receipt[],
): Promise<ReadonlyMap<ConnectionId, Mode>> {
  if (receipts.length === 0) return new Map()
  const rows = await selectConnectionModes(
    tx,
    receipts.map(({ connection }) => connection),
  )
  return new Map(rows.map(({ id, mode }) => [id, mode]))
}

function placementOf(
  rails: Rails,
  receipts: readonly Receipt[],
  found: { readonly attempts: readonly KeptAttempt[]; readonly suspended: readonly queries.SuspendedRef[] },
): Placement & Pick<OpenDraft, 'undecided'> {
  const attempts = new Map(found.attempts.map((each) => [`${each.connection}/${each.id}`, each]))
  const inSuspense = new Set(found.suspended.map(refKey))
  const placed = new Map<Receipt, Placed>()
  const misfits = new Map<Receipt, Misfit>()
  const credited = new Map<Receipt, CreditedMoney>()
  for (const receipt of receipts) {
    const { connection, outcome, dispute } = receipt
    const kept = receipt.attempt && attempts.get(`${connection}/${receipt.attempt.id}`)
    const attempt = placeOf(rails, receipt, kept)
    const isOfSuspense =
      dispute !== undefined && inSuspense.has(refKey({ connection, providerRef: dispute.paidRef }))
    const money = creditedOf(receipt, found.suspended)
    if (money !== undefined) credited.set(receipt, money)
    if (isOfSuspense) misfits.set(receipt, 'suspended_money')
    else if (typeof attempt === 'string') misfits.set(receipt, attempt)
    else placed.set(receipt, { ...receipt, attempt })
    // Other receipts of the same batch about this money go to suspense too.
    if (typeof attempt === 'string' && outcome === 'paid') inSuspense.add(refKey(receipt))
  }
  const undecided = new Map(
    found.suspended
      .filter(({ resolution }) => resolution === null)
      .map((each) => [refKey(each), { unmatchedId: each.unmatchedId, minor: each.minor }] as const),
  )
  return { placed, misfits, credited, undecided }
}

function placeOf(rails: Rails, receipt: Receipt, kept: KeptAttempt | undefined): Placed['attempt'] | Misfit {
  const { attempt, amount } = receipt
  if (attempt === undefined) return 'no_attempt'
  if (attempt.isLost === true) return 'unknown_attempt'
  const { id, merchantId, paymentId } = attempt
  if (merchantId !== undefined && paymentId !== undefined && !isExact(rails, receipt))
    return { id, merchantId, paymentId }
  if (kept === undefined) return 'unknown_attempt'
  if (kept.currency !== amount.currency) return 'wrong_currency'
  if (isExact(rails, receipt) && !isRequested(receipt, kept)) return 'wrong_amount'
  return { id, merchantId: kept.merchantId, paymentId: kept.paymentId }
}

/** The money that a dispute is about, if it lay in suspense and was credited to a merchant. */
function creditedOf(
  { connection, dispute, amount: { currency } }: Receipt,
  suspended: readonly queries.SuspendedRef[],
): CreditedMoney | undefined {
  for (const { unmatchedId, mode, walletId, merchantId, ...money } of suspended) {
    const isOf = money.connection === connection && money.providerRef === dispute?.paidRef
    if (isOf && money.currency === currency && walletId !== null && merchantId !== null)
      return { unmatchedId, mode, merchantId, currency, money: [moneyOr({ money: [] }, currency, walletId)] }
  }
  return undefined
}

/** Whether the receipt counts only with the amount that its attempt requested. */
function isExact(rails: Rails, { method, outcome }: Receipt): boolean {
  return (outcome === 'paid' || outcome === 'authorised') && rails.get(method)?.amounts === 'EXACT'
}

/** For a capture the requested amount is the authorised one; no more than that can be captured. */
function isRequested(
  { amount, authorised = amount }: Receipt,
  { amountMinor, currency }: KeptAttempt,
): boolean {
  return (
    authorised.minor === amountMinor && authorised.currency === currency && amount.minor <= authorised.minor
  )
}

/** The payment of a receipt that fits an attempt of ours, as it stands now. */
export function paymentOf(
  { placement }: { readonly placement: Placement },
  { payments }: Pick<Draft, 'payments'>,
  receipt: Receipt,
): Payment | undefined {
  const placed = placement.placed.get(receipt)
  return placed && payments.get(placed.attempt.paymentId)
}

export function railOf({ rails }: { readonly rails: Rails }, { method }: Receipt): Rail {
  return must(rails.get(method), `no rail for ${method}`)
}
