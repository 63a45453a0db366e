// Inspects transfer grants:
// - what was taken by each grant equals its transfers and is at most what it allows;
// - the sub-account itself gave the grant;
// - the sub-account and its parent were both notified of it.
// Inspects what wallets/give-grant.ts and wallets/family.ts decide.
import type { Sql, Tx } from '#/db/client.ts'
import { eachPage, type Inspection, type Inspector } from '#/db/inspection.ts'
import { amountToJson, toJsonInteger } from '#/kernel/money.ts'
import { grantFingerprint } from '#/wallets/transfer-grant.ts'
import * as queries from './grants-queries.ts'
import type { NotifiedKey, NotifiedKind } from './settlement/notified.ts'

const grantsMax = 500

export const grantInspection: Inspection = { name: 'transfer grants', inspect: inspectGrants }

async function inspectGrants({ sql, inspected, fault }: Inspector): Promise<void> {
  await eachPage<queries.GrantRow>(
    (after) => queries.selectGrantRows(sql, after, grantsMax),
    (rows) => {
      inspected('transfer grants', rows.length)
      for (const row of rows) for (const what of faultsOf(row)) fault(`transfer grant ${row.id}`, what)
    },
  )
}

function faultsOf(row: queries.GrantRow): readonly string[] {
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
    return (await queries.selectNotifiedGrants(tx, keys)).map(presentOf)
  },
  async owed(sql: Sql, after: NotifiedKey | undefined, limit: number) {
    const rows = await queries.selectGrantsOwed(sql, after, limit)
    return rows.map(({ isRevoked, ...row }) => ({
      ...row,
      status: isRevoked ? 'revoked' : 'given',
      types: ['transfer_grant.created' as const, ...(isRevoked ? (['transfer_grant.revoked'] as const) : [])],
    }))
  },
}

function presentOf(row: queries.NotifiedGrantRow) {
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
