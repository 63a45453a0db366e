// CRYPTO: USDT to an address that only this payment has. The address is a pure hash of the chain and the payment, so the rail
// computes it when the payment is created, without a key, a pool or a call. Inspected by audit/rails/crypto.ts.
import { chooseToken, mainToken, type Chain } from '#/coins/chain.ts'
import { baseUnitsPerCent, toTokenUnits, wholeCents } from '#/coins/units.ts'
import { shownMax } from '#/contract/payment-rail-fields.ts'
import type { Sql, Tx } from '#/db/client.ts'
import { bytesOf, createDepositAddresses, hexOf, toChecksum, type Address } from '#/evm/address.ts'
import { must } from '#/kernel/check.ts'
import { given } from '#/kernel/given.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import { hourMs, parseInstant } from '#/kernel/time.ts'
import type { Attempt, PaymentRef } from '#/rails/attempt.ts'
import type { Coin, Coins, OpensAtCreation, Rail, RecordOfTables, Refunder, UnitView } from '#/rails/rail.ts'
import type { Receipt } from '#/rails/receipt.ts'
import type { Routing, RoutingRequest } from '#/rails/routing.ts'
import { type DepositPage, type DescribedRef } from '#/rails/shown.ts'
import { normalAddress } from './normal-address.ts'
import * as queries from './queries.ts'
import type { TransferSignal } from './signal.ts'

type AddressOf = (paymentId: PaymentId) => Address

export type CryptoRail = Rail & {
  readonly opens: OpensAtCreation
  readonly coins: Coins
  readonly record: RecordOfTables
}

/**
 * The rail over these chains. A chain that is not ready is not in the list, and CRYPTO is not offered there. `isAwaited`: the settings
 * name a chain for this mode whose node does not answer now, so the same call may be sent again.
 */
export function createCryptoRail(
  chains: () => readonly Chain[],
  refunds?: Refunder,
  isAwaited: (mode: Mode) => boolean = () => false,
): CryptoRail {
  const chainOf = (connection: ConnectionId) =>
    must(
      chains().find((chain) => chain.connection === connection),
      `no chain for connection ${connection}`,
    )
  const addresses = new Map<Chain, AddressOf>()
  const addressOf = (chain: Chain, paymentId: PaymentId) => {
    const existing = addresses.get(chain)
    const compute = existing ?? createDepositAddresses(chain)
    if (existing === undefined) addresses.set(chain, compute)
    return compute(paymentId)
  }

  // Signals are a second source of these keys, so that what a chain showed is settled even while its node cannot be reached.
  const keys = new Map<ConnectionId, string>()
  const keyOf = (connection: ConnectionId) => keys.get(connection) ?? chainOf(connection).key

  return {
    method: 'CRYPTO',
    lifetimeMs: hourMs,
    opens: {
      at: 'CREATION',
      async write(tx, attempts) {
        const rows = attempts.map((attempt) => depositOf(attempt, chainOf(attempt.connection), addressOf))
        await queries.insertDepositAddresses(tx, rows)
      },
    },
    route: (request) => route(chains(), isAwaited(request.mode), request),
    read({ connection, body }) {
      const signal = JSON.parse(body.toString('utf8')) as TransferSignal
      keys.set(connection, signal.chain)
      // Of a lost payment only final money counts, and goes to suspense. Before that there is nobody to show it to.
      if (signal.isLost === true && signal.outcome !== 'paid') return []
      return [receiptOf(connection, signal, body)]
    },
    ...given({ refunds }),
    arrival: (connection) => ({ at: 'CHAIN', chain: keyOf(connection), token: 'USDT' }),
    coins: {
      coin(connection) {
        const chain = chains().find((each) => each.connection === connection)
        return chain === undefined ? undefined : coinOf(chain)
      },
      units: { load: (tx, receipts) => loadUnits(tx, receipts, keyOf) },
    },
    record: {
      from: 'TABLES',
      describe,
      deposits: readDepositPage,
      findByTx: queries.selectPaymentsOfTx,
    },
    findByName: async (sql, merchantId, name) => {
      const address = normalAddress(name)
      return address === undefined ? [] : queries.selectPaymentsAt(sql, merchantId, address)
    },
  }
}

async function loadUnits(
  tx: Tx,
  receipts: readonly Receipt[],
  keyOf: (connection: ConnectionId) => string,
): Promise<UnitView> {
  const deposits = receipts.map((receipt) => ({ chain: keyOf(receipt.connection), ...depositedTo(receipt) }))
  const totals = await queries.selectTotals(tx, deposits)
  return unitView(new Map(totals.map((each) => [each.paymentId, each])))
}

