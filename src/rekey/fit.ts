// Whether a process has the keys of its database. One that has others would answer 401 to valid API keys, open nothing that is sealed, and
// move no money, so it must not start, and must not say that it is ready.
import type { Sql, Tx } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import { must } from '#/kernel/check.ts'
import { fingerprintOf, keysOf, unseal, type KeyRing, deriveKey, firstKey } from '#/kernel/secret.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import { changeAuditKey, lockHead } from '#/ledger/queries.ts'
import type { Actor } from '#/people/audit-entry.ts'
import { writeAudit } from '#/people/audit-log.ts'
import { sealedPlaces } from './places.ts'
import * as queries from './queries.ts'
import type { UnrenewedKey } from './queries.ts'

export type OwnKeys = { readonly masterKey: KeyRing; readonly auditKey: KeyRing }

/** A key that is not the one of the database. */
export type WrongKey = { readonly name: 'VINTEM_MASTER_KEY' | 'VINTEM_AUDIT_KEY'; readonly why: string }

/** The first key of a process that does not fit its database; undefined when both fit, or when there is nothing of theirs yet. */
async function wrongKeyOf(
  sql: Sql,
  cell: string,
  { masterKey, auditKey }: OwnKeys,
): Promise<WrongKey | undefined> {
  const [isInForce, secrets, ofHead] = await Promise.all([
    hasMasterInForce(sql, masterKey),
    queries.selectOuterSecrets(sql),
    queries.selectHeadKey(sql, cell),
  ])
  if (!isInForce) return { name: 'VINTEM_MASTER_KEY', why: 'is not the key in force' }
  // In the middle of a change some are sealed under the one key and some under the other.
  if (secrets.length > 0 && !secrets.some((each) => opens(masterKey, each)))
    return {
      name: 'VINTEM_MASTER_KEY',
      why: 'is not the key of this database: it opens nothing that is sealed',
    }
  if (ofHead !== undefined && !keysOf(auditKey).some((each) => fingerprintOf(each).equals(ofHead)))
    return { name: 'VINTEM_AUDIT_KEY', why: 'is not the audit key of this database' }
  return undefined
}

/** Throws a StartError in place of work with keys of another database. */
export async function confirmKeys(sql: Sql, cell: string, keys: OwnKeys): Promise<void> {
  const wrong = await wrongKeyOf(sql, cell, keys)
  if (wrong === undefined) return
  throw new StartError(
    `${wrong.name} ${wrong.why}.`,
    'Set the key that the other processes have, the same for every process: docs/operating.md, "Changing keys".',
  )
}

function opens(masterKey: KeyRing, { id, secret }: queries.OuterSecret): boolean {
  const merchants = must(sealedPlaces[0], 'the first place is that of merchants')
  try {
    unseal(merchants.keyOf(masterKey), merchants.placeOf(id), secret)
    return true
  } catch {
    return false
  }
}

/** For so long an answer is used again. */
const freshMs = secondMs

/** Asks the database whether these are its keys, at most once a second. */
export function createFit(sql: Sql, cell: string, keys: OwnKeys): () => Promise<WrongKey | undefined> {
  let last: { readonly atMs: number; readonly answer: Promise<WrongKey | undefined> } | undefined
  return () => {
    if (last === undefined || monotonicMs() - last.atMs > freshMs)
      last = { atMs: monotonicMs(), answer: wrongKeyOf(sql, cell, keys) }
    return last.answer
  }
}

// Which keys are in force, as `./vintem rekey` recorded it: the database has only their fingerprints.

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
async function hasMasterInForce(sql: Sql, masterKey: KeyRing): Promise<boolean> {
  const inForce = await queries.selectKeyInForce(sql, 'MASTER')
  return inForce === undefined || keysOf(masterKey).some((each) => fingerprintOf(each).equals(inForce))
}

/**
 * - `changed`: the next batch is the first of the new key.
 * - `unchanged`: the key was in force before.
 * - `missing`: the present key in force is not one of ours, and nothing was changed.
 */
type AuditKeyChange = 'changed' | 'unchanged' | 'missing'

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
