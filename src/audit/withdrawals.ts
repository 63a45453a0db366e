// Inspects withdrawals: each must match its request, have the reference that its key makes, be due until its end is known, and
// be counted on its day. settlement/payout.ts inspects its transfers.
// Inspects what withdrawals/request.ts decides.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import { dayOf } from '#/kernel/time.ts'
import type { EventType } from '#/webhooks/event.ts'
import type { WithdrawalRequest, WithdrawalStatus } from '#/withdrawals/withdrawal.ts'
import { isByOne } from './records-queries.ts'
import * as queries from './withdrawals-queries.ts'

/** The destinations of payouts of one type. */
export type PayoutPlaces = {
  /** The field that names the destination in a withdrawal's row. */
  readonly field: string
  /** In its normal form; undefined when the request names no destination. */
  destinationOf(request: WithdrawalRequest): string | undefined
}

/** By type. */
export type PlacesOfPayouts = ReadonlyMap<string, PayoutPlaces>

export function withdrawalInspections(places: PlacesOfPayouts): readonly Inspection[] {
  return [
    { name: 'withdrawals', inspect: (inspector) => inspectWithdrawals(inspector, places) },
    { name: 'daily sums', inspect: inspectDays },
  ]
}

const pageRows = 1_000
/** A batch has up to a thousand withdrawals. */
const batchPageRows = 50

async function inspectWithdrawals(
  { sql, inspected, fault }: Inspector,
  places: PlacesOfPayouts,
): Promise<void> {
  await eachPage<queries.RequestedWithdrawal>(
    (after) => queries.selectRequested(sql, after, pageRows),
    (withdrawals) => {
      inspected('withdrawals', withdrawals.length)
      for (const each of withdrawals)
        for (const what of faultsOf(each, places)) fault(`withdrawal ${each.id}`, what)
    },
  )
  await eachPage(
    (after: Awaited<ReturnType<typeof queries.selectBatches>>[number] | undefined) =>
      queries.selectBatches(sql, after, batchPageRows),
    (batches) => {
      inspected('batches', batches.length)
      for (const { id, count, found, isRequestedByOne } of batches) {
        if (count !== found) fault(`batch of withdrawals ${id}`, `is of ${count}, and ${found} are there`)
        if (!isRequestedByOne)
          fault(`batch of withdrawals ${id}`, 'was requested by another key than its withdrawals')
      }
    },
  )
  await eachPage(
    (after: Awaited<ReturnType<typeof queries.selectDue>>[number] | undefined) =>
      queries.selectDue(sql, after, pageRows),
    (due) => {
      inspected('due', due.length)
      for (const { id, isThere } of due) if (!isThere) fault(`due withdrawal ${id}`, 'belongs to nothing')
    },
  )
}

function faultsOf(row: queries.RequestedWithdrawal, places: PlacesOfPayouts): readonly string[] {
  const { request, status, isDue } = row
  const faults: string[] = []
  if (!sha256(canonicalJson(request)).equals(row.fingerprint))
    faults.push('has another fingerprint than its request makes')
  if (BigInt(request.amount) !== row.amountMinor)
    faults.push(`is of ${row.amountMinor}, its request of ${request.amount}`)
  if (request.type !== row.type) faults.push(`is by ${row.type}, its request by ${request.type}`)
  if (request.walletId !== undefined && request.walletId.toLowerCase() !== row.walletId)
    faults.push('leaves from another wallet than its request names')
  if (row.reference !== referenceOf(row)) faults.push('has another reference than its key makes')
  if (!goesWhereRequested(row, places)) faults.push('goes somewhere else than its request says')
  if (!row.isWalletOfMerchant) faults.push("leaves from a wallet that is not its merchant's in this currency")
  if (!row.isConnected) faults.push('is at a connection that is not there for it')
  if (isByOne(row)) faults.push('was decided by the person who asked for it')
  if ((status === 'PENDING' || status === 'PROCESSING') && !isDue)
    faults.push(`is ${status}, but nobody will ask its provider`)
  // What ended before it was found to have left is not marked.
  if (row.hasLeft && status === 'CANCELED')
    faults.push('had left before a restore, and was canceled all the same')
  if (status === 'PENDING_APPROVAL' && isDue) faults.push('waits for a person, but is due')
  return faults
}

