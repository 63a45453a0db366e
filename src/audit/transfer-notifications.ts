// Inspects what merchants were notified of about own transfers: each has exactly one event, which shows it as it is. Transfers of
// releases before migration 0030 have none.
// Inspects what wallets/transfer.ts announces.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import type { MerchantId } from '#/kernel/id.ts'
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
  const { merchantId, id, fromWalletId, toWalletId, currency, createdAt } = row
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
      fromWalletId,
      toWalletId,
      description: row.description,
      metadata: row.metadata,
      createdAt: createdAt.toISOString(),
    },
    now: {},
    of: { 'transfer.completed': { at: createdAt } },
  }
}

/** As many events as transfers that have one: with the inspections of notified and missing events, exactly one for each. */
export const transferCounts: Inspection = { name: 'events of transfers', inspect: inspectCounts }

const merchantsMax = 100

async function inspectCounts({ sql, saw, fault }: Inspector): Promise<void> {
  await eachPage<{ merchantId: MerchantId; transfers: bigint; events: bigint }>(
    (after) => queries.countTransferEvents(sql, after?.merchantId, merchantsMax),
    (merchants) => {
      saw('merchants', merchants.length)
      for (const { merchantId, transfers, events } of merchants)
        if (transfers !== events)
          fault(
            `own transfers of merchant ${merchantId}`,
            `are ${transfers} with an event, but events ${events}`,
          )
    },
  )
}
