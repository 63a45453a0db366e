// What came to our addresses and is no payment: another token, native coin, anything on another EVM network. All of it can
// go one way only, to the treasury, and our factory opens the same addresses on every network that has the deterministic
// deployer.
import type { Sql, Tx } from '#/db/client.ts'
import { newId } from '#/kernel/id.ts'
import type { Log } from '#/kernel/log.ts'
import { monotonicMs, sleep, type Clock } from '#/kernel/time.ts'
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
import type { Chain } from '#/coins/chain.ts'
import type { Rpc } from '#/evm/client.ts'
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

/** Something that lies at an address of ours. */
export type Lost = queries.OwnAddress & { readonly token: Address; readonly units: bigint }

/** What is rescued or was, with how far it is. */
export type Rescue = queries.RescueRow

/** A rescue as it is asked for. */
export type NewRescue = queries.NewRescue

/** The rescues of what lay at addresses of a chain, oldest first. */
export function rescuesOf(sql: Sql, chain: string): Promise<readonly Rescue[]> {
  return queries.selectRescues(sql, { chain })
}

/** The wallet that pays for the sweeps of a chain, as it was last made known; undefined where there was none. */
export function knownGasWallet(sql: Sql, chain: string): Promise<Address | undefined> {
  return queries.selectGasSender(sql, chain)
}

/** Other tokens that the watcher noticed at our addresses of a chain, as far as they still lie there. */
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

/** What lies of these tokens at all of our addresses of a chain, by the node that is asked: of this network or another. */
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

function lostAt(own: queries.OwnAddress, token: Address, units: bigint): readonly Lost[] {
  return units === 0n ? [] : [{ ...own, token, units }]
}

/** What lies at addresses now. A token that does not answer has nothing that could be moved. */
async function unitsAt(rpc: Rpc, token: Address, holders: readonly Address[]): Promise<readonly bigint[]> {
  if (token !== nativeCoin) return balancesOf(rpc, token, 'latest', holders)
  const held: bigint[] = []
  for (const holder of holders) held.push(await balanceAt(rpc, holder, 'latest'))
  return held
}

/** What cannot be rescued, in a sentence for the operator. */
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
  /** Whose deposit address it is. */
  readonly home: KnownChain
  readonly address: Address
  readonly token: Address
  readonly by: string
  /** Done in the transaction that asks for it. */
  readonly also?: (tx: Tx, rescue: NewRescue) => Promise<void>
  /** The same, where the factory is put on another network first. */
  readonly alsoDeploying?: (tx: Tx, chainId: bigint) => Promise<void>
}

/**
 * Queues the rescue of all that lies of a token at an address, on its own network; the worker's gas wallet sends it. The
 * same one that has no end yet is not asked for twice. Throws CannotRescue.
 */
export async function rescueHere(wish: RescueRequest): Promise<Rescue> {
  if (wish.token === wish.home.token)
    throw new CannotRescue('This is the token of payments.', 'What lies there is collected by itself.')
  return queueRescue(wish, wish.home.key, wish.home.chainId)
}

async function queueRescue(wish: RescueRequest, key: string, chainId: bigint): Promise<Rescue> {
  const { sql, clock, rpc, home, address, token, by } = wish
  const isOpen = ({ chainId: on, token: what, state }: Rescue) =>
    on === chainId && what === token && state !== 'FINAL' && state !== 'FAILED'
  const known = await queries.selectRescues(sql, { chain: home.key, addresses: [address] })
  const open = known.find(isOpen)
  if (open !== undefined) return open
  const own = await queries.selectOwnAddress(sql, home.key, address)
  if (own === undefined)
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
      data: sweepCall(token, [depositSalt(home.chainId, own.paymentId)]),
      gas: sweepGas(1),
    }
    await insertQueued(db, sweep, clock.now())
    const rescue = { id, chain: home.key, chainId, address, token, units, tx, by }
    await queries.insertRescue(db, rescue, clock.now())
    await wish.also?.(db, rescue)
  })
  const queued = await queries.selectRescues(sql, { chain: home.key, addresses: [address] })
  return (
    queued.find((each) => each.id === id) ?? Promise.reject(new Error('a rescue that was noted is there'))
  )
}

