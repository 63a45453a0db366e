// An EVM transaction as a client requests it and as the journal keeps it.
import { hash } from 'node:crypto'
import {
  address,
  bytes,
  decimal,
  object,
  optional,
  safeMax,
  ShapeError,
  textLike,
  type Address,
  type Hex,
  type Reader,
} from './shape.ts'

/** A transaction with EIP-1559 fees, or with the one price of a legacy transaction (EIP-155). All in wei. */
export type Fees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint }

export type Transaction = {
  /** The address of the key that signs. */
  readonly key: Address
  readonly chainId: bigint
  readonly nonce: bigint
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: Hex
  readonly gas: bigint
  readonly fees: Fees
  /**
   * The caller's name of what the transaction is for: the id of a withdrawal or of a sweep. It belongs to one nonce for ever, so
   * that nothing is paid twice under two nonces.
   */
  readonly reference: string
}

export type SignedTransaction = {
  /** In the form of eth_sendRawTransaction. */
  readonly raw: Hex
  readonly hash: Hex
}

const fields = {
  key: address,
  chainId: decimal(safeMax),
  nonce: decimal(safeMax),
  to: address,
  value: decimal(),
  // More than two hundred forwarders in one sweep, less than one line of the journal may hold.
  data: bytes(32_768),
  gas: decimal(safeMax),
  maxFeePerGas: optional(decimal()),
  maxPriorityFeePerGas: optional(decimal()),
  gasPrice: optional(decimal()),
  reference: textLike(/^[\x21-\x7e]{1,200}$/, '1 to 200 printable characters without blanks'),
}
const readFields = object(fields)

/** Reads a transaction as JSON carries it: numbers as decimal text. */
export const readTransaction: Reader<Transaction> = (value, at) => {
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice, ...rest } = readFields(value, at)
  if (gasPrice !== undefined && maxFeePerGas === undefined && maxPriorityFeePerGas === undefined)
    return { ...rest, fees: { gasPrice } }
  if (gasPrice !== undefined || maxFeePerGas === undefined || maxPriorityFeePerGas === undefined)
    throw new ShapeError(`${at} needs either gasPrice, or maxFeePerGas and maxPriorityFeePerGas`)
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw new ShapeError(`${at}.maxPriorityFeePerGas is over maxFeePerGas`)
  return { ...rest, fees: { maxFeePerGas, maxPriorityFeePerGas } }
}

/** The fields of `readTransaction`, for JSON. */
export function writeTransaction({ fees, ...rest }: Transaction): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries({ ...rest, ...fees }).map(([name, value]) => [name, String(value)]),
  )
}

/** What a transaction does, without its cost: the same for every replacement of it. */
export function payloadOf({ to, value, data }: Transaction): string {
  return hash('sha256', `${to}/${value}/${data}`, 'base64')
}

/** What may differ between replacements. */
export function feesKeyOf({ gas, fees }: Transaction): string {
  return 'gasPrice' in fees
    ? `${gas}/${fees.gasPrice}`
    : `${gas}/${fees.maxFeePerGas}/${fees.maxPriorityFeePerGas}`
}

/** Wei per gas, at most. */
export function feePerGasOf({ fees }: Transaction): bigint {
  return 'gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas
}

/** Whether it moves nothing and calls nothing: such a transaction replaces another one, or fills a gap. */
export function isCancel({ key, to, value, data }: Transaction): boolean {
  return to === key && value === 0n && data === '0x'
}
