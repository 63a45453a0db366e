// A thin JSON-RPC client for one EVM node: one request for each call, no retries, no batches. It uses node:http instead of fetch,
// because that shows whether the request was sent before an error.
// No error text contains a raw transaction, or the URL's path, query or credentials, which hold the keys of providers.
import * as http from 'node:http'
import * as https from 'node:https'
import type { Hex } from 'viem'
import { invariant } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import type { Address } from './address.ts'
import * as wire from './wire.ts'

/** The block of a call. A bigint is a height, at which another block may be later. */
export type BlockTag = bigint | 'latest' | 'safe' | 'finalized' | 'earliest'

/** Selects logs of one block by its hash (EIP-234), so that the answer cannot mix two branches. */
export type LogFilter = {
  readonly blockHash: Hex
  readonly address?: Address | readonly Address[]
  readonly topics?: readonly (Hex | readonly Hex[] | null)[]
}

/** A transaction that the node signs with its own key: sandbox nodes only. */
export type UnlockedTx = {
  readonly from: Address
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint
  readonly gasPrice?: bigint
}

/** Every function rejects with a ProviderError: see `createRpc`. */
export type Rpc = {
  /** The unchanged result of any method. */
  readonly call: (method: string, params: readonly unknown[]) => Promise<unknown>
  readonly chainId: () => Promise<bigint>
  readonly blockNumber: () => Promise<bigint>
  /** Undefined when the node has no such block (yet). */
  readonly getBlockByNumber: (block: BlockTag) => Promise<wire.Block | undefined>
  readonly getBlockByHash: (hash: Hex) => Promise<wire.Block | undefined>
  readonly getLogs: (filter: LogFilter) => Promise<readonly wire.Log[]>
  /** All receipts of a block in order; undefined when the node does not know the block. */
  readonly getBlockReceipts: (hash: Hex) => Promise<readonly wire.TxReceipt[] | undefined>
  readonly getCode: (address: Address, block?: BlockTag) => Promise<Hex>
  readonly ethCall: (to: Address, data: Hex, block?: BlockTag) => Promise<Hex>
  /** The hash of the transaction, which is not mined yet. */
  readonly sendTransaction: (tx: UnlockedTx) => Promise<Hex>
  readonly sendRawTransaction: (raw: Hex) => Promise<Hex>
  /** Undefined while the transaction is not in a block. */
  readonly getTransactionReceipt: (hash: Hex) => Promise<wire.TxReceipt | undefined>
  /** Ends idle connections and cuts off running calls. */
  readonly close: () => void
}

/** The node answered with an error. `code` is JSON-RPC's or the node's own. */
export class RpcError extends ProviderError {
  override name = 'RpcError'
  readonly code: number

  constructor(outcome: 'refused' | 'unknown', code: number, detail: string) {
    super(outcome, detail)
    this.code = code
  }
}

/**
 * Creates a client for the node at `url` (http or https; a user and password in it are sent as Basic authentication). `timeoutMs`
 * limits a whole call, from connecting to the last byte.
 *
 * Calls reject with ProviderError:
 * - `unavailable`: there was no connection and nothing was sent;
 * - `unknown`: it was sent, and no usable answer arrived;
 * - `refused`, as an RpcError: the node answered with an error (`unknown` for its internal errors).
 */
export function createRpc(url: string, options: { readonly timeoutMs: number }): Rpc {
  const node = openNode(url)
  let lastId = 0
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const id = ++lastId
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const answer = await post(node, { method, body, timeoutMs: options.timeoutMs })
    return resultOf(answer, { node, method, id })
  }
  const data = async (method: string, params: readonly unknown[], bytes: number) =>
    wire.toData(await call(method, params), method, bytes)

  return {
    call,
    chainId: async () => wire.toBigint(await call('eth_chainId', []), 'eth_chainId'),
    blockNumber: async () => wire.toBigint(await call('eth_blockNumber', []), 'eth_blockNumber'),
    getBlockByNumber: async (block) =>
      optional(wire.parseBlock, await call('eth_getBlockByNumber', [tagOf(block), false])),
    getBlockByHash: async (hash) =>
      optional(wire.parseBlock, await call('eth_getBlockByHash', [hash, false])),
    getLogs: async (filter) => parseLogs(await call('eth_getLogs', [filter]), filter.blockHash),
    getBlockReceipts: async (hash) => optional(parseReceipts, await call('eth_getBlockReceipts', [hash])),
    getCode: (address, block = 'latest') => data('eth_getCode', [address, tagOf(block)], 0),
    ethCall: (to, input, block = 'latest') => data('eth_call', [{ to, data: input }, tagOf(block)], 0),
    sendTransaction: (tx) => data('eth_sendTransaction', [unlockedFields(tx)], 32),
    sendRawTransaction: (raw) => data('eth_sendRawTransaction', [raw], 32),
    getTransactionReceipt: async (hash) =>
      optional(wire.parseReceipt, await call('eth_getTransactionReceipt', [hash])),
    close: () => node.agent.destroy(),
  }
}

/** The receipts of a full BSC block are under 4 MiB; more than this limit is a fault or an attack. */
const responseBytesMax = 64 * 1024 * 1024

const connectionsMax = 16

/** JSON-RPC 2.0 §5.1: the node itself failed, at an unknown point. */
const internalError = -32603

