// The protocol between the signer and its clients: one JSON object a line, over a unix socket. The client starts
// with its token; requests and answers follow in any order, matched by `id`.
import {
  address,
  choice,
  decimal,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  readJson,
  ShapeError,
  textLike,
  type Reader,
} from './shape.ts'
import { readTransaction, type SignedTransaction, type Transaction } from './transaction.ts'

/** Why something is not signed. docs/signer.md says what to do about each. */
export const refusalCodes = [
  'bad_request',
  'unknown_key',
  'chain_not_allowed',
  'contract_not_allowed',
  'call_not_allowed',
  'value_not_allowed',
  'recipient_not_allowed',
  'amount_not_allowed',
  'gas_too_high',
  'fee_too_high',
  'nonce_used',
  'nonce_canceled',
  'cancel_not_allowed',
  'reference_used',
  'too_many_versions',
  'daily_cap_exceeded',
  'daily_fee_cap_exceeded',
] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** A sweep of two hundred addresses needs 13,000 characters. */
export const lineMax = 128 * 1024

/** How many bytes a client may send before its token was accepted. */
export const helloMax = 1_024

export type Request =
  | { readonly op: 'addresses' }
  | { readonly op: 'status' }
  | { readonly op: 'sign'; readonly tx: Transaction }

/** A key that the signer signs with, and where. */
export type SignerKey = {
  readonly address: `0x${string}`
  readonly purpose: 'hot' | 'treasury' | 'gas'
  readonly chainIds: readonly bigint[]
}

/** How much of its daily caps a key has used on a chain. */
export type SignerStatus = {
  readonly key: `0x${string}`
  readonly chainId: bigint
  /** The highest nonce that was signed. */
  readonly highestNonce: bigint | undefined
  /** Wei for one gas, at most. */
  readonly maxFeePerGas?: bigint | undefined
  readonly caps: readonly {
    /** A token's address, `native` or `fees`. */
    readonly what: string
    readonly spent: bigint
    readonly cap: bigint
    /** The limit for one transfer, where there is one. */
    readonly each?: bigint | undefined
  }[]
}

export type Reply =
  | { readonly kind: 'signed'; readonly signed: SignedTransaction }
  | { readonly kind: 'addresses'; readonly keys: readonly SignerKey[] }
  | { readonly kind: 'status'; readonly status: readonly SignerStatus[] }
  | {
      readonly kind: 'refused'
      readonly code: RefusalCode
      readonly reason: string
      readonly mayExist: boolean
    }
  /** Nothing was done and nothing is wrong with the request: it may be sent again later. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** Something failed on the way: it may have been signed. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** A message as a line. Numbers of any size become decimal text, which the readers below expect. */
export function writeLine(message: unknown): string {
  return `${JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`
}

const token = textLike(/^[\x21-\x7e]{16,200}$/, 'a token')
export const readHello = object({ hello: integer(1, 1), token })
export const readWelcome = object({ welcome: flag })

const id = integer(0, Number.MAX_SAFE_INTEGER)
const readAnyRequest = oneOf('op', {
  addresses: object({ id, op: choice('addresses') }),
  status: object({ id, op: choice('status') }),
  sign: object({ id, op: choice('sign'), tx: readTransaction }),
})

/** The id of a request, where it has one, and the request itself, or its fault. */
export function readRequest(
  line: string,
):
  | { readonly id: number; readonly request: Request }
  | { readonly id: number | undefined; readonly fault: string } {
  try {
    const { id, ...request } = readJson(line, readAnyRequest, 'the request')
    return { id, request }
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    return { id: idIn(line), fault: error.message }
  }
}

const hex = textLike<`0x${string}`>(/^0x[0-9a-f]+$/, 'hexadecimal')
const text = textLike(/^[^]{0,2000}$/, 'text')
const kinds = oneOf('kind', {
  signed: object({ id, kind: choice('signed'), signed: object({ raw: hex, hash: hex }) }),
  addresses: object({
    id,
    kind: choice('addresses'),
    keys: list(object({ address, purpose: choice('hot', 'treasury', 'gas'), chainIds: list(decimal()) })),
  }),
  status: object({
    id,
    kind: choice('status'),
    status: list(
      object({
        key: address,
        chainId: decimal(),
        highestNonce: optional(decimal()),
        maxFeePerGas: optional(decimal()),
        caps: list(object({ what: text, spent: decimal(), cap: decimal(), each: optional(decimal()) })),
      }),
    ),
  }),
  refused: object({
    id,
    kind: choice('refused'),
    code: choice(...refusalCodes),
    reason: text,
    mayExist: flag,
  }),
  unavailable: object({ id, kind: choice('unavailable'), reason: text }),
  unknown: object({ id, kind: choice('unknown'), reason: text }),
})

/** A reply with the id of its request. */
export const readReply: Reader<Reply & { readonly id: number }> = kinds

/**
 * Splits the bytes of a socket into lines. Returns false, from then on, when a line is longer than `max()`, counted in bytes.
 */
export function createLines(max: () => number, onLine: (line: string) => void): (chunk: Buffer) => boolean {
  let parts: Buffer[] = []
  let length = 0
  let isOver = false
  return (chunk) => {
    let rest = chunk
    while (!isOver) {
      const newline = rest.indexOf(0x0a)
      const part = newline < 0 ? rest : rest.subarray(0, newline)
      length += part.length
      isOver = length > max()
      if (isOver) break
      parts.push(part)
      if (newline < 0) return true
      const line = Buffer.concat(parts).toString()
      parts = []
      length = 0
      rest = rest.subarray(newline + 1)
      onLine(line)
    }
    parts = []
    return false
  }
}

function idIn(line: string): number | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && 'id' in value ? id(value.id, 'id') : undefined
  } catch {
    return undefined
  }
}
