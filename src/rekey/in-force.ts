// Which keys are in force, as `./vintem rekey` recorded it: the database has only their fingerprints.
import type { Sql, Tx } from '#/db/client.ts'
import { deriveKey, fingerprintOf, firstKey, keysOf, type KeyRing } from '#/kernel/secret.ts'
import { changeAuditKey, lockHead } from '#/ledger/queries.ts'
import type { Actor } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import * as queries from './queries.ts'
import type { UnrenewedKey } from './queries.ts'

/**
 * Puts the first master key in force: from now on digests of API keys are renewed. Returns true when it was not in force
 * before.
 */
export function putMasterInForce({
  sql,
  masterKey,
  by,
}: {
  readonly sql: Sql
  readonly masterKey: KeyRing
  readonly by: Actor
}): Promise<boolean> {
  const fingerprint = fingerprintOf(firstKey(masterKey))
  return sql.begin(async (tx): Promise<boolean> => {
    const isNew = await queries.writeKeyInForce(tx, 'MASTER', fingerprint)
    await queries.writeKeyInForce(tx, 'API_KEYS', fingerprintOf(firstKey(deriveKey(masterKey, 'api keys'))))
    if (isNew) await note(tx, by, 'master-key.change', fingerprint)
    return isNew
  })
}

/** Whether this process may run: no master key was put in force, or it is one of ours. */
export async function hasMasterInForce(sql: Sql, masterKey: KeyRing): Promise<boolean> {
  const inForce = await queries.selectKeyInForce(sql, 'MASTER')
  return inForce === undefined || keysOf(masterKey).some((each) => fingerprintOf(each).equals(inForce))
}

/**
 * - `changed`: the next batch is the first of the new key.
 * - `unchanged`: the key was in force before.
 * - `missing`: the present key in force is not one of ours, and nothing was changed.
 */
export type AuditKeyChange = 'changed' | 'unchanged' | 'missing'

/**
 * Puts the first audit key in force, between two batches. `isLost`: do so although the present key in force was not given; then
 * the batches until now cannot be checked any more.
 */
export function putAuditKeyInForce({
  sql,
  cell,
  auditKey,
  by,
  isLost,
}: {
  readonly sql: Sql
  readonly cell: string
  readonly auditKey: KeyRing
  readonly by: Actor
  readonly isLost: boolean
}): Promise<AuditKeyChange> {
  const keys = keysOf(auditKey).map(fingerprintOf)
  const fingerprint = fingerprintOf(firstKey(auditKey))
  return sql.begin(async (tx): Promise<AuditKeyChange> => {
    const head = await lockHead(tx, cell)
    const inForce = head.auditKey ?? keys.at(-1)
    if (head.auditKey?.equals(fingerprint) === true) return 'unchanged'
    const isOurs = inForce !== undefined && keys.some((each) => each.equals(inForce))
    if (!isOurs && !isLost) return 'missing'
    await changeAuditKey(tx, cell, head, { before: inForce, fingerprint })
    await note(tx, by, 'audit-key.change', fingerprint)
    return 'changed'
  })
}

/** What only a use of the key, or its owner, can renew. At most `limit` of each. */
export async function listUnrenewed(
  sql: Sql,
  masterKey: KeyRing,
  limit: number,
): Promise<{ readonly keys: readonly UnrenewedKey[]; readonly users: readonly string[] }> {
  const pepper = fingerprintOf(firstKey(deriveKey(masterKey, 'api keys')))
  const ofPeople = fingerprintOf(firstKey(deriveKey(masterKey, 'people')))
  const [keys, users] = await Promise.all([
    queries.selectUnrenewedKeys(sql, pepper, limit),
    queries.selectUsersOfOldCodes(sql, ofPeople, limit),
  ])
  return { keys, users: users.map(({ email }) => email) }
}

function note(tx: Tx, by: Actor, action: string, fingerprint: Buffer): Promise<void> {
  const after = { fingerprint: fingerprint.toString('hex') }
  return writeAudit(tx, [{ actor: by, action, subject: action.replace('.change', ':1'), after }])
}
