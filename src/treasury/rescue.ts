// Rescues what arrived at our addresses and is no payment: another token, native coin, anything on another EVM network. All of it
// can go only to the treasury. Our factory can deploy forwarders at the same addresses on every network that has the deterministic
// deployer.
import type { Chain } from '#/coins/chain.ts'
import { usdtAt } from '#/coins/networks.ts'
import type { Sql, Tx } from '#/db/client.ts'
import {
  bytesOf,
  deploymentData,
  depositSalt,
  deterministicDeployer,
  factoryAddress,
  factoryCreation,
  implementationAddress,
  keccak,
  type Address,
} from '#/evm/address.ts'
import type { Rpc } from '#/evm/client.ts'
import { newId, type MerchantId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, sleep, type Clock } from '#/kernel/time.ts'
import { balancesOf, type KnownChain } from './compare.ts'
import type { FeePolicy } from './fees.ts'
import { balanceAt } from './gas.ts'
import { beginSending, endSending, type HotWalletDeps } from './hot-wallet-lease.ts'
import { step } from './hot-wallet.ts'
import type { Signer, TxState } from './outgoing.ts'
import { insertQueued } from './payout-queries.ts'
import * as queries from './rescue-queries.ts'
import { sweepCall, sweepGas } from './sweep.ts'

/** Stands for the native coin, as in our contracts. */
export const nativeCoin: Address = `0x${'0'.repeat(40)}`

/** Something that one of our addresses holds. */
export type Lost = queries.OwnAddress & { readonly token: Address; readonly units: bigint }

/** A rescue, ended or not, with its state. */
export type Rescue = queries.RescueRow

/** As programs get it, without the receipt, which is long. */
export function rescueRecord(rescue: Rescue) {
  const { id, chain, address, token, state, failure, txHash, by, createdAt } = rescue
  const numbers = { chainId: rescue.chainId.toString(), units: rescue.units.toString() }
  return { id, chain, ...numbers, address, token, state, failure, txHash, by, createdAt }
}

/** A rescue as it was requested. */
export type NewRescue = queries.NewRescue

/** The rescues of what lay at addresses of a chain, oldest first. */
export function rescuesOf(sql: Sql, chain: string): Promise<readonly Rescue[]> {
  return queries.selectRescues(sql, { chain })
}

/** The wallet that pays for the sweeps of a chain, as it was last recorded; undefined where there was none. */
export function knownGasWallet(sql: Sql, chain: string): Promise<Address | undefined> {
  return queries.selectGasSender(sql, chain)
}

/** Other tokens that the watcher found at our addresses of a chain and that are still there. */
export async function findStrays(sql: Sql, rpc: Rpc, chain: string): Promise<readonly Lost[]> {
  const rows = await queries.selectStrays(sql, chain)
  const held = await Promise.all(
    // A token that fails now holds nothing that could be moved.
    rows.map(({ token, address }) => unitsAt(rpc, token, [address]).catch(() => [0n])),
  )
  return rows.flatMap(({ address, paymentId, token }, index) => {
    const [units = 0n] = held[index] ?? []
    return lostAt({ address, paymentId }, token, units)
  })
}

/** What all of our addresses of a chain hold of these tokens, by this node, which may be of another network. */
export async function findLost(
  sql: Sql,
  rpc: Rpc,
  chain: string,
  tokens: readonly Address[],
): Promise<readonly Lost[]> {
  const found: Lost[] = []
  let after: Address | undefined
  for (;;) {
    const page = await queries.selectOwnAddresses(sql, chain, after, 500)
    after = page.at(-1)?.address
    if (after === undefined) return found
    for (const token of tokens) {
      const held = await unitsAt(
        rpc,
        token,
        page.map(({ address }) => address),
      )
      found.push(...page.flatMap((each, index) => lostAt(each, token, held[index] ?? 0n)))
    }
  }
}

function lostAt(ownAddress: queries.OwnAddress, token: Address, units: bigint): readonly Lost[] {
  return units === 0n ? [] : [{ ...ownAddress, token, units }]
}

/** What addresses hold now. A token that does not answer has nothing that could be moved. */
async function unitsAt(rpc: Rpc, token: Address, holders: readonly Address[]): Promise<readonly bigint[]> {
  if (token !== nativeCoin) {
    const balances = await balancesOf(rpc, token, 'latest', holders)
    return balances.map(({ raw }) => raw)
  }
  const held: bigint[] = []
  for (const holder of holders) held.push(await balanceAt(rpc, holder, 'latest'))
  return held
}

