// Strict parsers of the answers of an EVM node: quantities become bigint, data becomes lower-case hex. An answer that violates the
// execution API (github.com/ethereum/execution-apis) is an error that names the field.
import type { Hex } from 'viem'
import { ProviderError } from '#/kernel/error.ts'
import type { Address } from './address.ts'
import type { TokenUnits } from './token-units.ts'

export type BlockId = { readonly number: bigint; readonly hash: Hex }

/** A block without its transactions' bodies. */
export type Block = {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  /** Seconds since 1970, by the producer's clock. */
  readonly timestamp: bigint
  readonly receiptsRoot: Hex
  readonly txHashes: readonly Hex[]
  readonly header: Header
}

/** The fields whose hash is the block's hash: quantities without leading zeros, data unchanged. */
export type Header = Readonly<Partial<Record<HeaderField, Hex>>>

export type Log = {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly txHash: Hex
  readonly txIndex: number
  /** Position in the block, counted over all its logs. */
  readonly logIndex: number
}

export type TxReceipt = {
  /** EIP-2718; 0 for a legacy transaction. */
  readonly type: number
  readonly txHash: Hex
  readonly txIndex: number
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly succeeded: boolean
  readonly gasUsed: bigint
  readonly cumulativeGasUsed: bigint
  readonly logsBloom: Hex
  readonly logs: readonly Log[]
}

/** One movement of a token, by its Transfer event. */
export type TokenTransfer = {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  /** Can be zero: anyone can make such a transfer. */
  readonly value: TokenUnits
}

/** keccak256("Transfer(address,address,uint256)"), the first topic of every ERC-20 transfer. */
export const transferTopic: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * The header's fields in the order in which they are hashed, with their form: 'quantity', or the number of bytes of the data (0:
 * any). A fork appends to the list; the fields after `nonce` are absent on chains and blocks before their fork.
 */
export const headerFields = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 0],
  ['mixHash', 32],
  ['nonce', 8],
  ['baseFeePerGas', 'quantity'], // EIP-1559
  ['withdrawalsRoot', 32], // EIP-4895
  ['blobGasUsed', 'quantity'], // EIP-4844
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 32], // EIP-4788
  ['requestsHash', 32], // EIP-7685
] as const

type HeaderField = (typeof headerFields)[number][0]

const lastRequiredField: HeaderField = 'nonce'

/** Parses a block of eth_getBlockBy… with hashes for transactions. */
export function parseBlock(sent: unknown): Block {
  const at = fieldsOf(sent, 'block')
  const header = parseHeader(at)
  return {
    number: quantity(at, 'number'),
    hash: data(at, 'hash', 32),
    parentHash: data(at, 'parentHash', 32),
    timestamp: quantity(at, 'timestamp'),
    receiptsRoot: data(at, 'receiptsRoot', 32),
    txHashes: list(at, 'transactions').map((hash, i) => toData(hash, `${at.name}.transactions[${i}]`, 32)),
    header,
  }
}

/** Parses a log of eth_getLogs or of a receipt. Refuses a log that a reorganisation removed. */
export function parseLog(sent: unknown, name = 'log'): Log {
  const at = fieldsOf(sent, name)
  const topics = list(at, 'topics').map((topic, i) => toData(topic, `${name}.topics[${i}]`, 32))
  if (topics.length > 4) throw nonsense(`${name}.topics`, 'has more than four topics')
  if (at.fields['removed'] === true) throw nonsense(`${name}.removed`, 'is true')
  return {
    address: data(at, 'address', 20),
    topics,
    data: data(at, 'data', 0),
    blockHash: data(at, 'blockHash', 32),
    blockNumber: quantity(at, 'blockNumber'),
    txHash: data(at, 'transactionHash', 32),
    txIndex: index(at, 'transactionIndex'),
    logIndex: index(at, 'logIndex'),
  }
}

