// CRYPTO out: USDT from the hot wallet. A payout is queued once, and afterwards only looked up. The wallet's sender carries it out,
// and the chain gives the result.
import { chooseToken, mainToken, type Chain } from '#/coins/chain.ts'
import type { Token } from '#/coins/networks.ts'
import { baseUnitsPerCent, toTokenUnits } from '#/coins/units.ts'
import type { Sql, Tx } from '#/db/client.ts'
import {
  parseAddress,
  deterministicDeployer,
  readRecipient,
  toChecksum,
  type Address,
} from '#/evm/address.ts'
import { transferCall, transferGas } from '#/evm/erc20.ts'
import { invariant, must } from '#/kernel/check.ts'
import { ProviderError } from '#/kernel/error.ts'
import { newId, type ConnectionId } from '#/kernel/id.ts'
import type { Mode } from '#/kernel/mode.ts'
import type { Clock } from '#/kernel/time.ts'
import type { ConnectionBook } from '#/rails/connection.ts'
import type {
  PayoutNames,
  PayoutOrder,
  PayoutQueue,
  PayoutRail,
  PayoutResult,
  PayoutUnits,
  PayoutRouting,
  PayoutRequest,
} from '#/rails/payout-rail.ts'
import { requireLeave } from '#/rails/rail.ts'
import * as queries from './payout-queries.ts'

type CryptoPayoutDeps = {
  readonly sql: Sql
  /** The chains that pay out. A chain that is not ready is not in the list: it is not offered, and its due payouts wait. */
  readonly chains: () => readonly PayoutChain[]
  /** Whether the settings name a chain for this mode whose node does not answer now. Default: no. */
  readonly isAwaited?: (mode: Mode) => boolean
  /** Names the chain of a connection that is not ready. */
  readonly connections: Pick<ConnectionBook, 'find'>
  readonly clock: Clock
  /** Called when a payout is queued. */
  readonly onQueued?: () => void
}

type CryptoPayouts = PayoutRail & {
  readonly units: PayoutUnits
  readonly queue: PayoutQueue
  readonly networkOf: (connection: ConnectionId) => string | undefined
}

/** The payout rail of USDT, and the check that a recipient is not a deposit address of ours. */
export function createCryptoPayouts(deps: CryptoPayoutDeps): CryptoPayouts {
  const { sql, chains, isAwaited = () => false, connections } = deps
  const chainOf = (connection: ConnectionId) =>
    chains().find(({ chain }) => chain.connection === connection)?.chain
  return {
    type: 'CRYPTO',
    route: (request) => routePayout(chains(), request, isAwaited(request.mode)),
    async send(order) {
      const existing = await queries.selectPayout(sql, order.id)
      if (existing !== undefined) return resultOf(order, existing)
      const chain = chainOf(order.connection)
      if (chain === undefined)
        throw new ProviderError('unavailable', 'the chain of this payout is not connected')
      const { recipient, units } = movementOf(order)
      const token = mainToken(chain)
      if (await queries.isOwnDeposit(sql, chain.key, recipient)) return ownDeposit
      await requireLeave(order)
      const queued = {
        id: newId<'chain-tx'>(),
        chain: chain.key,
        purpose: 'PAYOUT' as const,
        subject: order.id,
        merchantId: order.merchantId,
        reference: referenceOf(order),
        to: token.address,
        value: 0n,
        data: transferCall(recipient, toTokenUnits(token, units)),
        gas: transferGas,
        movement: { recipient, units },
      }
      await queries.insertQueued(sql, queued, deps.clock.now())
      deps.onQueued?.()
      const kept = await queries.selectPayout(sql, order.id)
      return resultOf(order, must(kept, `reference ${order.reference} belongs to one payout`))
    },
    source(connection) {
      const named = chainOf(connection)?.key ?? connections.find(connection)?.settings['chain']
      invariant(typeof named === 'string', `connection ${connection} names a chain`)
      return { at: 'CHAIN', chain: named, token: 'USDT' }
    },
    networkOf: (connection) => chainOf(connection)?.network,
    units: {
      async leave(tx, payouts) {
        const ids = [...new Set(payouts)]
        invariant((await queries.countDone(tx, ids)) === ids.length, 'only what is final has left')
        await queries.deductUnits(tx, ids)
      },
    },
    queue: {
      lockWaiting: async (tx, payouts) => new Set(await queries.lockWaiting(tx, payouts)),
      drop: (tx, payouts) => queries.dropWaiting(tx, payouts, canceled),
    },
  }
}

/** References of withdrawals and refunds whose payouts have ended within the last minute and are not settled yet. */
export function endedPayouts(sql: Sql): Promise<readonly string[]> {
  return queries.selectEndedPayouts(sql)
}

export type PayoutStanding = queries.PayoutStanding

/** How far the payouts of these withdrawals and refunds are; those that have none are left out. */
export function payoutStandings(sql: Sql, subjects: readonly string[]): Promise<readonly PayoutStanding[]> {
  return queries.selectStandings(sql, subjects)
}

/**
 * Requests that the payout of a withdrawal or refund is canceled. Without a nonce it fails at once; with one, an empty transaction
 * must be mined with that nonce instead. Returns false when no payout can be canceled any more.
 */
export function stopPayout(tx: Tx, subject: string, at: Date): Promise<boolean> {
  return queries.requestCancel(tx, subject, canceled, at)
}