export type ElsewhereRequest = RescueRequest & {
  readonly gas: Address
  readonly signer: Signer
  readonly fees: FeePolicy
  readonly log: Log
  readonly pollMs: number
  readonly patienceMs: number
  readonly tell: (text: string) => void
}

/**
 * Rescues what lies at an address on another EVM network: puts the factory there where it lacks, and sweeps to the
 * treasury's address of that network. It sends by itself, with the gas key, and waits until it is final. Called again
 * after any failure, it goes on. Throws CannotRescue.
 */
export async function rescueElsewhere(wish: ElsewhereRequest): Promise<Rescue> {
  const { sql, rpc, home, token, address } = wish
  const chainId = await rpc.chainId()
  if (chainId === home.chainId)
    throw new CannotRescue(`The node is on ${home.key} itself.`, 'Leave --network away.')
  const away = awayChain(home, chainId, token)
  if ((await rpc.getCode(deterministicDeployer)) === '0x')
    throw new CannotRescue(
      `Chain ${chainId} has no deterministic deployer at ${deterministicDeployer}.`,
      'Have it put there first: github.com/Arachnid/deterministic-deployment-proxy.',
    )
  if ((await rpc.getCode(away.factory)) === '0x') {
    wish.tell(`The factory is put on chain ${chainId} at ${away.factory}.`)
    await deployFactory(wish, away)
  }
  const { id } = await queueRescue(wish, away.key, chainId)
  wish.tell(`What lies at ${address} is sent to ${away.treasury} on chain ${chainId}.`)
  await sendUntil(wish, away, `rescue/${id}`)
  const rescues = await queries.selectRescues(sql, { chain: home.key, addresses: [address] })
  return (
    rescues.find((each) => each.id === id) ?? Promise.reject(new Error('a rescue that was noted is there'))
  )
}

/** The other network as the sender knows chains: with our contracts at the same addresses. */
function awayChain({ mode, connection, treasury }: KnownChain, chainId: bigint, token: Address): Chain {
  return {
    key: `evm-${chainId}`,
    mode,
    connection,
    chainId,
    network: `chain ${chainId}`,
    currency: 'USDT',
    token,
    treasury,
    factory: factoryAddress(treasury),
    implementation: implementationAddress(treasury),
    confirmationsMin: 1,
  }
}

/** The call that puts the factory on a network, and what the signer's policy must allow for it. */
export function factoryDeployment(treasury: Address): {
  readonly to: Address
  readonly data: `0x${string}`
  readonly dataHash: `0x${string}`
} {
  const data = deploymentData(factoryCreation(treasury))
  return { to: deterministicDeployer, data, dataHash: keccak(bytesOf(data)) }
}

/** Factory and forwarder take 620,000; a network may count more for calldata. */
const deploymentGas = 2_000_000n

async function deployFactory(wish: ElsewhereRequest, away: Chain): Promise<void> {
  const { sql, clock, rpc } = wish
  const reference = `rescue/${away.key}/factory/${away.factory}`
  const { to, data } = factoryDeployment(away.treasury)
  const id = newId<'chain-tx'>()
  const deployment = { id, subject: id, chain: away.key, purpose: 'SWEEP' as const, reference }
  await sql.begin(async (tx) => {
    await insertQueued(tx, { ...deployment, to, value: 0n, data, gas: deploymentGas }, clock.now())
    await wish.alsoDeploying?.(tx, away.chainId)
  })
  await sendUntil(wish, away, reference)
  if ((await rpc.getCode(away.factory)) === '0x')
    throw new CannotRescue(
      `The deployment left nothing at ${away.factory}.`,
      'Look at its transaction in an explorer.',
    )
}

/** Sends from the gas wallet until the transaction of this reference has an end. */
async function sendUntil(wish: ElsewhereRequest, chain: Chain, reference: string): Promise<void> {
  const { sql, clock, log, rpc, signer, fees, pollMs, patienceMs } = wish
  const wallet = { address: wish.gas, purpose: 'gas' as const }
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
          'Look at it in an explorer.',
        )
      if (monotonicMs() > giveUpAt)
        throw new CannotRescue(await delayOf(wish, chain, state), 'Call it again: it goes on.')
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