/** Why a rescue is impossible, in a sentence for the operator. */
class CannotRescue extends Error {
  override name = 'CannotRescue'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

type RescueRequest = {
  readonly sql: Sql
  readonly clock: Clock
  readonly rpc: Rpc
  /** The chain whose deposit address it is. */
  readonly home: KnownChain
  readonly address: Address
  readonly token: Address
  readonly by: string
  /** Runs in the transaction that queues the rescue. */
  readonly also?: (tx: Tx, rescue: NewRescue) => Promise<void>
  /** The same, for the deployment of the factory on another network. */
  readonly alsoDeploying?: (tx: Tx, chainId: bigint) => Promise<void>
}

/**
 * Queues the rescue of the whole balance of a token at an address, on the address's own network; the worker's gas wallet sends it.
 * If a rescue of it has not ended yet, returns that one instead. Throws CannotRescue.
 */
export async function rescueHere(request: RescueRequest): Promise<Rescue> {
  if (request.token === request.home.token.address)
    throw new CannotRescue('This is the token of payments.', 'What lies there is collected by itself.')
  return queueRescue(request, request.home.key, request.home.chainId)
}

async function queueRescue(request: RescueRequest, key: string, chainId: bigint): Promise<Rescue> {
  const { sql, clock, rpc, home, address, token, by } = request
  const isOpen = ({ chainId: on, token: what, state }: Rescue) =>
    on === chainId && what === token && state !== 'FINAL' && state !== 'FAILED'
  const existing = await queries.selectRescues(sql, { chain: home.key, addresses: [address] })
  const unended = existing.find(isOpen)
  if (unended !== undefined) return unended
  const ownAddress = await queries.selectOwnAddress(sql, home.key, address)
  if (ownAddress === undefined)
    throw new CannotRescue(`${address} is no deposit address of ${home.key}.`, 'See ./vintem rescue list.')
  const [units = 0n] = await unitsAt(rpc, token, [address])
  if (units === 0n)
    throw new CannotRescue(`Nothing of ${token} lies at ${address}.`, 'See ./vintem rescue list.')
  const [id, tx] = [newId<'rescue'>(), newId<'chain-tx'>()]
  await sql.begin(async (db) => {
    const sweep = {
      id: tx,
      chain: key,
      purpose: 'SWEEP' as const,
      subject: id,
      reference: `rescue/${id}`,
      to: factoryAddress(home.treasury),
      value: 0n,
      data: sweepCall(token, [depositSalt(home.chainId, ownAddress.paymentId)]),
      gas: sweepGas(1),
    }
    await insertQueued(db, sweep, clock.now())
    const rescue = { id, chain: home.key, chainId, address, token, units, tx, by }
    await queries.insertRescue(db, rescue, clock.now())
    await request.also?.(db, rescue)
  })
  const queued = await queries.selectRescues(sql, { chain: home.key, addresses: [address] })
  return queued.find((each) => each.id === id) ?? Promise.reject(new Error('the rescue was queued'))
}

export type ElsewhereRequest = RescueRequest & {
  readonly gas: Address
  readonly signer: Signer
  readonly fees: FeePolicy
  readonly log: Log
  readonly pollMs: number
  readonly patienceMs: number
  readonly report: (text: string) => void
}

/**
 * Rescues what an address holds on another EVM network: deploys the factory there if it is missing, and sweeps to the treasury's
 * address of that network. Sends with the gas key, and waits until the transaction is final. Called again after a failure, it
 * continues. Throws CannotRescue.
 */
export async function rescueElsewhere(request: ElsewhereRequest): Promise<Rescue> {
  const { sql, rpc, home, token, address } = request
  const chainId = await rpc.chainId()
  if (chainId === home.chainId)
    throw new CannotRescue(`The node is on ${home.key} itself.`, 'Omit --network.')
  const away = awayChain(home, chainId, token)
  if ((await rpc.getCode(deterministicDeployer)) === '0x')
    throw new CannotRescue(
      `Chain ${chainId} has no deterministic deployer at ${deterministicDeployer}.`,
      'Have it deployed there first: github.com/Arachnid/deterministic-deployment-proxy.',
    )
  if ((await rpc.getCode(away.factory)) === '0x') {
    request.report(`The factory is deployed on chain ${chainId} at ${away.factory}.`)
    await deployFactory(request, away)
  }
  const { id } = await queueRescue(request, away.key, chainId)
  request.report(`What lies at ${address} is sent to ${away.treasury} on chain ${chainId}.`)
  await sendUntil(request, away, `rescue/${id}`)
  const rescues = await queries.selectRescues(sql, { chain: home.key, addresses: [address] })
  return rescues.find((each) => each.id === id) ?? Promise.reject(new Error('the rescue was queued'))
}

/** The other network as a chain for the sender: with our contracts at the same addresses. */
function awayChain({ mode, connection, treasury }: KnownChain, chainId: bigint, token: Address): Chain {
  return {
    key: `evm-${chainId}`,
    mode,
    connection,
    chainId,
    network: `chain ${chainId}`,
    // Of an unknown token: its balance is not our money, and only says that something is there.
    tokens: [usdtAt(token)],
    treasury,
    factory: factoryAddress(treasury),
    implementation: implementationAddress(treasury),
    confirmationsMin: 1,
  }
}

/** The call that deploys the factory on a network, and what the signer's policy must allow for it. */
export function factoryDeployment(treasury: Address): {
  readonly to: Address
  readonly data: `0x${string}`
  readonly dataHash: `0x${string}`
} {
  const data = deploymentData(factoryCreation(treasury))
  return { to: deterministicDeployer, data, dataHash: keccak(bytesOf(data)) }
}

/** Factory and forwarder use 620,000; a network may count more for calldata. */
const deploymentGas = 2_000_000n

async function deployFactory(request: ElsewhereRequest, away: Chain): Promise<void> {
  const { sql, clock, rpc } = request
  const reference = `rescue/${away.key}/factory/${away.factory}`
  const { to, data } = factoryDeployment(away.treasury)
  const id = newId<'chain-tx'>()
  const deployment = { id, subject: id, chain: away.key, purpose: 'SWEEP' as const, reference }
  await sql.begin(async (tx) => {
    await insertQueued(tx, { ...deployment, to, value: 0n, data, gas: deploymentGas }, clock.now())
    await request.alsoDeploying?.(tx, away.chainId)
  })
  await sendUntil(request, away, reference)
  if ((await rpc.getCode(away.factory)) === '0x')
    throw new CannotRescue(
      `The deployment left nothing at ${away.factory}.`,
      'Check its transaction in an explorer.',
    )
}

/** Sends from the gas wallet until the transaction of this reference has an end. */
async function sendUntil(request: ElsewhereRequest, chain: Chain, reference: string): Promise<void> {
  const { sql, clock, log, rpc, signer, fees, pollMs, patienceMs } = request
  const wallet = { address: request.gas, purpose: 'gas' as const }
  const deps: HotWalletDeps = { sql, chain, clock, log, rpc, signer, fees, pollMs, wallet }
  const giveUpAt = monotonicMs() + patienceMs
  let held = await beginSending(deps)
  try {
    for (;;) {
      const { state, failure } = (await queries.selectTx(sql, reference)) ?? missing(reference)
      if (state === 'FINAL') return
      if (state === 'FAILED')
        throw new CannotRescue(
          `The transaction failed: ${failure ?? 'no reason'}.`,
          'Check it in an explorer.',
        )
      if (monotonicMs() > giveUpAt)
        throw new CannotRescue(await delayOf(request, chain, state), 'Run the command again: it continues.')
      held ??= await beginSending(deps)
      if (held !== undefined) await step(deps, held)
      await sleep(pollMs)
    }
  } finally {
    if (held !== undefined) await endSending(deps, held.fence).catch(() => {})
  }
}

function missing(reference: string): never {
  throw new Error(`transaction ${reference} is in the queue`)
}

async function delayOf({ sql }: ElsewhereRequest, { key }: Chain, state: TxState): Promise<string> {
  const waiting = await queries.selectWaiting(sql, key)
  return `It is ${state} and not final yet${waiting === undefined ? '' : ` (${waiting})`}.`
}

// Unexplained coins: one person proposes the owner, another confirms, and settlement credits the owner
// (settlement/credit-found-coins.ts). The proposals are kept here.

/** A proposed owner of coins: `move` is the movement that brought them. */
type Proposal = {
  readonly move: string
  readonly merchantId: MerchantId
  readonly by: string
  readonly note: string | undefined
}

/**
 * Proposes an owner; nothing moves. Replaces an unconfirmed proposal. Returns false when another person has
 * confirmed one already, or when the coins are not unexplained.
 */
export function proposeOwner(tx: Tx, proposal: Proposal, at: Date): Promise<boolean> {
  return queries.writeProposal(tx, proposal, at)
}

/** Where settlement reads proposals, and writes that one was confirmed. */
export const ownerProposals = { load: queries.selectProposals, save: queries.writeConfirmed }
