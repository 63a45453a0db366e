// Inspects refunds: each must match its request, be of money that was received, and be due until its end is known.
// settlement/refund.ts inspects the transfers that its receipts made.
// Inspects what refunds/request.ts decides.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { RefundStatus } from '#/refunds/refund.ts'
import type { EventType } from '#/webhooks/event.ts'
import { type Key, isByOne } from './records-queries.ts'
import * as queries from './refunds-queries.ts'

export const refundInspections: readonly Inspection[] = [{ name: 'refunds', inspect: inspectRefunds }]

const pageRows = 1_000

async function inspectRefunds({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.RequestedRefund>(
    (after) => queries.selectRequested(sql, after, pageRows),
    (refunds) => {
      inspected('refunds', refunds.length)
      for (const refund of refunds) for (const what of faultsOf(refund)) fault(`refund ${refund.id}`, what)
    },
  )
  await eachPage(
    (after: Awaited<ReturnType<typeof queries.selectDue>>[number] | undefined) =>
      queries.selectDue(sql, after, pageRows),
    (due) => {
      inspected('due', due.length)
      for (const { id, isWaiting } of due)
        if (!isWaiting) fault(`due refund ${id}`, 'is due, but does not wait')
    },
  )
}

function faultsOf(refund: queries.RequestedRefund): readonly string[] {
  const { request, paymentId, amountMinor, reason, metadata, destination, status, isDue, cameMinor } = refund
  const faults: string[] = []
  if (!refund.isErased && !sha256(canonicalJson({ paymentId, ...request })).equals(refund.fingerprint))
    faults.push('has another fingerprint than its payment and request make')
  if (request.amount !== undefined && BigInt(request.amount) !== amountMinor)
    faults.push(`gives back ${amountMinor}, its request asks for ${request.amount}`)
  if ((request.reason ?? null) !== reason) faults.push('has another reason than its request')
  if (canonicalJson(request.metadata ?? null) !== canonicalJson(metadata))
    faults.push('has other metadata than its request')
  if (request.cryptoAddress?.toLowerCase() !== destination?.['cryptoAddress']?.toLowerCase())
    faults.push('goes to another address than its request names')
  faults.push(...faultsOfAccount(refund))
  if (!refund.hasPayment) return [...faults, 'belongs to no payment']
  if (!refund.isOfWallet) faults.push('is held in another wallet than its money was credited to')
  if (!refund.isOfCurrency) faults.push('is in another currency than its payment')
  if (cameMinor === null) faults.push('gives back money that never came')
  else if (amountMinor > cameMinor) faults.push(`gives back ${amountMinor} of ${cameMinor} that came`)
  const { approvalRequired, payoutType } = refund
  if (status === 'PENDING' && !approvalRequired && !isDue)
    faults.push('is PENDING, but nobody will ask its provider')
  if (approvalRequired && isDue) faults.push('waits for a person, but is due')
  if (isByOne(refund)) faults.push('was decided by the person who asked for it')
  if (payoutType !== null && destination === null) faults.push('is sent by us, but has no address')
  if (payoutType !== null && status !== 'FAILED' && !refund.isDayCounted)
    faults.push(`leaves by ${payoutType}, but its day counts nothing`)
  if (status !== 'PENDING' && isDue) faults.push(`is ${status}, but still due`)
  return faults
}

/**
 * If the request names an account, the refund goes to it. If it names none, only the rail knows whether the account is the
 * sender's.
 */
function faultsOfAccount({ request, destination }: queries.RequestedRefund): readonly string[] {
  const { iban, beneficiary } = request
  return [
    ...(iban !== undefined && iban.replaceAll(/\s/g, '').toUpperCase() !== destination?.['iban']
      ? ['goes to another account than its request names']
      : []),
    ...(beneficiary !== undefined && beneficiary !== destination?.['beneficiary']
      ? ['goes to another holder than its request names']
      : []),
  ]
}

const ended: readonly RefundStatus[] = ['COMPLETED', 'FAILED']
const everyStatus: readonly RefundStatus[] = ['PENDING', ...ended]

/**
 * For each event: the states that it can report, and the states in which the refund can be afterwards. A provider may reverse
 * either result.
 */
const afterEvent: Readonly<
  Partial<
    Record<EventType, { readonly notified: readonly RefundStatus[]; readonly now: readonly RefundStatus[] }>
  >
> = {
  'refund.created': { notified: ['PENDING'], now: everyStatus },
  'refund.completed': { notified: ['COMPLETED'], now: ended },
  'refund.failed': { notified: ['FAILED'], now: ended },
}

const notifiedAs: Readonly<Record<RefundStatus, readonly EventType[]>> = {
  PENDING: ['refund.created'],
  COMPLETED: ['refund.created', 'refund.completed'],
  FAILED: ['refund.created', 'refund.failed'],
}

/** The events of refunds. */
export const refundNotifications = {
  topic: 'refund',
  after: afterEvent,
  async load(tx: Tx, keys: readonly Key[]) {
    return (await queries.selectNotified(tx, keys)).map(presentOf)
  },
  async owed(sql: Sql, after: Key | undefined, limit: number) {
    const rows = await queries.selectStates(sql, after, limit)
    return rows.map((row) => ({ ...row, types: notifiedAs[row.status] }))
  },
}

function presentOf(row: queries.NotifiedRefund) {
  const { merchantId, id, status, version, webhookUrl, failure } = row
  return {
    merchantId,
    id,
    status,
    version,
    webhookUrl,
    always: {
      id,
      mode: row.mode,
      paymentId: row.paymentId,
      amount: row.amountMinor,
      currency: row.currency,
      reason: row.reason,
      metadata: row.metadata,
      ...row.destination,
      createdAt: row.createdAt.toISOString(),
    },
    now: {
      failureCode: failure?.code ?? null,
      failureMessage: failure?.message ?? null,
      txHash: row.txHash,
      completedAt: row.completedAt?.toISOString() ?? null,
    },
    of: { 'refund.created': { at: row.createdAt } },
  }
}
