// Files of payments. The bytes of a file are stored in the transaction that puts payouts into it, before anyone can take the file.
// A file is handed out once, and is never made again with other content. Inspected by audit/rails/sepa-payouts.ts.
import type { Sql, Tx } from '#/db/client.ts'
import { must } from '#/kernel/check.ts'
import { hexOfUuid, newId, type ConnectionId, type Id } from '#/kernel/id.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type { StillLeaving } from '#/rails/payout-rail.ts'
import { painFile } from './pain.ts'
import { insertBatch, lockWaiting, takeBatch, type PayoutRow } from './payout-queries.ts'
import { checkSepaSettings } from './settings.ts'

/** Banks accept larger files. This limits how many payouts a refused file stops. */
const payoutsMax = 1_000

export type MadeBatch = {
  readonly id: Id<'sepa-batch'>
  readonly messageId: string
  readonly payouts: number
  readonly sumMinor: bigint
}

type Noted<Fact> = { readonly note?: (tx: Tx, fact: Fact) => Promise<void> }

export type BatchDeps = {
  readonly sql: Sql
  readonly connections: ConnectionBook
  readonly clock: Clock
  readonly stillLeaving: StillLeaving
}

/** Puts the payouts that wait on this account into one file, and stores it. Undefined: none waits. */
export function makeBatch(
  deps: BatchDeps,
  { connection, by, note }: { readonly connection: ConnectionId; readonly by: string } & Noted<MadeBatch>,
): Promise<MadeBatch | undefined> {
  const { settings, secrets } = must(deps.connections.find(connection), `no connection ${connection}`)
  const checked = checkSepaSettings(settings, secrets)
  const account = must(checked.ok ? checked.settings : undefined, `connection ${connection} is well set up`)
  return deps.sql.begin(async (tx): Promise<MadeBatch | undefined> => {
    const payments = await lockLeaving(deps, tx, connection)
    if (payments.length === 0) return undefined
    const id = newId<'sepa-batch'>()
    const messageId = hexOfUuid(id)
    const bytes = painFile(account, { messageId, at: deps.clock.now(), payments })
    const sumMinor = payments.reduce((sum, { minor }) => sum + minor, 0n)
    const made = { id, messageId, payouts: payments.length, sumMinor }
    await insertBatch(
      tx,
      { ...made, connection, bytes, madeBy: by },
      payments.map(({ reference }) => reference),
    )
    await note?.(tx, made)
    return made
  })
}

/** The payouts for one file. One that may not leave now goes on waiting, and keeps no other out of the file. */
async function lockLeaving(
  { stillLeaving }: Pick<BatchDeps, 'stillLeaving'>,
  tx: Tx,
  connection: ConnectionId,
): Promise<readonly PayoutRow[]> {
  const leaving: PayoutRow[] = []
  for (let after = ''; ;) {
    const page = await lockWaiting(tx, connection, { after, limit: payoutsMax })
    const allowed = await stillLeaving(
      tx,
      page.map(({ payoutId }) => payoutId),
    )
    leaving.push(...page.filter(({ payoutId }) => allowed.has(payoutId)))
    const last = page.at(-1)
    if (last === undefined || page.length < payoutsMax || leaving.length >= payoutsMax)
      return leaving.slice(0, payoutsMax)
    after = last.reference
  }
}

/** Hands out a file once. `write` runs before the file counts as taken: if it fails, the file can be taken again. */
export function takeFile(
  sql: Sql,
  {
    id,
    by,
    write,
  }: { readonly id: Id<'sepa-batch'>; readonly by: string; readonly write: (bytes: Buffer) => Promise<void> },
  note?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    const taken = await takeBatch(tx, id, by)
    if (taken === undefined) return false
    await note?.(tx)
    await write(taken.bytes)
    return true
  }) as Promise<boolean>
}
