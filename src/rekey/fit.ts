// Whether a process has the keys of its database. One that has others would answer 401 to valid API keys, open nothing that is sealed, and
// move no money, so it must not start, and must not say that it is ready.
import type { Sql } from '#/db/client.ts'
import { StartError } from '#/db/failure.ts'
import { must } from '#/kernel/check.ts'
import { fingerprintOf, keysOf, unseal, type KeyRing } from '#/kernel/secret.ts'
import { monotonicMs, secondMs } from '#/kernel/time.ts'
import { hasMasterInForce } from './in-force.ts'
import { sealedPlaces } from './places.ts'
import * as queries from './queries.ts'

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