/** Returns what records show of these payments: the address, and the latest deposits. */
async function describe(sql: Sql | Tx, refs: readonly DescribedRef[]) {
  const rows = await queries.selectDeposits(sql, refs, shownMax)
  const byPayment = Map.groupBy(rows, (row) => row.paymentId)
  const completing = await selectCompleting(sql, refs, byPayment)
  return new Map(
    [...byPayment].map(([paymentId, group]) => [paymentId, fieldsOf(group, completing.get(paymentId))]),
  )
}

const pointers = { network: '/metadata/cryptoNetwork', token: '/metadata/cryptoCurrency' }

/** Accepts USDT or USD, on a network and in a token that is configured for the merchant's mode. */
function route(
  chains: readonly Chain[],
  isAwaited: boolean,
  { mode, currency, metadata }: RoutingRequest,
): Routing {
  const ofMode = chains.filter((chain) => chain.mode === mode)
  if (currency !== 'USDT' && currency !== 'USD') {
    const detail = `CRYPTO takes USDT or USD, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const asked = { network: metadata?.['cryptoNetwork'], token: metadata?.['cryptoCurrency'] }
  const chosen = chooseToken(ofMode, asked, pointers, isAwaited)
  if (!chosen.ok) return chosen
  return { ok: true, connection: chosen.chain.connection, currency }
}

function depositOf(
  attempt: Attempt,
  chain: Chain,
  addressOf: (chain: Chain, paymentId: PaymentId) => Address,
): queries.NewDeposit {
  return {
    chain: chain.key,
    address: bytesOf(addressOf(chain, attempt.paymentId)),
    merchantId: attempt.merchantId,
    paymentId: attempt.paymentId,
    attemptId: attempt.id,
    requestedUnits: attempt.amount.minor * baseUnitsPerCent,
  }
}

/**
 * Makes the receipt, with the name by which it counts once. A detected transfer counts once per block, so its name has the block
 * and the log. A final credit counts once per transfer of a transaction, in any block.
 */
function receiptOf(connection: ConnectionId, signal: TransferSignal, evidence: Buffer): Receipt {
  const units = BigInt(signal.value)
  const isFinal = signal.outcome === 'paid'
  return {
    method: 'CRYPTO',
    attempt: {
      merchantId: signal.merchantId as MerchantId,
      paymentId: signal.paymentId as PaymentId,
      id: signal.attemptId as AttemptId,
      ...given({ isLost: signal.isLost }),
    },
    connection,
    providerRef: isFinal ? `${signal.txHash}:${signal.ordinal}` : `${signal.blockHash}:${signal.logIndex}`,
    outcome: signal.outcome,
    occurrence: isFinal ? 1 : signal.occurrence,
    pendingRef: `${signal.blockHash}:${signal.logIndex}#${signal.occurrence}`,
    amount: { minor: wholeCents(units), currency: 'USDT' },
    units,
    happenedAt: new Date(signal.blockAt),
    evidence,
    txHash: signal.txHash,
  }
}

function coinOf(chain: Chain): Coin {
  const { symbol, address, decimals } = mainToken(chain)
  return {
    chainId: chain.chainId,
    contract: toChecksum(address),
    currency: symbol,
    network: chain.network,
    decimals,
    confirmations: chain.confirmationsMin,
  }
}

/** Returns the payment of a deposit. The chain's own records name it for every deposit. */
function depositedTo({ attempt }: Receipt): PaymentRef {
  const { merchantId, paymentId } = must(attempt, 'a deposit has an attempt')
  return {
    merchantId: must(merchantId, 'a deposit has a merchant'),
    paymentId: must(paymentId, 'a deposit has a payment'),
  }
}

/**
 * Keeps the exact units of each address in memory. A transfer credits the whole cents by which the total grew, so fractions of a
 * cent add up exactly.
 */
function unitView(totals: ReadonlyMap<PaymentId, queries.Total>): UnitView {
  const now = new Map([...totals].map(([id, total]) => [id, { ...total }]))
  const changed = new Set<PaymentId>()
  return {
    credit(receipt: Receipt): bigint {
      const { paymentId } = depositedTo(receipt)
      const total = must(now.get(paymentId), 'a deposit has an address')
      const units = must(receipt.units, 'a deposit has base units')
      const cents = wholeCents(total.received + units) - wholeCents(total.received)
      total.received += units
      total.held += units
      changed.add(paymentId)
      return cents
    },
    save: (tx: Parameters<typeof queries.writeTotals>[0]) =>
      queries.writeTotals(
        tx,
        [...changed].map((id) => must(now.get(id), 'a changed total')),
      ),
  }
}

