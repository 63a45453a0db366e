// Inspects the events about shares: the newest event shows the share as it is, and each sub-account that got a share or gave
// one back was notified. Several movements in one batch make one event.
// Inspects what payments/shares.ts announces.
import type { Sql, Tx } from '#/db/client.ts'
import { amountToJson } from '#/kernel/money.ts'
import type { NotifiedKey, NotifiedKind } from './settlement/notified.ts'
import * as queries from './settlement/split-queries.ts'

/** Shares, as records of which sub-accounts are notified. */
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
