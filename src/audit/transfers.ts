// Inspects what was notified of own transfers, and the transfer grants: what was taken by each grant equals its transfers and is at most
// what it allows; the sub-account itself gave the grant; the sub-account and its parent were both notified of it.
// Inspects what wallets/transfer.ts announces, and what wallets/give-grant.ts and wallets/family.ts decide.
import type { Sql, Tx } from '#/db/client.ts'
import { type Inspection, type Inspector, eachPage } from '#/db/inspection.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { amountToJson, toJsonInteger } from '#/kernel/money.ts'
import { comesFromSubAccount } from '#/wallets/own-transfer.ts'
import { grantFingerprint } from '#/wallets/transfer-grant.ts'
import * as grantQueries from './grants-queries.ts'
import type { NotifiedKey, NotifiedKind } from './settlement/notified.ts'
import * as queries from './wallets-queries.ts'

/**
 * Own transfers, as records of which merchants are notified: each has exactly one event for each merchant whose wallet it moved, which shows it
 * from that merchant's side. Transfers of releases before migration 0030 have no event.
 */
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

const grantsMax = 500

export const grantInspection: Inspection = { name: 'transfer grants', inspect: inspectGrants }

async function inspectGrants({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<grantQueries.GrantRow>(
    (after) => grantQueries.selectGrantRows(sql, after, grantsMax),
    (rows) => {
      inspected('transfer grants', rows.length)
      for (const row of rows) for (const what of faultsOf(row)) fault(`transfer grant ${row.id}`, what)
    },
  )
}

function faultsOf(row: grantQueries.GrantRow): readonly string[] {
  const { currency, maxMinor, takenMinor, expiresAt, description, movedMinor, moves } = row
  const fingerprint = grantFingerprint({
    currency,
    ...(maxMinor === null ? {} : { maxAmount: toJsonInteger(maxMinor) }),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
    ...(description === null ? {} : { description }),
  })
  const version = 1 + moves + (row.revokedAt === null ? 0 : 1)
  return [
    ...(row.isFamily === true ? [] : ['is to a merchant that is no parent of the sub-account']),
    ...(row.isOwnKey ? [] : ['was given by no key of the sub-account’s own']),
    ...(fingerprint.equals(row.fingerprint) ? [] : ['is not what its fingerprint says']),
    ...(movedMinor === takenMinor
      ? []
      : [`says ${takenMinor} was taken, but the transfers make ${movedMinor}`]),
    ...(maxMinor !== null && movedMinor > maxMinor
      ? [`allows ${maxMinor}, but ${movedMinor} was taken`]
      : []),
    ...(row.version === version ? [] : [`has version ${row.version} after ${version - 1} changes`]),
  ]
}

/**
 * Transfer grants, as records of which merchants are notified. Their status depends on the clock, so the events are not
 * compared with it.
 */
export const grantNotifications: NotifiedKind = {
  topic: 'transfer_grant',
  after: {
    'transfer_grant.created': { notified: [], now: [] },
    'transfer_grant.revoked': { notified: [], now: [] },
  },
  async load(tx: Tx, keys: readonly NotifiedKey[]) {
    return (await grantQueries.selectNotifiedGrants(tx, keys)).map(presentGrant)
  },
  async owed(sql: Sql, after: NotifiedKey | undefined, limit: number) {
    const rows = await grantQueries.selectGrantsOwed(sql, after, limit)
    return rows.map(({ isRevoked, ...row }) => ({
      ...row,
      status: isRevoked ? 'revoked' : 'given',
      types: ['transfer_grant.created' as const, ...(isRevoked ? (['transfer_grant.revoked'] as const) : [])],
    }))
  },
}

function presentGrant(row: grantQueries.NotifiedGrantRow) {
  const { merchantId, id, subAccountId, currency, maxMinor, takenMinor, createdAt, revokedAt } = row
  const revoked = { status: 'REVOKED', revokedAt: revokedAt?.toISOString() ?? null }
  return {
    merchantId,
    id,
    version: row.version,
    webhookUrl: null,
    always: {
      id,
      mode: row.mode,
      subAccountId: merchantId === subAccountId ? null : subAccountId,
      currency,
      maxAmount: maxMinor === null ? null : amountToJson(maxMinor),
      expiresAt: row.expiresAt?.toISOString() ?? null,
      description: row.description,
      createdAt: createdAt.toISOString(),
    },
    now: { amountTaken: amountToJson(takenMinor) },
    of: {
      'transfer_grant.created': { facts: { status: 'ACTIVE', amountTaken: 0 }, at: createdAt },
      'transfer_grant.revoked': { facts: revoked, at: revokedAt },
    },
  }
}