type Endpoint = {
  readonly url: URL
  /** The part of the URL that error texts may contain. */
  readonly label: string
  readonly protocol: typeof http | typeof https
  readonly agent: http.Agent
}

function openNode(text: string): Endpoint {
  const url = URL.parse(text)
  invariant(
    url !== null && /^https?:$/.test(url.protocol),
    'the URL of a node starts with http:// or https://',
  )
  const protocol = url.protocol === 'https:' ? https : http
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: connectionsMax })
  return { url, label: `node ${url.host}`, protocol, agent }
}

type Answer = { readonly status: number; readonly text: string }

type Request = { readonly method: string; readonly body: string; readonly timeoutMs: number }

function post(
  { url, label, protocol, agent }: Endpoint,
  { method, body, timeoutMs }: Request,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let sent = false
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const request = protocol.request(url, { method: 'POST', agent, headers })
    const fail = (detail: string) => {
      clearTimeout(timer)
      reject(new ProviderError(sent ? 'unknown' : 'unavailable', `${label}: ${method}: ${detail}`))
      request.destroy()
    }
    const timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs)

    request.on('socket', (socket) => {
      if (!socket.connecting) sent = true
      else socket.once(protocol === https ? 'secureConnect' : 'connect', () => (sent = true))
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      fail(sent ? `the connection broke (${codeOf(error)})` : codeOf(error)),
    )
    request.on('response', (response) => {
      const parts: Buffer[] = []
      let length = 0
      response.on('data', (part: Buffer) => {
        length += part.length
        if (length > responseBytesMax) fail(`the answer is over ${responseBytesMax} bytes`)
        else parts.push(part)
      })
      response.on('error', (error: NodeJS.ErrnoException) => fail(`the connection broke (${codeOf(error)})`))
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') })
      })
    })
    request.end(body)
  })
}

/** Only the code of a network error, because its message can contain a name or path. */
function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.name
}

function resultOf(
  { status, text }: Answer,
  { node, method, id }: { node: Endpoint; method: string; id: number },
): unknown {
  const about = `${node.label}: ${method}`
  const envelope = parseEnvelope(text)
  if (envelope?.error !== undefined && envelope.error !== null) {
    const { code, message } = envelope.error
    const outcome = code === internalError || status >= 500 ? 'unknown' : 'refused'
    throw new RpcError(outcome, code, `${about}: ${code} ${quotable(message)}`)
  }
  if (status !== 200) throw new ProviderError(outcomeOfStatus(status), `${about}: HTTP ${status}`)
  if (envelope === undefined || envelope.result === undefined) {
    throw new ProviderError('unknown', `${about}: the answer is no JSON-RPC response`)
  }
  if (envelope.id !== id) throw new ProviderError('unknown', `${about}: the answer belongs to another call`)
  return envelope.result
}

/** The outcome by the status of a gateway in front of the node: calls with 429 or 4xx never reached the node, with 5xx they may have. */
function outcomeOfStatus(status: number): ProviderError['outcome'] {
  if (status === 429) return 'unavailable'
  return status >= 400 && status < 500 ? 'refused' : 'unknown'
}

type Envelope = {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string } | null
}

function parseEnvelope(text: string): Envelope | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { id, result, error }: { id?: unknown; result?: unknown; error?: unknown } = parsed
  return error === undefined || error === null ? { id, result } : { id, error: parseFault(error) }
}

function parseFault(error: unknown): { code: number; message: string } {
  if (typeof error !== 'object' || error === null)
    return { code: internalError, message: 'an error without a code' }
  const { code, message }: { code?: unknown; message?: unknown } = error
  return {
    code: typeof code === 'number' ? code : internalError,
    message: typeof message === 'string' ? message : '',
  }
}

const quotableMax = 300

/** A node's message, shortened, without URLs and without hex that is longer than a hash. */
function quotable(message: string): string {
  const begin = message.slice(0, 10 * quotableMax)
  const hidden = begin.replaceAll(/\w+:\/\/\S+/g, '[url]').replaceAll(/(?:0x)?[0-9a-f]{65,}/gi, '[hex]')
  return hidden.length > quotableMax ? `${hidden.slice(0, quotableMax)}…` : hidden
}

function optional<T>(parse: (sent: unknown) => T, sent: unknown): T | undefined {
  return sent === null ? undefined : parse(sent)
}

function parseReceipts(sent: unknown): readonly wire.TxReceipt[] {
  return wire.toList(sent, 'receipts').map((receipt, i) => wire.parseReceipt(receipt, `receipts[${i}]`))
}

function parseLogs(sent: unknown, blockHash: Hex): readonly wire.Log[] {
  const logs = wire.toList(sent, 'logs').map((log, i) => wire.parseLog(log, `logs[${i}]`))
  if (logs.some((log) => log.blockHash !== blockHash)) {
    throw new ProviderError('unknown', "the node's answer makes no sense: logs of another block")
  }
  return logs
}

function tagOf(block: BlockTag): string {
  return typeof block === 'bigint' ? wire.toQuantity(block) : block
}

function unlockedFields({
  from,
  to,
  data,
  value,
  gas,
  gasPrice,
}: UnlockedTx): Readonly<Record<string, string | undefined>> {
  const quantity = (number: bigint | undefined) =>
    number === undefined ? undefined : wire.toQuantity(number)
  return { from, to, data, value: quantity(value), gas: quantity(gas), gasPrice: quantity(gasPrice) }
}
