// Inspects disputes: each must be about money that was received for its payment. settlement/dispute.ts inspects the transfers
// that its receipts made.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import type { DisputeStatus } from '#/disputes/dispute.ts'
import type { EventType } from '#/webhooks/event.ts'
import * as queries from './disputes-queries.ts'
import type { Key } from './records-queries.ts'

export const disputeInspections: readonly Inspection[] = [{ name: 'disputes', inspect: inspectDisputes }]

const pageRows = 1_000

async function inspectDisputes({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.OpenedDispute>(
    (after) => queries.selectOpened(sql, after, pageRows),
    (disputes) => {
      inspected('disputes', disputes.length)
      for (const dispute of disputes)
        for (const what of faultsOf(dispute)) fault(`dispute ${dispute.id}`, what)
    },
  )
}

function faultsOf(dispute: queries.OpenedDispute): readonly string[] {
  if (!dispute.hasGround) return ['belongs to no payment, and to no money that was credited']
  const faults: string[] = []
  if (!dispute.isOfWallet) faults.push('is held in another wallet than its money was credited to')
  if (!dispute.isOfCurrency) faults.push('is in another currency than its money')
  if (!dispute.hasMoney) faults.push('is about money that never came')
  return faults
}

/**
 * For each event: the states that it can report, and the states in which the dispute can be afterwards. A lost dispute may be
 * reinstated, and the provider may take the money of a won dispute once more.
 */
const afterEvent: Readonly<
  Partial<
    Record<EventType, { readonly notified: readonly DisputeStatus[]; readonly now: readonly DisputeStatus[] }>
  >
> = {
  'dispute.opened': { notified: ['OPEN'], now: ['OPEN', 'WON', 'LOST'] },
  'dispute.won': { notified: ['WON'], now: ['OPEN', 'WON', 'LOST'] },
  'dispute.lost': { notified: ['LOST'], now: ['OPEN', 'WON', 'LOST'] },
}

const notifiedAs: Readonly<Record<DisputeStatus, readonly EventType[]>> = {
  OPEN: ['dispute.opened'],
  WON: ['dispute.opened', 'dispute.won'],
  LOST: ['dispute.opened', 'dispute.lost'],
}

/** The events of disputes. */
export const disputeNotifications = {
  topic: 'dispute',
  after: afterEvent,
  async load(tx: Tx, keys: readonly Key[]) {
    return (await queries.selectNotified(tx, keys)).map(presentOf)
  },
  async owed(sql: Sql, after: Key | undefined, limit: number) {
    const rows = await queries.selectStates(sql, after, limit)
    return rows.map((row) => ({ ...row, types: notifiedAs[row.status] }))
  },
}

function presentOf(row: queries.NotifiedDispute) {
  const { merchantId, id, status, version, webhookUrl, closedAt } = row
  const closed = { facts: { closedAt: closedAt?.toISOString() ?? null }, at: closedAt }
  // A sandbox's clock moves the date. The version stays: it counts receipts.
  const evidence = row.isMoved ? {} : { evidenceDueAt: row.evidenceDueAt?.toISOString() ?? null }
  // Events of earlier rounds have times of their own.
  const isOnce = row.round === 1
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
      kind: row.kind,
      amount: row.amountMinor,
      currency: row.currency,
      reason: row.reason,
      ...evidence,
      createdAt: row.createdAt.toISOString(),
    },
    now: { fee: row.feeMinor, closedAt: closedAt?.toISOString() ?? null },
    of: {
      'dispute.opened': isOnce ? { at: row.createdAt } : {},
      'dispute.won': isOnce && status === 'WON' ? closed : {},
      'dispute.lost': isOnce && status === 'LOST' ? closed : {},
    },
  }
}
