// One line of an issuance log: what was about to be given to a payer, and for which attempt. A line has about 130 bytes because
// ids are packed. A checksum shows whether a line is whole.
import { crc32 } from 'node:zlib'
import { isUuid, type AttemptId, type ConnectionId, type MerchantId, type PaymentId } from '#/kernel/id.ts'
import { canonicalJson } from '#/kernel/json.ts'
import { isCurrency, type Money } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Attempt } from '#/rails/attempt.ts'
import type { Method } from '#/rails/method.ts'
import { methods } from '#/rails/methods.ts'

/** One attempt that was about to be payable. */
export type Issued = {
  readonly at: Date
  readonly attempt: Attempt
  /** The provider's own name of it, where our reference does not find it there. */
  readonly name?: string
}

/**
 * Identifies the books that a log belongs to: the cell, and the first merchant. The first batch would identify them too, but
 * payers get addresses before there is one.
 */
export type Books = { readonly cell: string; readonly first: MerchantId }

const version = '1'

/** The first line of a file, with its end. */
export function headerOf({ cell, first }: Books): string {
  return seal(`vintem-issuance ${version} ${cell} ${first}`)
}

/** Returns the books that a first line names; undefined: it is no first line of such a file. */
export function parseHeader(line: string): Books | undefined {
  const [, cell = '', first = ''] =
    /^vintem-issuance 1 ([a-z0-9]{2}) ([0-9a-f-]{36})$/.exec(unseal(line) ?? '') ?? []
  return isUuid(first) ? { cell, first: first as MerchantId } : undefined
}

/** The line, with its end. */
export function lineOf({ at, attempt, name }: Issued): string {
  const { id, merchantId, paymentId, method, connection, amount } = attempt
  const parts = [
    version,
    at.getTime().toString(36),
    pack(merchantId),
    pack(paymentId),
    pack(id),
    method,
    packConnection(connection),
    `${amount.minor}${amount.currency}`,
    ...(name === undefined ? [] : [encodeURIComponent(name)]),
  ]
  return seal(parts.join(' '))
}

/** Parses a line, without its end. Undefined: it is incomplete, changed, or of another version. */
export function parseLine(line: string): Issued | undefined {
  const parts = unseal(line)?.split(' ') ?? []
  if (parts.length < 8 || parts.length > 9 || parts[0] !== version) return undefined
  const [, at = '', merchant = '', payment = '', id = '', method = '', connection = '', amount = '', name] =
    parts
  const money = moneyIn(amount)
  const ids = [merchant, payment, id].map(unpack)
  if (money === undefined || !isMethod(method) || !ids.every(isUuid)) return undefined
  const [merchantId, paymentId, attemptId] = ids as [MerchantId, PaymentId, AttemptId]
  return {
    at: new Date(Number.parseInt(at, 36)),
    attempt: {
      id: attemptId,
      merchantId,
      paymentId,
      method,
      connection: unpackConnection(connection),
      amount: money,
    },
    ...(name === undefined ? {} : { name: decodeURIComponent(name) }),
  }
}

function moneyIn(text: string): Money | undefined {
  const [, minor = '', currency = ''] = /^(\d{1,19})([A-Z]{3,5})$/.exec(text) ?? []
  return isCurrency(currency) ? { minor: BigInt(minor), currency } : undefined
}

function isMethod(text: string): text is Method {
  return methods.some((each) => each === text)
}

function seal(text: string): string {
  return `${text} ${checkOf(text)}\n`
}

function unseal(line: string): string | undefined {
  const end = line.lastIndexOf(' ')
  const text = line.slice(0, Math.max(end, 0))
  return line.slice(end + 1) === checkOf(text) ? text : undefined
}

function checkOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/** The 16 bytes of a UUID as 22 characters. */
function pack(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
}

function unpack(text: string): string {
  const digits = Buffer.from(text, 'base64url').toString('hex')
  const cuts = [0, 8, 12, 16, 20, 32]
  return cuts
    .slice(1)
    .map((to, index) => digits.slice(cuts[index], to))
    .join('-')
}

/** A connection is `{cell}-{uuid}`; a name of another form is kept as it is. */
function packConnection(id: ConnectionId): string {
  const isUsual = /^[a-z0-9]{2}-/.test(id) && isUuid(id.slice(3))
  return isUsual ? id.slice(0, 2) + pack(id.slice(3)) : `=${encodeURIComponent(id)}`
}

function unpackConnection(text: string): ConnectionId {
  const id = text.startsWith('=')
    ? decodeURIComponent(text.slice(1))
    : `${text.slice(0, 2)}-${unpack(text.slice(2))}`
  return id as ConnectionId
}

// The digest of a page of lost attempts, as the audit log keeps it. The chain seals that entry, so a row that is changed, added
// or removed afterwards is found (audit/restores.ts).

/** What never changes of a lost attempt. */
type DigestedRow = {
  readonly merchantId: string
  readonly paymentId: string
  readonly attemptId: string
  readonly epoch: number
  readonly method: string
  readonly connection: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly issuedAt: Date
}

/** In hex, whatever the order of the rows. */
export function digestOf(rows: readonly DigestedRow[]): string {
  const texts = rows.map((row) =>
    canonicalJson([
      row.merchantId,
      row.paymentId,
      row.attemptId,
      row.epoch,
      row.method,
      row.connection,
      String(row.amountMinor),
      row.currency,
      row.issuedAt.toISOString(),
    ]),
  )
  return sha256(texts.sort().join('\n')).toString('hex')
}
