// Recomputes the chain of batches in one order: every opened account, every transfer, every event, every seal of the audit log.
// Inspects what ledger/post.ts and rekey/fit.ts decide.
import type { Sql } from '#/db/client.ts'
import { type Inspector, eachPage } from '#/db/inspection.ts'
import { type KeyRing, fingerprintOf, firstKey, keysOf } from '#/kernel/secret.ts'
import { batchHash, genesisHash, sealsMax } from '#/ledger/chain.ts'
import * as queries from './ledger-queries.ts'

/** Limits: batches per query, and rows of theirs in memory at once. A single batch may have more rows. */
const batchesMax = 200
const rowsMax = 5_000
/** No batch is larger: a header that claims more was not written by us. */
const contentMax = 1_000_000n

type Previous = Pick<queries.BatchRow, 'number' | 'transferTo' | 'accountTo' | 'hash'> & {
  readonly at?: Date
}

const beginning: Previous = { number: 0n, transferTo: 0n, accountTo: 0n, hash: genesisHash }

/**
 * Batches are numbered without gaps, each contains the hash of the one before it, and each hash is the one that the audit key
 * of that time makes.
 */
export async function inspectChain(inspector: Inspector, auditKey: KeyRing): Promise<void> {
  const { sql, upTo } = inspector
  const keyOf = await inspectAuditKeys(inspector, auditKey)
  let previous = beginning
  await eachPage<queries.BatchRow>(
    async (after) =>
      firstBatches(await queries.selectBatches(sql, after?.number ?? 0n, upTo.batch, batchesMax)),
    async (batches) => {
      for (const batch of batches) {
        inspectLink(inspector, previous, batch)
        previous = batch
      }
      await inspectContent(inspector, keyOf, batches)
    },
  )
  if (previous.number !== upTo.batch)
    inspector.fault(`batch ${upTo.batch}`, 'is missing at the end of the chain')
  else if (upTo.batch > 0n && !previous.hash.equals(upTo.hash)) {
    inspector.fault(`batch ${upTo.batch}`, 'changed while it was read')
  }
}

/** The first batches whose rows may be in memory at once; at least one. */
function firstBatches(batches: readonly queries.BatchRow[]): readonly queries.BatchRow[] {
  let rows = 0n
  const first = batches.filter((batch, index) => {
    rows += sizeOf(batch)
    return index === 0 || rows <= rowsMax
  })
  return first
}

function sizeOf(batch: queries.BatchRow): bigint {
  const { transferFrom, transferTo, accountFrom, accountTo, events, seals } = batch
  return transferTo - transferFrom + accountTo - accountFrom + BigInt(events) + seals
}

function inspectLink({ fault }: Inspector, previous: Previous, batch: queries.BatchRow): void {
  const row = `batch ${batch.number}`
  if (batch.number !== previous.number + 1n) return fault(`batch ${previous.number + 1n}`, 'is missing')
  if (!batch.prev.equals(previous.hash)) fault(row, 'does not name the hash of the batch before it')
  if (batch.transferFrom !== previous.transferTo)
    fault(row, `counts transfers from ${batch.transferFrom}, not ${previous.transferTo}`)
  if (batch.accountFrom !== previous.accountTo)
    fault(row, `counts accounts from ${batch.accountFrom}, not ${previous.accountTo}`)
  if (previous.at !== undefined && batch.at < previous.at) fault(row, 'is earlier than the batch before it')
  if (!batch.isWhole) fault(row, 'has an instant that is finer than a millisecond')
}