function fieldsOf(
  newest: readonly queries.PlacedDeposit[],
  completing: queries.DepositRow | undefined,
): Readonly<Record<string, unknown>> {
  const deposit = must(newest[0], 'a payment by CRYPTO has an address')
  const rows = completing === undefined ? newest : [completing, ...newest.slice(1)]
  return {
    cryptoAddress: toChecksum(hexOf(deposit.address)),
    cryptoAmount: deposit.requestedUnits,
    ...placeOf(deposit),
    ...(BigInt(deposit.received) % baseUnitsPerCent === 0n ? {} : { cryptoReceived: deposit.received }),
    depositCount: Number(deposit.count),
    deposits: rows.flatMap((row) => {
      const { txHash } = row
      return txHash === null ? [] : [shownDeposit({ ...row, txHash })]
    }),
  }
}

/** The network and the token, as a wallet needs them to build the transfer. From the books: a node that is away changes nothing. */
function placeOf({ requestedUnits, network, chainId, symbol, contract, decimals }: queries.PlacedDeposit) {
  return {
    cryptoNetwork: network,
    cryptoCurrency: symbol,
    cryptoAmountToken: toTokenUnits({ decimals }, BigInt(requestedUnits)).raw.toString(),
    cryptoDecimals: decimals,
    cryptoContract: toChecksum(hexOf(contract)),
    cryptoChainId: Number(chainId),
  }
}

function shownDeposit({
  txHash,
  value,
  confirmations,
  final,
  at,
}: Omit<queries.PagedDeposit, 'blockNumber' | 'logIndex'>) {
  return { txHash: hexOf(txHash), amount: value, confirmations, final, at: at.toISOString() }
}

/** Returns the transfers that completed the sum of payments, where newer transfers have pushed them out of the record. */
async function selectCompleting(
  sql: Sql | Tx,
  refs: readonly DescribedRef[],
  newest: ReadonlyMap<PaymentId, readonly queries.DepositRow[]>,
): Promise<ReadonlyMap<PaymentId, queries.DepositRow>> {
  const older = refs.flatMap(({ completing, ...ref }) => {
    const rows = newest.get(ref.paymentId) ?? []
    if (completing === undefined || (rows[0]?.count ?? 0n) <= BigInt(shownMax)) return []
    const named = namedBy(completing)
    return named === undefined || rows.some((row) => isNamed(row, named)) ? [] : [{ ...ref, named }]
  })
  if (older.length === 0) return new Map()
  const rows = await queries.selectNamedDeposits(sql, older)
  return new Map(rows.map((row) => [row.paymentId, row]))
}

function isNamed({ txHash, ordinal }: queries.DepositRow, named: queries.NamedTransfer): boolean {
  const isOf = txHash !== null && hexOf(txHash) === named.txHash
  return isOf && (named.ordinal === undefined || named.ordinal === ordinal)
}

/** Returns the transfer that a `providerRef` of final money names: its transaction's hash and its ordinal. */
function namedBy(completing: string): queries.NamedTransfer | undefined {
  const [, txHash, ordinal] = /^(0x[0-9a-f]{64})(?::(\d+))?$/.exec(completing) ?? []
  if (txHash === undefined) return undefined
  return { txHash: txHash as Address, ...(ordinal === undefined ? {} : { ordinal: Number(ordinal) }) }
}

async function readDepositPage(
  sql: Sql,
  ref: PaymentRef,
  { limit, after }: { readonly limit: number; readonly after?: readonly string[] },
): Promise<DepositPage | undefined> {
  const before = after === undefined ? undefined : depositKey(after)
  if (after !== undefined && before === undefined) return undefined
  const rows = await queries.selectDepositPage(sql, ref, { before, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    data: page.map(shownDeposit),
    ...(last === undefined
      ? {}
      : { next: [last.at.toISOString(), String(last.blockNumber), String(last.logIndex)] }),
  }
}

function depositKey([instant = '', block = '', log = '', ...more]: readonly string[]):
  | queries.DepositKey
  | undefined {
  const at = parseInstant(instant)
  const isOurs = /^\d{1,18}$/.test(block) && /^\d{1,9}$/.test(log) && more.length === 0
  return at === undefined || !isOurs ? undefined : { at, blockNumber: BigInt(block), logIndex: Number(log) }
}
