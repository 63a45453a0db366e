// The hash chain over the books: each batch commits to the one before it and to every account it opened, every
// transfer it made and every event it announced. The key lies outside the database, so whoever can write the database
// alone cannot forge it.
import { createHash, createHmac } from 'node:crypto'

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

/** What the very first batch is chained to. */
export const genesisHash = Buffer.alloc(32)

/**
 * HMAC-SHA256 over the previous hash, the header, and the digest of everything in the batch, in the order of numbers
 * (events: by merchant, then sequence).
 */
export function batchHash(
  key: Buffer,
  prev: Buffer,
  header: BatchHeader,
  content: {
    readonly accounts: readonly ChainedAccount[]
    readonly transfers: readonly ChainedTransfer[]
    readonly events: readonly ChainedEvent[]
  },
): Buffer {
  const mac = createHmac('sha256', key)
  mac.update(prev).update(
    fields([
      integer(header.number),
      text(header.id),
      integer(header.transferFrom),
      integer(header.transferTo),
      integer(header.accountFrom),
      integer(header.accountTo),
      integer(BigInt(header.events)),
      integer(BigInt(header.at.getTime())),
    ]),
  )
  for (const account of content.accounts) mac.update(accountDigest(account))
  for (const transfer of content.transfers) mac.update(transferDigest(transfer))
  for (const event of inChainOrder(content.events)) mac.update(eventDigest(event))
  return mac.digest()
}

function accountDigest({ id, mode, name, currency, side, floored }: ChainedAccount): Buffer {
  return digest('account', [integer(id), text(mode), text(name), text(currency), text(side), integer(floored ? 1n : 0n)])
}

function transferDigest({ number, subject, step, kind, debit, credit, minor, cause }: ChainedTransfer): Buffer {
  return digest('transfer', [
    integer(number),
    text(subject),
    text(step),
    text(kind),
    integer(debit),
    integer(credit),
    integer(minor),
    cause,
  ])
}

function eventDigest({ merchantId, sequence, id, type, bodyHash }: ChainedEvent): Buffer {
  return digest('event', [text(merchantId), integer(sequence), text(id), text(type), bodyHash])
}

function inChainOrder(events: readonly ChainedEvent[]): readonly ChainedEvent[] {
  return events.toSorted((a, b) =>
    a.merchantId === b.merchantId ? (a.sequence < b.sequence ? -1 : 1) : a.merchantId < b.merchantId ? -1 : 1,
  )
}

function digest(what: string, parts: readonly Buffer[]): Buffer {
  return createHash('sha256').update(fields([text(what), ...parts])).digest()
}

/** Each field behind its length, so that no two lists of fields have the same bytes. */
function fields(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      return [length, part]
    }),
  )
}

function text(value: string): Buffer {
  return Buffer.from(value, 'utf8')
}

function integer(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}
