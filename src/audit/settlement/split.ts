// Inspects splits: computes each share again from the records of the payment, by a function of its own, and compares it with
// the row and with the transfers of the split.
// Inspects what payments/book-shares.ts decides, and what payments/shares.ts decides and announces.
import type { Sql, Tx } from '#/db/client.ts'
import { type Inspection, type Inspector, type SubjectKind, eachPage, inSnapshot } from '#/db/inspection.ts'
import { amountToJson } from '#/kernel/money.ts'
import type { SplitRequest } from '#/payments/payment.ts'
import type { NotifiedKey, NotifiedKind } from './notified.ts'
import { type TransferRow, selectTransferRows } from './queries.ts'
import { faultsOfFee } from './share-fees.ts'
import * as queries from './split-queries.ts'

const splitsMax = 250
const paymentsMax = 2_000

/** Splits, as subjects of transfers. */
export const splitSubjects: SubjectKind = { inspect: inspectSplits, among: queries.selectSplitsAmong }

export const splitInspection: Inspection = { name: 'splits', inspect: inspectUnsplit }

/** A payment whose request has splits has a split in the tables. */
async function inspectUnsplit({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<Awaited<ReturnType<typeof queries.selectUnsplit>>[number]>(
    (after) => inSnapshot(sql, (tx) => queries.selectUnsplit(tx, after, paymentsMax)),
    (payments) => {
      inspected('payments', payments.length)
      for (const { id, isUnsplit } of payments)
        if (isUnsplit) fault(`payment ${id}`, 'was requested with splits, and has none')
    },
  )
}

async function inspectSplits({ sql, upTo, inspected, fault }: Inspector): Promise<bigint> {
  let explained = 0n
  let last: queries.SplitRow | undefined
  for (;;) {
    const after = last
    const page = await inSnapshot(sql, async (tx) => {
      const splits = await queries.selectSplitRows(tx, after, splitsMax)
      const [shares, transfers, waiting, basis] =
        splits.length === 0
          ? [[], [], [], []]
          : await Promise.all([
              queries.selectShareRows(tx, splits),
              selectTransferRows(tx, splits),
              queries.selectWaitingRows(tx, splits),
              queries.selectFeeBasis(tx, splits),
            ])
      return { splits, shares, transfers, waiting, basis }
    })
    last = page.splits.at(-1)
    if (last === undefined) return explained
    inspected('splits', page.splits.length)
    inspected('shares', page.shares.length)
    if (page.transfers.length > 0) inspected('transfers', page.transfers.length)
    const sharesOf = Map.groupBy(page.shares, ({ paymentId }) => paymentId)
    const transfersOf = Map.groupBy(page.transfers, ({ subject }) => subject)
    const waitingOf = Map.groupBy(page.waiting, ({ paymentId }) => paymentId)
    const basisOf = Map.groupBy(page.basis, ({ paymentId }) => paymentId)
    for (const split of page.splits) {
      const shares = sharesOf.get(split.paymentId) ?? []
      const transfers = transfersOf.get(split.id) ?? []
      for (const what of [
        ...faultsOf(split, shares, transfers, waitingOf.get(split.paymentId) ?? []),
        ...faultsOfFee(split, shares, transfers, basisOf.get(split.paymentId) ?? []),
      ])
        fault(`split of payment ${split.paymentId}`, what)
    }
    explained += BigInt(page.transfers.filter(({ number }) => number >= 1n && number <= upTo.transfer).length)
  }
}

/** What is wrong with one split. Pure. */
function faultsOf(
  split: queries.SplitRow,
  shares: readonly queries.ShareRow[],
  transfers: readonly TransferRow[],
  waiting: readonly queries.WaitingRow[],
): readonly string[] {
  if (split.request === null || split.amountMinor === null || split.keptMinor === null)
    return ['belongs to no payment']
  const faults = [...faultsOfTerms(split, shares), ...faultsOfSums(split)]
  const moved = faultsOfTransfers(split, shares, transfers)
  const base = expectedBase(split.keptMinor, split.amountMinor, split)
  for (const share of shares) {
    const name = `share ${share.ordinal}`
    const expected = expectedShare(share, base, split.amountMinor)
    const both = share.bookedMinor + share.keptMinor
    if (both !== expected) faults.push(`${name} says ${both}, but the payment makes it ${expected}`)
    // CLOSED is final, so it still is.
    if (share.keptMinor > 0n && share.state !== 'CLOSED')
      faults.push(`${name} has ${share.keptMinor} kept from a sub-account that is not closed`)
    const movedOf = moved.sums.get(share.ordinal) ?? noneMoved
    const { given, fee } = movedOf
    faults.push(
      ...faultsOfWaiting(share, movedOf, waiting, split.amountMinor).map((what) => `${name} ${what}`),
    )
    if (given !== share.bookedMinor)
      faults.push(`${name} says ${share.bookedMinor}, but its transfers make ${given}`)
    if (fee !== share.feeMinor)
      faults.push(`${name} says a fee of ${share.feeMinor}, but its transfers make ${fee}`)
    if (fee > 0n && split.feePayer !== share.subAccountId)
      faults.push(`${name} paid a fee that is not its own`)
  }
  return [...faults, ...moved.faults]
}

/** The terms are those of the request, and each recipient is a sub-account of the payment's merchant. */
function faultsOfTerms(
  { request, merchantId, feePayer }: queries.SplitRow,
  shares: readonly queries.ShareRow[],
): string[] {
  const requested = request?.splits ?? []
  const faults =
    requested.length === shares.length ? [] : [`has ${shares.length} shares of ${requested.length} requested`]
  for (const [index, share] of shares.entries()) {
    const name = `share ${share.ordinal}`
    const terms = requested[index]
    if (share.ordinal !== index + 1) faults.push(`${name} should be number ${index + 1}`)
    if (terms === undefined || !isAsRequested(share, terms)) faults.push(`${name} is not as it was requested`)
    if (share.parentId !== merchantId) faults.push(`${name} is of no sub-account of the merchant`)
    if (!share.wallets.includes(share.walletId))
      faults.push(`${name} goes to a wallet that is not its recipient's`)
  }
  if ((request?.feePayer?.toLowerCase() ?? null) !== feePayer)
    faults.push('has another fee payer than requested')
  return faults
}

function isAsRequested(
  share: queries.ShareRow,
  { subAccountId, walletId, amount, percent, label }: SplitRequest,
): boolean {
  return (
    share.subAccountId === subAccountId.toLowerCase() &&
    (walletId === undefined || share.walletId === walletId.toLowerCase()) &&
    share.label === (label ?? null) &&
    (amount === undefined ? share.amountMinor === null : share.amountMinor === BigInt(amount)) &&
    (percent === undefined
      ? share.ratePpm === null
      : Number(share.ratePpm) === Math.round(Number(percent) * 10_000))
  )
}

function faultsOfSums({
  duplicateMinor,
  duplicatesMinor,
  waitingMinor,
  openMinor,
}: queries.SplitRow): string[] {
  const faults: string[] = []
  if (duplicateMinor !== duplicatesMinor)
    faults.push(`says ${duplicateMinor} of duplicates, but the receipts make ${duplicatesMinor}`)
  if (waitingMinor > openMinor) faults.push(`says that ${waitingMinor} waits, but only ${openMinor} may`)
  return faults
}

/**
 * What waits of a share is what the receipts that wait brought it, less what went back; and each brought at most the share of what came by
 * it.
 */
function faultsOfWaiting(
  share: queries.ShareRow,
  { waits, wentBack }: Moved,
  waiting: readonly queries.WaitingRow[],
  amount: bigint,
): readonly string[] {
  const faults: string[] = []
  const brought = ({ shareMinors }: queries.WaitingRow) => shareMinors[share.ordinal - 1] ?? 0n
  const open = waiting.filter(({ isReleased }) => !isReleased).reduce((sum, row) => sum + brought(row), 0n)
  if (waits !== share.unreleasedMinor)
    faults.push(`says that ${share.unreleasedMinor} of it waits, but its transfers make ${waits}`)
  if (wentBack ? waits > open : waits !== open)
    faults.push(`has ${waits} that waits, but the receipts that wait brought it ${open}`)
  for (const row of waiting) {
    // Cents that earlier pieces left make it at most one cent more.
    const most = expectedShare(share, row.cameMinor ?? 0n, amount) + 1n
    if (brought(row) > most)
      faults.push(`got ${brought(row)} by receipt ${row.ordinal}, but its share of that is at most ${most}`)
  }
  return faults
}

/** The part of the amount that the payment holds and that may be shared. */
function expectedBase(
  kept: bigint,
  amount: bigint,
  { duplicateMinor, waitingMinor }: queries.SplitRow,
): bigint {
  const least = [amount, kept - duplicateMinor, kept - waitingMinor].reduce((a, b) => (b < a ? b : a))
  return least < 0n ? 0n : least
}

/** Our own arithmetic: the largest whole number of cents of which the exact share is not less. */
function expectedShare({ amountMinor, ratePpm }: queries.ShareRow, base: bigint, amount: bigint): bigint {
  const [numerator, denominator] =
    ratePpm === null ? [(amountMinor ?? 0n) * base, amount] : [ratePpm * base, 1_000_000n]
  return (numerator - (numerator % denominator)) / denominator
}

/** `waits`: what is in the recipient's pending balance. `wentBack`: some of that was taken. */
type Moved = { given: bigint; fee: bigint; waits: bigint; wentBack: boolean }
const noneMoved: Readonly<Moved> = { given: 0n, fee: 0n, waits: 0n, wentBack: false }
type Sums = { readonly faults: readonly string[]; readonly sums: ReadonlyMap<number, Moved> }

/** Each transfer of the split is of a share, between the accounts that its step names; a debt that is repaid moves twice. */
function faultsOfTransfers(
  split: queries.SplitRow,
  shares: readonly queries.ShareRow[],
  transfers: readonly TransferRow[],
): Sums {
  const faults: string[] = []
  const sums = new Map<number, Moved>(shares.map(({ ordinal }) => [ordinal, { ...noneMoved }]))
  const repaid = new Map<string, bigint>()
  for (const { number, step, kind, debit, credit, minor, mode } of transfers) {
    const row = `transfer ${number}`
    const [, version = '', ordinal = '', name = ''] =
      /^(\d+)\.(?:(\d+)\.)?([a-z-]+?)(?:-\d+)?$/.exec(step) ?? []
    const share = shares.find((each) => String(each.ordinal) === ordinal)
    const expected = stepsOf(split, share)[name]
    const isExpected =
      expected?.some(
        (each) => each.kind === kind && each.debit.includes(debit ?? '') && each.credit === credit,
      ) === true
    if (!isExpected || mode !== split.mode || Number(version) >= split.version) {
      faults.push(`${row} is no movement of its shares`)
      continue
    }
    const sum = share === undefined ? undefined : sums.get(share.ordinal)
    const key = `${version}.${ordinal}`
    if (sum !== undefined) count(sum, name, minor)
    if (name === 'repay-platform') repaid.set(key, (repaid.get(key) ?? 0n) + minor)
    if (name === 'uncover') repaid.set(key, (repaid.get(key) ?? 0n) - minor)
  }
  for (const [key, difference] of repaid)
    if (difference !== 0n) faults.push(`step ${key} repays ${difference} more than the debt falls`)
  return { faults, sums }
}

function count(sum: Moved, name: string, minor: bigint): void {
  if (name === 'share' || name === 'share-owe' || name === 'share-pending') sum.given += minor
  if (name === 'back' || name === 'cover' || name === 'back-pending') sum.given -= minor
  if (name === 'fee' || name === 'fee-pending') sum.fee += minor
  if (name === 'share-pending') sum.waits += minor
  if (name === 'back-pending' || name === 'fee-pending' || name === 'release') sum.waits -= minor
  if (name === 'back-pending') sum.wentBack = true
}

type ExpectedStep = { readonly kind: string; readonly debit: readonly string[]; readonly credit: string }

function stepsOf(
  { merchantId, currency, walletId }: queries.SplitRow,
  share: queries.ShareRow | undefined,
): Readonly<Record<string, readonly ExpectedStep[]>> {
  const platform = `wallet:${walletId}:available`
  const debt = `receivable:${merchantId}:${currency}`
  if (share === undefined)
    return { 'platform-repay': [{ kind: 'SHARE_REPAID', debit: [platform], credit: debt }] }
  const { subAccountId, walletId: recipientId, wallets } = share
  const recipient = `wallet:${recipientId}:available`
  const [waits, platformWaits] = [`wallet:${recipientId}:pending`, `wallet:${walletId}:pending`]
  const all = wallets.map((id) => `wallet:${id}:available`)
  const [owes, owed] = [`owes:${subAccountId}:${currency}`, `owed:${merchantId}:${currency}`]
  return {
    share: [{ kind: 'SHARE', debit: [platform], credit: recipient }],
    'share-pending': [{ kind: 'SHARE', debit: [platformWaits], credit: waits }],
    'fee-pending': [{ kind: 'SHARE_FEE', debit: [waits], credit: platformWaits }],
    'back-pending': [{ kind: 'SHARE_RETURNED', debit: [waits], credit: platformWaits }],
    release: [{ kind: 'SHARE', debit: [waits], credit: recipient }],
    'share-owe': [{ kind: 'OWED', debit: [debt], credit: recipient }],
    fee: [{ kind: 'SHARE_FEE', debit: [recipient], credit: platform }],
    repay: [{ kind: 'SHARE_REPAID', debit: [recipient], credit: `receivable:${subAccountId}:${currency}` }],
    'repay-platform': [{ kind: 'SHARE_REPAID', debit: [recipient], credit: platform }],
    uncover: [{ kind: 'SHARE_COVERED', debit: [owed], credit: owes }],
    back: [{ kind: 'SHARE_RETURNED', debit: all, credit: platform }],
    cover: [{ kind: 'SHARE_COVERED', debit: [owes], credit: owed }],
  }
}

/**
 * Shares, as records of which sub-accounts are notified: the newest event shows the share as it is, and each sub-account that got a share or
 * gave one back was notified. Several movements in one batch make one event.
 */
export const shareNotifications: NotifiedKind = {
  topic: 'share',
  after: {
    'share.credited': { notified: [], now: [] },
    'share.returned': { notified: [], now: [] },
  },
  async load(tx: Tx, keys: readonly NotifiedKey[]) {
    return (await queries.selectNotifiedShares(tx, keys)).map(presentOf)
  },
  async owed(sql: Sql, after: NotifiedKey | undefined, limit: number) {
    const rows = await queries.selectSharesOwed(sql, after, limit)
    return rows.map(({ wasGiven, wentBack, ...row }) => ({
      ...row,
      status: 'booked',
      types: [
        ...(wasGiven ? (['share.credited'] as const) : []),
        ...(wentBack ? (['share.returned'] as const) : []),
      ],
    }))
  },
}

function presentOf(row: queries.NotifiedShareRow) {
  const { merchantId, id, walletId, currency, amountMinor, ratePpm, label, createdAt } = row
  return {
    merchantId,
    id,
    version: row.version,
    webhookUrl: null,
    always: {
      id,
      walletId,
      currency,
      amount: amountMinor === null ? null : amountToJson(amountMinor),
      percent: ratePpm === null ? null : String(Number(ratePpm) / 10_000),
      label,
      createdAt: createdAt.toISOString(),
    },
    now: { amountCredited: amountToJson(row.bookedMinor), fee: amountToJson(row.feeMinor) },
    // Events before migration 71 have no such field.
    nowIfNotified: { amountPending: amountToJson(row.unreleasedMinor) },
    of: {},
  }
}