/** Parses a receipt of eth_getTransactionReceipt or eth_getBlockReceipts. */
export function parseReceipt(sent: unknown, name = 'receipt'): TxReceipt {
  const at = fieldsOf(sent, name)
  const type = at.fields['type'] === undefined ? 0 : index(at, 'type')
  if (type > 0x7f) throw nonsense(`${name}.type`, 'is over 0x7f')
  const status = quantity(at, 'status')
  if (status > 1n) throw nonsense(`${name}.status`, 'is neither 0x0 nor 0x1')
  return {
    type,
    txHash: data(at, 'transactionHash', 32),
    txIndex: index(at, 'transactionIndex'),
    blockHash: data(at, 'blockHash', 32),
    blockNumber: quantity(at, 'blockNumber'),
    succeeded: status === 1n,
    gasUsed: quantity(at, 'gasUsed'),
    cumulativeGasUsed: quantity(at, 'cumulativeGasUsed'),
    logsBloom: data(at, 'logsBloom', 256),
    logs: list(at, 'logs').map((log, i) => parseLog(log, `${name}.logs[${i}]`)),
  }
}

/**
 * Decodes a log that is an ERC-20 transfer: three topics, one word of data. Returns undefined for all others, such as an ERC-721
 * transfer, which has the same first topic but four topics. The caller decides which tokens and values count.
 */
export function decodeTransfer(log: Log): TokenTransfer | undefined {
  const [event, from, to] = log.topics
  if (event !== transferTopic || from === undefined || to === undefined) return undefined
  if (log.topics.length !== 3 || log.data.length !== 66) return undefined
  if (!isAddressWord(from) || !isAddressWord(to)) return undefined
  return { token: log.address, from: fromWord(from), to: fromWord(to), value: { raw: BigInt(log.data) } }
}

/** An address as a topic: 32 bytes, left-padded. */
export function toTopic(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
}

/** Formats a number for the execution API: hex without leading zeros. */
export function toQuantity(number: bigint): Hex {
  return `0x${number.toString(16)}`
}

/** Parses a quantity. */
export function toBigint(sent: unknown, name: string): bigint {
  if (typeof sent !== 'string' || !/^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i.test(sent))
    throw nonsense(name, 'is not a quantity')
  return BigInt(sent)
}

/** Parses data into lower case. `bytes`: its length; 0 means any. */
export function toData(sent: unknown, name: string, bytes: number): Hex {
  if (typeof sent !== 'string' || sent.length % 2 !== 0 || !/^0x[0-9a-f]*$/i.test(sent))
    throw nonsense(name, 'is not hex data')
  if (bytes !== 0 && sent.length !== 2 + 2 * bytes) throw nonsense(name, `does not have ${bytes} bytes`)
  return sent.toLowerCase() as Hex
}

/** Parses an array. */
export function toList(sent: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(sent)) throw nonsense(name, 'is not a list')
  return sent
}

type Fields = { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }

function parseHeader(at: Fields): Header {
  const header: Partial<Record<HeaderField, Hex>> = {}
  let required = true
  for (const [field, form] of headerFields) {
    const sent = at.fields[field]
    if (required || (sent !== undefined && sent !== null)) {
      header[field] = form === 'quantity' ? toQuantity(quantity(at, field)) : data(at, field, form)
    }
    if (field === lastRequiredField) required = false
  }
  return header
}

function fieldsOf(sent: unknown, name: string): Fields {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw nonsense(name, 'is not an object')
  return { name, fields: Object.fromEntries<unknown>(Object.entries(sent)) }
}

function quantity(at: Fields, field: string): bigint {
  return toBigint(at.fields[field], `${at.name}.${field}`)
}

/** Parses a quantity that is an index in one block. */
function index(at: Fields, field: string): number {
  const value = quantity(at, field)
  if (value > 0xffff_ffffn) throw nonsense(`${at.name}.${field}`, 'is too large')
  return Number(value)
}

function data(at: Fields, field: string, bytes: number): Hex {
  return toData(at.fields[field], `${at.name}.${field}`, bytes)
}

function list(at: Fields, field: string): readonly unknown[] {
  return toList(at.fields[field], `${at.name}.${field}`)
}

function isAddressWord(word: Hex): boolean {
  return word.startsWith('0x000000000000000000000000')
}

function fromWord(word: Hex): Address {
  return `0x${word.slice(26)}`
}

/** The answer violates the protocol. The outcome is unknown, because the call may have sent a transaction. */
function nonsense(name: string, fault: string): ProviderError {
  return new ProviderError('unknown', `the node's answer makes no sense: ${name} ${fault}`)
}

export const weiPerGwei = 10n ** 9n