async function inspectContent(
  inspector: Inspector,
  keyOf: KeyOfBatch,
  batches: readonly queries.BatchRow[],
): Promise<void> {
  const plausible = batches.filter((batch) => sizeOf(batch) <= contentMax && batch.seals <= sealsMax)
  for (const batch of batches) {
    if (!plausible.includes(batch))
      inspector.fault(`batch ${batch.number}`, 'claims more rows than a batch can hold')
  }
  const [first] = plausible
  const last = plausible.at(-1)
  if (first === undefined || last === undefined) return

  const limit = plausible.reduce((sum, batch) => sum + sizeOf(batch), 1n)
  const { accounts, transfers, events, seals } = await contentOf(inspector.sql, first, last, limit)
  const eventsOf = Map.groupBy(events, (event) => event.batch)
  const sealsOf = Map.groupBy(seals, (seal) => seal.batch)
  for (const batch of plausible) {
    inspectHash(inspector, keyOf(batch.number), batch, {
      accounts: accounts.filter(({ id }) => id > batch.accountFrom && id <= batch.accountTo),
      transfers: transfers.filter(({ number }) => number > batch.transferFrom && number <= batch.transferTo),
      events: eventsOf.get(batch.number) ?? [],
      seals: sealsOf.get(batch.number) ?? [],
    })
  }
}

type Content = {
  readonly accounts: readonly queries.BatchAccount[]
  readonly transfers: readonly queries.BatchTransfer[]
  readonly events: readonly queries.BatchEvent[]
  readonly seals: readonly queries.BatchSeal[]
}

function inspectHash(
  { fault, inspected }: Inspector,
  auditKey: Buffer | undefined,
  batch: queries.BatchRow,
  content: Content,
): void {
  const { accounts, transfers, events, seals } = content
  const sealed = seals.map(({ digest }) => digest)
  const row = `batch ${batch.number}`
  inspected('batches', 1)
  inspected('accounts', accounts.length)
  inspected('transfers', transfers.length)
  inspected('events', events.length)
  inspected('seals', seals.length)
  for (const account of accounts) {
    if (account.batch !== batch.number)
      fault(`account ${account.id}`, `says batch ${account.batch}, but ${row} opened it`)
  }
  for (const transfer of transfers) {
    if (transfer.batch !== batch.number)
      fault(`transfer ${transfer.number}`, `says batch ${transfer.batch}, but ${row} made it`)
  }
  if (seals.some(({ position }, index) => position !== index + 1))
    fault(row, `has ${seals.length} seals of audit entries, which are not numbered from 1 on`)
  const missing = [
    lacks('transfers', batch.transferTo - batch.transferFrom, transfers.length),
    lacks('accounts', batch.accountTo - batch.accountFrom, accounts.length),
    lacks('events', BigInt(batch.events), events.length),
  ].filter((each) => each !== undefined)
  if (missing.length > 0) fault(row, `holds ${missing.join(' and ')}`)
  // A key that is not given is a fault of its own.
  else if (
    auditKey !== undefined &&
    !batchHash(auditKey, batch.prev, batch, { ...content, sealed }).equals(batch.hash)
  ) {
    fault(row, 'has another hash than its accounts, transfers, events, seals and header make')
  }
}

function lacks(what: string, expected: bigint, found: number): string | undefined {
  return expected === BigInt(found) ? undefined : `${found} ${what} instead of ${expected}`
}

/** The head is where the chain ends, and nothing lies outside of it. */
export async function inspectEnd({ sql, cell, fault, inspected }: Inspector): Promise<void> {
  const { head, last, strays, foreign, auditKey } = await queries.selectEnd(sql, cell)
  for (const stray of strays) fault(stray, 'has a number that no batch gave')
  for (const other of foreign) fault(other, 'is a second head: a database belongs to one cell')
  if (head === null) return fault(`head ${cell}`, 'is missing')
  inspected('heads', 1)
  await inspectKeyInForce({ sql, fault }, head.batch, auditKey)
  const end = last ?? { batch: 0n, transfer: 0n, account: 0n, hash: genesisHash, at: undefined }
  const differing = (['batch', 'transfer', 'account'] as const).filter((name) => head[name] !== end[name])
  for (const name of differing)
    fault(`head ${cell}`, `says ${name} ${head[name]}, the last batch ${end[name]}`)
  if (!head.hash.equals(end.hash)) fault(`head ${cell}`, 'does not have the hash of the last batch')
  if (end.at !== undefined && head.at.getTime() !== end.at.getTime())
    fault(`head ${cell}`, 'does not have the instant of the last batch')
}

// Which audit key made which batches. The table that says so is only a hint: the hash of a batch must be the one that the key of its
// range makes.

