// The hash chain over the books. The hash of each batch covers the batch before it, every account that it opened, every
// transfer that it made, every event that it announced and every entry of the audit log that it sealed. The key is kept outside
// of the database, so write access to the database alone is not enough to forge the chain.
import { createHmac, hash } from 'node:crypto'

export type BatchHeader = {
  readonly number: bigint
  readonly id: string
  readonly transferFrom: bigint
  readonly transferTo: bigint
  readonly accountFrom: bigint
  readonly accountTo: bigint
  readonly events: number
  readonly at: Date
}

export type ChainedAccount = {
  readonly id: bigint
  readonly mode: string
  readonly name: string
  readonly currency: string
  readonly side: string
  readonly floored: boolean
}

export type ChainedTransfer = {
  readonly number: bigint
  readonly subject: string
  readonly step: string
  readonly kind: string
  readonly debit: bigint
  readonly credit: bigint
  readonly minor: bigint
  readonly cause: Buffer
}

export type ChainedEvent = {
  readonly merchantId: string
  readonly sequence: bigint
  readonly id: string
  readonly type: string
  readonly bodyHash: Buffer
}

/** An entry of the audit log: all columns of its row. */
export type ChainedAuditEntry = {
  readonly id: string
  /** Microseconds since the beginning of 2000 (UTC) in eight bytes, as PostgreSQL sends an instant. */
  readonly at: Buffer
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly subject: string
  readonly merchantId: string | null
  /** SHA-256 of the JSON as it is stored, byte by byte. */
  readonly beforeHash: Buffer | null
  readonly afterHash: Buffer | null
  readonly reason: string | null
  readonly address: string | null
  readonly requestId: string | null
}

/** No batch seals more entries of the audit log. */
export const sealsMax = 1_000

/** The previous hash of the first batch. */
export const genesisHash = Buffer.alloc(32)

type BooksContent = {
  readonly accounts: readonly ChainedAccount[]
  readonly transfers: readonly ChainedTransfer[]
}

type EventsAndSeals = {
  readonly events: readonly ChainedEvent[]
  /** The digests of the entries of the audit log that the batch seals, in the order of their positions. */
  readonly sealed: readonly Buffer[]
}

/**
 * HMAC-SHA256 over the previous hash, the header, and the digest of everything in the batch, in the order of numbers (events:
 * by merchant, then sequence). Without seals the hash is the same as in the releases before seals.
 */
export function batchHash(
  key: Buffer,
  prev: Buffer,
  header: BatchHeader,
  { events, sealed, ...books }: BooksContent & EventsAndSeals,
): Buffer {
  return hashOfDigests(key, prev, header, { books: booksDigests(books), events, sealed })
}

/** The digests of the accounts and transfers of a batch, one after another: most of the work of its hash. */
export function booksDigests({ accounts, transfers }: BooksContent): string {
  return accounts.map(accountDigest).join('') + transfers.map(transferDigest).join('')
}

/** The same hash as `batchHash`, from digests that were computed before. */
export function hashOfDigests(
  key: Buffer,
  prev: Buffer,
  header: BatchHeader,
  content: EventsAndSeals & { readonly books: string },
): Buffer {
  const hmac = createHmac('sha256', key)
    .update(prev)
    .update(
      fields([
        header.number,
        header.id,
        header.transferFrom,
        header.transferTo,
        header.accountFrom,
        header.accountTo,
        BigInt(header.events),
        BigInt(header.at.getTime()),
      ]),
    )
    .update(content.books, 'latin1')
    .update(inChainOrder(content.events).map(eventDigest).join(''), 'latin1')
  // The header counts everything before them, so the same bytes cannot be read as other content.
  for (const each of content.sealed) hmac.update(each)
  return hmac.digest()
}

/** What the hash of the sealing batch covers of an entry. */
export function auditEntryDigest(entry: ChainedAuditEntry): Buffer {
  const { id, at, actorKind, actorId, action, subject } = entry
  const { merchantId, beforeHash, afterHash, reason, address, requestId } = entry
  const optional = [merchantId, beforeHash, afterHash, reason, address, requestId]
  const parts = ['audit', id, at, actorKind, actorId, action, subject, ...optional.flatMap(present)]
  return Buffer.from(digest(parts), 'latin1')
}

/** Nothing and an empty text differ. */
function present(part: Field | null): readonly Field[] {
  return part === null ? [0n] : [1n, part]
}

function accountDigest({ id, mode, name, currency, side, floored }: ChainedAccount): string {
  return digest(['account', id, mode, name, currency, side, floored ? 1n : 0n])
}

function transferDigest({
  number,
  subject,
  step,
  kind,
  debit,
  credit,
  minor,
  cause,
}: ChainedTransfer): string {
  return digest(['transfer', number, subject, step, kind, debit, credit, minor, cause])
}

function eventDigest({ merchantId, sequence, id, type, bodyHash }: ChainedEvent): string {
  return digest(['event', merchantId, sequence, id, type, bodyHash])
}

function inChainOrder(events: readonly ChainedEvent[]): readonly ChainedEvent[] {
  return events.toSorted((a, b) =>
    a.merchantId === b.merchantId ? (a.sequence < b.sequence ? -1 : 1) : a.merchantId < b.merchantId ? -1 : 1,
  )
}

/** Text as UTF-8, an integer as eight bytes, big end first. */
type Field = string | bigint | Buffer

/** Returns the bytes as Latin-1 text: one Buffer per digest takes nearly twice as long to create and to collect. */
function digest(parts: readonly Field[]): string {
  return hash('sha256', fields(parts), 'latin1')
}

/** Reused by every call: a batch has thousands of fields. */
let scratch = Buffer.alloc(4_096)

/** Each field after its length, so that no two lists of fields have the same bytes. Valid until the next call. */
function fields(parts: readonly Field[]): Buffer {
  let end = 0
  for (const part of parts) {
    const most = typeof part === 'bigint' ? 8 : typeof part === 'string' ? 3 * part.length : part.length
    while (end + 4 + most > scratch.length) scratch = Buffer.concat([scratch], 2 * scratch.length)
    const length = write(part, end + 4)
    scratch.writeUInt32BE(length, end)
    end += 4 + length
  }
  return scratch.subarray(0, end)
}

/** Returns the number of bytes written. */
function write(part: Field, at: number): number {
  if (typeof part === 'string') return scratch.write(part, at)
  if (typeof part === 'bigint') return scratch.writeBigInt64BE(part, at) - at
  return part.copy(scratch, at)
}
