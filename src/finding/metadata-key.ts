// The keys of metadata by which a merchant finds payments and withdrawals: at most five, declared as one list. A worker fills in the
// records that existed before (fill.ts). Until it is done, a search by the key is refused, so no answer is ever incomplete.
import type { Sql, Tx } from '#/db/client.ts'
import { AppError } from '#/kernel/error.ts'
import { firstIdAt, timeOfId, type MerchantId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { metadataResources, type MetadataResource, type WantedValue } from './metadata-value.ts'
import * as queries from './queries.ts'
import type { KeyRow } from './queries.ts'

/** No transaction that writes a record lasts this long, in whichever release. */
export const settledMs = minuteMs

/** The most keys of a merchant whose values still have to be deleted. */
const retiredMax = 10

/** A key as the merchant sees it. */
export type MetadataKey = {
  readonly key: string
  readonly status: 'FILLING' | 'READY'
  readonly declaredAt: Date
  /** FILLING: records that were created before this instant are filled in. Absent: none yet. */
  readonly filledUntil?: Date
}

/** The keys that a merchant has declared, in the order of their declaration. */
export async function listMetadataKeys(sql: Sql, merchantId: MerchantId): Promise<readonly MetadataKey[]> {
  return shown(await queries.selectKeys(sql, merchantId))
}

/**
 * Makes these the merchant's keys: new ones are filled in, the values of missing ones are deleted. 409 while the values of too many earlier
 * keys are still being deleted; then nothing has changed. `beside`: what is written in the same transaction when the list changes.
 */
export async function declareMetadataKeys(
  sql: Sql,
  merchantId: MerchantId,
  names: readonly string[],
  beside?: (tx: Tx) => Promise<void>,
): Promise<readonly MetadataKey[]> {
  const rows = await sql.begin(async (tx) => {
    await queries.lockKeys(tx, merchantId)
    const before = await queries.selectKeys(tx, merchantId)
    const declared = before.filter(isDeclared)
    const gone = declared.filter(({ name }) => !names.includes(name))
    const retired = before.length - declared.length + gone.length
    if (gone.length > 0 && retired > retiredMax * metadataResources.length) throw tooManyRetired()
    const fresh = names.filter((name) => !declared.some((each) => each.name === name))
    if (gone.length > 0)
      await queries.retireKeys(
        tx,
        merchantId,
        gone.map(({ id }) => id),
        settledMs,
      )
    if (fresh.length > 0)
      await queries.insertKeys(
        tx,
        merchantId,
        fresh.flatMap((name) => metadataResources.map((resource) => ({ resource, name }))),
      )
    if (gone.length + fresh.length > 0) await beside?.(tx)
    return queries.selectKeys(tx, merchantId)
  })
  return shown(rows)
}

function tooManyRetired(): AppError {
  const detail =
    'Too many keys that were taken from the list are still being cleared away. Try again in some minutes.'
  return new AppError('invalid_state', detail)
}

function isDeclared({ status }: KeyRow): boolean {
  return status !== 'REMOVING'
}

function shown(rows: readonly KeyRow[]): readonly MetadataKey[] {
  return [...Map.groupBy(rows.filter(isDeclared), ({ name }) => name)].map(([key, parts]) => {
    const filling = parts.filter(({ status }) => status === 'FILLING')
    const declaredAt = parts.map(({ changedAt }) => changedAt).reduce((a, b) => (a < b ? a : b))
    if (filling.length === 0) return { key, status: 'READY', declaredAt }
    // A part that has not begun has no position: only parts that have begun report how far they are.
    const reached = filling.flatMap(({ filledTo }) => (filledTo === null ? [] : [filledTo])).toSorted()[0]
    return {
      key,
      status: 'FILLING',
      declaredAt,
      ...(reached === undefined ? {} : { filledUntil: timeOfId(reached) }),
    }
  })
}

/**
 * The declared keys of these values. 400 when one is not declared, with a text that says what to do. 409 while one is being filled in,
 * because a search would silently miss older records.
 */
export async function requireMetadataKeys(
  sql: Sql,
  merchantId: MerchantId,
  resource: MetadataResource,
  values: Readonly<Record<string, string>>,
): Promise<readonly WantedValue[]> {
  const rows = (await queries.selectKeys(sql, merchantId)).filter(
    (each) => isDeclared(each) && each.resource === resource,
  )
  return Object.entries(values).map(([name, value]) => {
    const found = rows.find((each) => each.name === name)
    if (found === undefined) throw notDeclared(name)
    if (found.status === 'FILLING') throw stillFilling(found)
    return { merchantId, keyId: found.id, name, value }
  })
}

function notDeclared(name: string): AppError {
  const message = `has the key ${JSON.stringify(name)}, which is not declared: add it with PUT /v1/metadata-keys`
  const faults = [{ pointer: '/metadata', code: 'not_declared', message }]
  return new AppError('invalid_request', `metadata ${message}.`, { faults })
}

function stillFilling({ name, filledTo }: KeyRow): AppError {
  const detail = `Earlier records are still being filled in under the metadata key ${JSON.stringify(name)}. Try again later: GET /v1/metadata-keys says how far it is.`
  const extra = filledTo === null ? {} : { filledUntil: timeOfId(filledTo).toISOString() }
  return new AppError('invalid_state', detail, { extra: { metadataKey: name, ...extra } })
}

/** Records with ids before this one were written before the declaration, unless their process had a clock that was minutes slow. */
export function earlyEnd(declaredAt: Date): string {
  return firstIdAt(new Date(declaredAt.getTime() - 10 * minuteMs))
}