/** The key that made a batch; undefined: it is not given. */
type KeyOfBatch = (number: bigint) => Buffer | undefined

/**
 * Names each key that is needed and was not given. The newest range must belong to the first key: otherwise the owner of an
 * earlier key could also write the newest batches.
 */
async function inspectAuditKeys(
  { sql, upTo, fault }: Pick<Inspector, 'sql' | 'upTo' | 'fault'>,
  auditKey: KeyRing,
): Promise<KeyOfBatch> {
  const rows = await queries.selectAuditKeys(sql)
  if (rows.length === 0) return () => keysOf(auditKey).at(-1)
  const given = new Map(keysOf(auditKey).map((key) => [nameOf(fingerprintOf(key)), key]))
  const [first] = rows
  if (first !== undefined && first.firstBatch !== 1n)
    fault('audit key', `of batches 1 to ${first.firstBatch - 1n} is not named`)
  const ranges = rows.map(({ firstBatch, fingerprint }, index) => {
    const last = (rows[index + 1]?.firstBatch ?? upTo.batch + 1n) - 1n
    const key = given.get(nameOf(fingerprint))
    if (key === undefined && firstBatch <= upTo.batch && firstBatch <= last)
      fault(
        `audit key ${nameOf(fingerprint)}`,
        `made batches ${firstBatch} to ${last < upTo.batch ? last : upTo.batch} and is not given: add it to VINTEM_AUDIT_KEY_PREVIOUS`,
      )
    return { firstBatch, key }
  })
  const newest = ranges.at(-1)
  if (newest?.key !== undefined && !newest.key.equals(firstKey(auditKey)))
    fault('audit key', 'in force is an earlier one than VINTEM_AUDIT_KEY: run ./vintem rekey')
  return (number) => ranges.findLast(({ firstBatch }) => firstBatch <= number)?.key
}

/** The head names the newest key, and a batch was made with it. */
async function inspectKeyInForce(
  { sql, fault }: Pick<Inspector, 'sql' | 'fault'>,
  headBatch: bigint,
  ofHead: Buffer | null,
): Promise<void> {
  const newest = (await queries.selectAuditKeys(sql)).at(-1)
  if (newest === undefined) return
  if (ofHead === null || !newest.fingerprint.equals(ofHead))
    fault('audit key', 'of the head is not the newest one')
  if (newest.firstBatch > 1n && newest.firstBatch > headBatch)
    fault(`audit key ${nameOf(newest.fingerprint)}`, 'has made no batch yet: run ./vintem rekey again')
}

/**
 * Whether the last key of the ring made the newest batch. True when the database records which key did, or when there is no
 * batch.
 */
export async function newestBatchFits(sql: Sql, cell: string, auditKey: KeyRing): Promise<boolean> {
  if ((await queries.selectAuditKeys(sql)).length > 0) return true
  const number = (await queries.selectCut(sql, cell))?.batch ?? 0n
  const [batch] = number === 0n ? [] : await queries.selectBatches(sql, number - 1n, number, 1)
  const key = keysOf(auditKey).at(-1)
  if (batch === undefined || key === undefined) return true
  const { seals, ...content } = await contentOf(sql, batch, batch, contentMax + 1n)
  const sealed = seals.map(({ digest }) => digest)
  return batchHash(key, batch.prev, batch, { ...content, sealed }).equals(batch.hash)
}

function nameOf(fingerprint: Buffer): string {
  return fingerprint.toString('hex')
}

/** What these batches hold, from the first to the last, as their hashes cover it. */
async function contentOf(sql: Sql, first: queries.BatchRow, last: queries.BatchRow, limit: bigint) {
  const numbers = { from: first.number, to: last.number }
  const [accounts, transfers, events, seals] = await Promise.all([
    queries.selectBatchAccounts(sql, { from: first.accountFrom, to: last.accountTo }, limit),
    queries.selectBatchTransfers(sql, { from: first.transferFrom, to: last.transferTo }, limit),
    queries.selectBatchEvents(sql, numbers, limit),
    queries.selectBatchSeals(sql, numbers, limit),
  ])
  return { accounts, transfers, events, seals }
}