/** The rule is written a second time on purpose: an inspection must not use the code that it inspects. */
function referenceOf({
  merchantId,
  id,
  idempotencyKey,
  batchPlace,
  batchKey,
}: queries.RequestedWithdrawal): string {
  if (idempotencyKey === null && batchPlace === null) return id.replaceAll('-', '')
  const key =
    batchPlace === null ? { merchantId, idempotencyKey } : { merchantId, batch: batchKey, place: batchPlace }
  return sha256(canonicalJson(key)).toString('hex').slice(0, 32)
}

/** The destination is the one of the request. The books contain the hash of the request, but not of the destination. */
function goesWhereRequested(
  { request, destination: { text, fields } }: queries.RequestedWithdrawal,
  places: PlacesOfPayouts,
): boolean {
  const place = places.get(request.type)
  if (place === undefined) return false
  const details = ['pixKeyType', 'cryptoNetwork', 'cryptoCurrency', 'beneficiary'] as const
  return (
    place.destinationOf(request) === text &&
    fields[place.field] === text &&
    details.every((name) => request[name] === undefined || request[name] === fields[name])
  )
}

/** The sum of a day counts the withdrawals that were accepted on it and neither failed nor were canceled. */
async function inspectDays(inspector: Inspector): Promise<void> {
  const { sql } = inspector
  let current: MerchantId | undefined
  let made = new Map<string, bigint>()
  await eachPage<queries.RequestedWithdrawal>(
    (after) => queries.selectRequested(sql, after, pageRows),
    async (withdrawals) => {
      for (const { merchantId, type, currency, createdAt, amountMinor, status } of withdrawals) {
        if (current !== undefined && current !== merchantId) {
          await compareDays(inspector, current, made)
          made = new Map()
        }
        current = merchantId
        const key = keyOf({ type, currency, day: dayOf(createdAt) })
        const counts = status === 'FAILED' || status === 'CANCELED' ? 0n : amountMinor
        made.set(key, (made.get(key) ?? 0n) + counts)
      }
    },
  )
  if (current !== undefined) await compareDays(inspector, current, made)
  await eachPage<{ readonly merchantId: MerchantId }>(
    (after) => queries.selectCountedForNothing(sql, after, pageRows),
    async (merchants) => {
      for (const { merchantId } of merchants) await compareDays(inspector, merchantId, new Map())
    },
  )
}

/** Refunds that we send ourselves count as withdrawals do. */
async function addRefunds(
  { sql }: Inspector,
  merchantId: MerchantId,
  made: Map<string, bigint>,
): Promise<void> {
  await eachPage<queries.CountedRefund>(
    (after) => queries.selectRefunds(sql, merchantId, after, pageRows),
    (refunds) => {
      for (const { type, currency, status, createdAt, amountMinor } of refunds) {
        if (type === null || status === 'FAILED') continue
        const key = keyOf({ type, currency, day: dayOf(createdAt) })
        made.set(key, (made.get(key) ?? 0n) + amountMinor)
      }
    },
  )
}

/** Withdrawals change while they are added up, so a difference is read again at one instant before it is a fault. */
async function compareDays(
  inspector: Inspector,
  merchantId: MerchantId,
  made: Map<string, bigint>,
): Promise<void> {
  const { sql, inspected, fault } = inspector
  await addRefunds(inspector, merchantId, made)
  const counted = await queries.selectCounted(sql, merchantId)
  inspected('days', counted.length)
  const days = new Map(counted.map(({ minor, ...key }) => [keyOf(key), minor]))
  for (const key of new Set([...days.keys(), ...made.keys()])) {
    if ((days.get(key) ?? 0n) === (made.get(key) ?? 0n)) continue
    const [type = '', currency = '', day = ''] = key.split('/')
    const now = await queries.selectDay(sql, { merchantId, type, currency, day })
    if (now.counted !== now.made)
      fault(
        `${day} of merchant ${merchantId}`,
        `counts ${now.counted} ${currency} by ${type}, but ${now.made} was accepted`,
      )
  }
}

function keyOf({ type, currency, day }: Omit<queries.DayKey, 'merchantId'>): string {
  return `${type}/${currency}/${day}`
}