/**
 * Records, for an operator, how a payout ended whose nonce a foreign transaction used. Returns false for any other payout: its
 * signed transaction may still be mined, and the chain gives the result.
 */
export function endPayoutByHand(
  tx: Tx,
  subject: string,
  end: 'sent' | 'refused',
  at: Date,
): Promise<boolean> {
  return queries.resolvePayout(tx, subject, end === 'sent' ? 'FINAL' : 'FAILED', at)
}

/** The signer accepts one nonce for a reference, for ever: even if all our tables were lost, nothing would be paid twice. */
function referenceOf({ reference }: PayoutOrder): string {
  return `${queries.payoutPrefix}${reference}`
}

function movementOf({ amount, destination }: PayoutOrder): {
  readonly recipient: `0x${string}`
  readonly units: bigint
} {
  const address = parseAddress(destination['cryptoAddress'] ?? '')
  const recipient = must(address, 'a payout by CRYPTO has an address')
  invariant(amount.currency === 'USDT' && amount.minor > 0n, 'a payout by CRYPTO is an amount of USDT')
  return { recipient, units: amount.minor * baseUnitsPerCent }
}

function resultOf(order: PayoutOrder, row: queries.PayoutRow): PayoutResult {
  const { recipient, units } = movementOf(order)
  invariant(
    row.reference === referenceOf(order) && row.recipient === recipient && row.units === units,
    `payout ${order.id} is what it was when it was queued`,
  )
  const { state, failure } = row
  // The transaction that used the nonce of a canceled payout did not pay it.
  const hash = failure === null || failure === 'reverted' ? row.txHash : undefined
  const names: PayoutNames = hash === undefined ? {} : { providerRef: hash, txHash: hash }
  const evidence = row.evidence ?? Buffer.from(JSON.stringify({ payout: order.id, state, ...names }))
  if (state === 'FINAL') return { state: 'done', ...names, evidence }
  if (state !== 'FAILED') return { state: 'sent', ...names, evidence }
  const code = must(failure, 'a payout that failed has a reason')
  const message = messages.get(code) ?? 'The payout was canceled before it could happen.'
  return { state: 'refused', code, message, ...names, evidence }
}

/** The failure code of a payout that was canceled. */
const canceled = 'canceled'

const messages: ReadonlyMap<string, string> = new Map([
  [canceled, 'It was canceled before it was sent.'],
  ['reverted', 'The token refused the transfer.'],
  ['resolved', 'The operator has found that nothing was paid.'],
  ['amount_not_allowed', 'The amount is more than the signer may pay at once.'],
  ['recipient_not_allowed', 'The signer may not pay this address.'],
])

const ownDeposit: PayoutResult = {
  state: 'refused',
  code: 'destination_not_allowed',
  message: 'The address is one that takes payments here.',
  evidence: Buffer.from('{"refused":"destination_not_allowed"}'),
}

// Decides where a payout may go on a chain. What is sent to a wrong address is lost, so a mistake must be found before anything is
// sent.

/** A chain that pays out. */
export type PayoutChain = {
  readonly chain: Chain
  /** The wallet that pays. */
  readonly hot: Address
  /** Further addresses of ours, such as the wallet that pays for sweeps. */
  readonly further?: readonly Address[]
}

/**
 * The connection for USDT to an address, on the requested network and in the requested token, or why there is none. `isAwaited`: the node of
 * the mode's chain does not answer now.
 */
export function routePayout(
  chains: readonly PayoutChain[],
  request: PayoutRequest,
  isAwaited = false,
): PayoutRouting {
  const { mode, currency, cryptoAddress, cryptoNetwork, cryptoCurrency } = request
  const ofMode = chains.filter(({ chain }) => chain.mode === mode)
  if (currency !== 'USDT') {
    const detail = `CRYPTO pays out USDT, not ${currency}.`
    return { ok: false, code: 'currency_not_supported', detail, pointer: '/currency' }
  }
  const chosen = chooseToken(
    ofMode.map(({ chain }) => chain),
    { network: cryptoNetwork, token: cryptoCurrency },
    { network: '/cryptoNetwork', token: '/cryptoCurrency' },
    isAwaited,
  )
  if (!chosen.ok) return chosen
  const found = must(
    ofMode.find(({ chain }) => chain === chosen.chain),
    'the chain that was chosen pays out',
  )
  return routeToAddress(found, chosen.token, cryptoAddress)
}

function routeToAddress(found: PayoutChain, token: Token, text: string | undefined): PayoutRouting {
  const pointer = '/cryptoAddress'
  const { chain, hot, further = [] } = found
  const reading = readRecipient(text ?? '', {
    tokens: chain.tokens.map(({ address }) => address),
    contracts: [chain.factory, chain.implementation, deterministicDeployer],
    ours: [chain.treasury, hot, ...further],
  })
  if (!reading.ok) {
    const isMistyped = reading.fault === 'FORM' || reading.fault === 'CAPITALS'
    const code = isMistyped ? 'invalid_request' : 'destination_not_allowed'
    return { ok: false, code, detail: `The address ${reading.message}.`, pointer }
  }
  const cryptoAddress = toChecksum(reading.address)
  return {
    ok: true,
    connection: chain.connection,
    currency: token.booksAs,
    destination: {
      text: cryptoAddress,
      fields: { cryptoAddress, cryptoNetwork: chain.network, cryptoCurrency: token.symbol },
    },
  }
}
