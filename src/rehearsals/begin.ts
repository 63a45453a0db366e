// Begins and cancels rehearsals, for merchants of the sandbox.
import { randomInt } from 'node:crypto'
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import { minuteMs } from '#/kernel/time.ts'
import { caseNames, type CaseName } from './case-texts.ts'
import * as queries from './queries.ts'
import type { RehearsalKey } from './queries.ts'
import type { Rehearsal, RehearsalId } from './rehearsal.ts'

export const seedMax = 0xffff_ffff

/** How long a rehearsal may take. One against a receiver that answers takes less than a minute. */
const longestMs = 15 * minuteMs

/** The rehearsals of a merchant that are kept: the newest. */
const keptMax = 100

export type RehearsalRequest = {
  readonly url: string
  readonly stateUrl?: string
  /** Default: a random one. */
  readonly seed?: number
  /** Default: all. */
  readonly cases?: readonly CaseName[]
}

export type BeginResult =
  | { readonly kind: 'started'; readonly rehearsal: Rehearsal }
  /** One of the merchant's is under way. */
  | { readonly kind: 'running'; readonly id: RehearsalId }

/** Writes what belongs to the change in its transaction, such as an audit row. */
type Beside = (tx: Tx, id: RehearsalId) => Promise<void>

/** Begins a rehearsal: a worker plays it. The URLs have been checked. */
export async function beginRehearsal(
  sql: Sql,
  merchantId: MerchantId,
  request: RehearsalRequest,
  beside?: Beside,
): Promise<BeginResult> {
  const { url, stateUrl = null, seed = randomInt(seedMax + 1), cases = caseNames } = request
  const key = { merchantId, id: newId<'rehearsal'>() }
  return sql.begin(async (tx): Promise<BeginResult> => {
    const running = await queries.lockRunning(tx, merchantId)
    if (running?.status === 'RUNNING') return { kind: 'running', id: running.id }
    // Its time is over, and no worker has ended it.
    if (running !== undefined)
      await queries.endRehearsal(tx, running, { status: running.status, cases: running.cases })
    const waiting = caseNames.flatMap((name) =>
      cases.includes(name) ? [{ name, status: 'WAITING' as const, deliveries: [] }] : [],
    )
    const isFirst = await queries.insertRehearsal(
      tx,
      { ...key, url, stateUrl, seed, cases: waiting },
      { longestMs },
    )
    if (!isFirst) {
      const other = must(await queries.lockRunning(tx, merchantId), 'another one is running')
      return { kind: 'running', id: other.id }
    }
    await queries.deleteOldRehearsals(tx, merchantId, keptMax)
    await beside?.(tx, key.id)
    return { kind: 'started', rehearsal: must(await queries.selectRehearsal(tx, key), 'it was inserted') }
  })
}

/** Cancels a rehearsal that is RUNNING. Undefined: there is none. Else how it ended, by this call or before it. */
export async function cancelRehearsal(
  sql: Sql,
  key: RehearsalKey,
  beside?: Beside,
): Promise<Rehearsal | undefined> {
  return sql.begin(async (tx) => {
    if (await queries.endRehearsal(tx, key, { status: 'CANCELED' })) await beside?.(tx, key.id)
    return queries.selectRehearsal(tx, key)
  })
}