const everyStatus: readonly WithdrawalStatus[] = [
  'PENDING',
  'PENDING_APPROVAL',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
]

/** For each event: the states that it can report, and the states in which the withdrawal can be afterwards. */
const afterEvent: Readonly<
  Partial<
    Record<
      EventType,
      { readonly notified: readonly WithdrawalStatus[]; readonly now: readonly WithdrawalStatus[] }
    >
  >
> = {
  'withdrawal.created': { notified: ['PENDING', 'PENDING_APPROVAL'], now: everyStatus },
  'withdrawal.approval_required': { notified: ['PENDING_APPROVAL'], now: everyStatus },
  'withdrawal.processing': {
    notified: ['PROCESSING'],
    now: ['PROCESSING', 'COMPLETED', 'FAILED', 'CANCELED'],
  },
  'withdrawal.completed': { notified: ['COMPLETED'], now: ['COMPLETED'] },
  // A withdrawal that failed here may turn out to be paid.
  'withdrawal.failed': { notified: ['FAILED'], now: ['FAILED', 'COMPLETED'] },
  'withdrawal.canceled': { notified: ['CANCELED'], now: ['CANCELED', 'COMPLETED'] },
  'withdrawal.returned': { notified: ['COMPLETED'], now: ['COMPLETED'] },
}

const notifiedAs: Readonly<Record<WithdrawalStatus, readonly EventType[]>> = {
  PENDING: ['withdrawal.created'],
  PENDING_APPROVAL: ['withdrawal.created', 'withdrawal.approval_required'],
  PROCESSING: ['withdrawal.created', 'withdrawal.processing'],
  COMPLETED: ['withdrawal.created', 'withdrawal.processing', 'withdrawal.completed'],
  FAILED: ['withdrawal.created', 'withdrawal.processing', 'withdrawal.failed'],
  CANCELED: ['withdrawal.created', 'withdrawal.canceled'],
}

function paidTypes(status: WithdrawalStatus): readonly EventType[] {
  return status === 'COMPLETED' ? ['withdrawal.completed'] : []
}

/** The events of withdrawals. */
export const withdrawalNotifications = {
  topic: 'withdrawal',
  after: afterEvent,
  async load(tx: Tx, keys: readonly queries.Key[]) {
    return (await queries.selectNotified(tx, keys)).map(presentOf)
  },
  async owed(sql: Sql, after: queries.Key | undefined, limit: number) {
    const rows = await queries.selectStates(sql, after, limit)
    return rows.map((row) => {
      const returned: readonly EventType[] = row.returnedMinor > 0n ? ['withdrawal.returned'] : []
      // A withdrawal that was canceled here was never PROCESSING, even if its provider paid it.
      const notified = row.wasCanceled
        ? ([...notifiedAs.CANCELED, ...paidTypes(row.status)] as const)
        : notifiedAs[row.status]
      return { ...row, types: [...notified, ...returned] }
    })
  },
}

function presentOf(row: queries.NotifiedWithdrawal) {
  const { merchantId, id, status, version, request, failure, completedAt } = row
  const completed = completedAt?.toISOString() ?? null
  return {
    merchantId,
    id,
    status,
    version,
    webhookUrl: request.webhookUrl ?? null,
    always: {
      id,
      mode: row.mode,
      type: request.type,
      amount: row.amountMinor,
      fee: row.feeMinor,
      totalDebited: row.amountMinor + row.feeMinor,
      currency: request.currency,
      walletId: row.walletId,
      pixKey: request.pixKey ?? null,
      cryptoAddress: request.cryptoAddress ?? null,
      metadata: request.metadata ?? null,
      createdAt: row.createdAt.toISOString(),
    },
    now: {
      providerRef: row.providerRef,
      endToEndId: row.endToEndId,
      txHash: row.txHash,
      failureCode: failure?.code ?? null,
      failureMessage: failure?.message ?? null,
      amountReturned: row.returnedMinor === 0n ? null : row.returnedMinor,
      reviewRequired: row.reviewRequired || null,
      completedAt: completed,
    },
    of: {
      'withdrawal.created': { at: row.createdAt },
      'withdrawal.completed': { facts: { completedAt: completed }, at: completedAt },
    },
  }
}
