// Recomputes the chain of batches in one order: every opened account, every transfer, every event, every seal of the audit log.
// Inspects what ledger/post.ts decides.
import { eachPage, type Inspector } from '#/db/inspection.ts'
import type { KeyRing } from '#/kernel/secret.ts'
import { batchHash, genesisHash, sealsMax } from '#/ledger/chain.ts'
import { inspectAuditKeys, inspectKeyInForce, type KeyOfBatch } from './audit-keys.ts'
import { contentOf } from './batch-content.ts'
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
