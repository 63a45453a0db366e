// Inspects the events about transfers: each transfer has exactly one event for each merchant whose wallet it moved, and the
// event shows it from that merchant's side. Transfers of releases before migration 0030 have no event.
// Inspects what wallets/transfer.ts announces.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { comesFromSubAccount } from '#/wallets/own-transfer.ts'
import type { NotifiedKey, NotifiedKind } from './settlement/notified.ts'
import * as queries from './wallets-queries.ts'

/** Own transfers, as records of which merchants are notified. */
export const transferNotifications: NotifiedKind = {
  topic: 'transfer',
  after: { 'transfer.completed': { notified: [], now: [] } },
  async load(tx: Tx, keys: readonly NotifiedKey[]) {
    return (await queries.selectNotifiedTransfers(tx, keys)).map(presentOf)
  },
  async owed(sql: Sql, after: NotifiedKey | undefined, limit: number) {
    const rows = await queries.selectTransfersOwed(sql, after, limit)
    return rows.map(({ isNotified, ...row }) => ({
      ...row,
      status: 'made',
      types: isNotified ? (['transfer.completed'] as const) : [],
    }))
  },
}

function presentOf(row: queries.NotifiedTransferRow) {
  const { merchantId, id, currency, createdAt } = row
  return {
    merchantId,
    id,
    version: 1,
    webhookUrl: null,
    always: {
      id,
      mode: row.mode,
      amount: row.amountMinor,
      currency,
      ...sidesOf(row),
      description: row.description,
      metadata: row.metadata,
      createdAt: createdAt.toISOString(),
    },
    now: {},
    of: { 'transfer.completed': { at: createdAt } },
  }
}

/** What the event says of the two sides. A sub-account does not learn which of its parent's wallets was moved. */
function sidesOf(row: queries.NotifiedTransferRow) {
  const { fromWalletId, toWalletId, otherId, grantId, sourceId, isMirror } = row
  const isTaken = comesFromSubAccount(row)
  const ofPlatform = isMirror ? null : otherId
  return {
    fromWalletId: isMirror && !isTaken ? null : fromWalletId,
    toWalletId: isMirror && isTaken ? null : toWalletId,
    fromSubAccountId: isTaken ? ofPlatform : null,
    toSubAccountId: isTaken ? null : ofPlatform,
    fromParent: isMirror && !isTaken ? true : null,
    toParent: isMirror && isTaken ? true : null,
    grantId,
    sourceId,
  }
}

/**
 * The number of events equals the number of transfers that need one. Together with the inspections of notified and missing
 * events this means exactly one event for each.
 */
export const transferCounts: Inspection = { name: 'events of transfers', inspect: inspectCounts }

const merchantsMax = 100

async function inspectCounts({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<{ merchantId: MerchantId; transfers: bigint; events: bigint }>(
    (after) => queries.countTransferEvents(sql, after?.merchantId, merchantsMax),
    (merchants) => {
      inspected('merchants', merchants.length)
      for (const { merchantId, transfers, events } of merchants)
        if (transfers !== events)
          fault(
            `own transfers of merchant ${merchantId}`,
            `are ${transfers} with an event, but events ${events}`,
          )
    },
  )
}
